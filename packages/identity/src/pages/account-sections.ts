/** The sections of the user's sessions and of the clients with access. */

import type { AccessView, AccountView, ClientView, SectionContext, SessionView } from './account-view.js'
import { clientName } from './client-name.js'
import { type Html, html } from './html.js'

export function sessionsSection(c: SectionContext): Html {
  const { view, form } = c
  const { sessions, more_sessions } = view
  const others = sessions.some(({ current }) => !current)
  return html`<section aria-labelledby="sessions">
<h2 id="sessions">Where you are signed in</h2>
<ul class="rows">
${sessions.map((session, index) => sessionRow(c, session, `session-${index}`))}
</ul>
${more_sessions > 0 && html`<p class="aside">And ${more_sessions} more, not shown.</p>`}
${
  others
    ? html`${form('end_others')}
<button type="submit" class="quiet compact">Sign out everywhere else</button>
</form>`
    : html`<p class="aside">You are signed in nowhere else.</p>`
}
</section>`
}

function sessionRow({ view, form, times }: SectionContext, session: SessionView, id: string): Html {
  const { sid, current, since, amr, clients, more_clients } = session
  const used = clients.map((client, index) => html`${index > 0 && ', '}${clientName(client)}`)
  return html`<li>
<div>
<h3 id="${id}">${current ? 'This device' : 'Another device'}</h3>
<p id="${id}-since">Signed in ${times.dateAndTime(since)}${withMethods(amr)}</p>
${clients.length > 0 && html`<p>Used for ${used}${more_clients > 0 && html` and ${more_clients} more`}</p>`}
</div>
${
  current
    ? signOutLink(view)
    : html`${form('end_session')}
<input type="hidden" name="sid" value="${sid}">
<button type="submit" class="quiet compact" aria-describedby="${id}-since">Sign out there</button>
</form>`
}
</li>`
}

const signOutLink = ({ realm }: AccountView): Html | false =>
  realm.settings.handlers.logout &&
  html`<a class="switch" href="${realm.urls.end_session_endpoint}">Sign out</a>`

/** Authentication methods (RFC 8176 §2), for the end of a sentence. */
const AMR_LABELS: ReadonlyMap<string, string> = new Map([
  ['pwd', 'your password'],
  ['pin', 'a PIN'],
  ['otp', 'a one-time code'],
  ['sms', 'a code by text message'],
  ['tel', 'a phone call'],
  ['hwk', 'a security key'],
  ['swk', 'a passkey'],
  ['sc', 'a smart card'],
  ['fpt', 'your fingerprint'],
  ['face', 'your face'],
])

function withMethods(amr: string[]): Html | null {
  // The list shows that there were several methods.
  const methods = amr.filter((method) => method !== 'mfa' && method !== 'mca')
  if (methods.length === 0) return null
  return html` with ${methods.map((method, index) => [index > 0 && ' and ', AMR_LABELS.get(method) ?? html`<code>${method}</code>`])}`
}

export function clientsSection(c: SectionContext): Html {
  const { clients, more_clients } = c.view
  return html`<section aria-labelledby="clients">
<h2 id="clients">Applications that you allowed</h2>
${
  clients.length === 0
    ? html`<p class="aside">You have not allowed any application to use your account.</p>`
    : html`<p class="aside">When you withdraw access, the application has to ask you again.</p>
<ul class="rows">
${clients.map((client, index) => clientRow(c, client, `client-${index}`))}
</ul>`
}
${more_clients > 0 && html`<p class="aside">And ${more_clients} more, which are shown when you have withdrawn some of these.</p>`}
</section>`
}

function clientRow(c: SectionContext, client: ClientView, id: string): Html {
  const { client_id, active, self_registered, access } = client
  const several = access.length > 1
  return html`<li class="client">
<div class="head">
<h3 id="${id}">${clientName(client)}</h3>
${withdrawForm(c, { client_id, resource: '', label: several ? 'Withdraw all' : 'Withdraw', about: id })}
</div>
${!active && html`<p>This application is no longer in use.</p>`}
${self_registered && html`<p>This application registered itself.</p>`}
${access.map((one, index) => {
  const about = `${id}-${index}`
  const { value: resource } = one
  const button =
    several && withdrawForm(c, { client_id, resource, label: 'Withdraw this', about: `${id} ${about}` })
  return allowance(c, one, { about, button })
})}
</li>`
}

function allowance(
  { times }: SectionContext,
  { resource, scopes, since, renewed, consented, offline }: AccessView,
  { about, button }: { about: string; button: Html | false },
): Html {
  const again = renewed !== null && !times.sameDay(since, renewed) && times.day(renewed)
  return html`<div class="allowed">
<p id="${about}">With your account ${resource === null ? 'here' : html`at <bdi>${resource}</bdi>`} it can</p>
<ul class="scopes">
${scopes.length === 0 && html`<li>Know that you are signed in</li>`}
${scopes.map(({ value, description }) => html`<li>${description ?? html`<code>${value}</code>`}</li>`)}
${offline && html`<li>Keep its access when you are not using it</li>`}
</ul>
<div class="head">
<p class="aside">${consented ? 'Allowed' : 'Has access since'} ${times.day(since)}${again && html`, last ${again}`}</p>
${button}
</div>
</div>`
}

interface WithdrawForm {
  client_id: string
  /** Empty for all resources. */
  resource: string
  label: string
  /** Ids of the elements that describe the button. */
  about: string
}

const withdrawForm = ({ form }: SectionContext, { client_id, resource, label, about }: WithdrawForm): Html =>
  html`${form('withdraw')}
<input type="hidden" name="client_id" value="${client_id}">
<input type="hidden" name="resource" value="${resource}">
<button type="submit" class="quiet compact" aria-describedby="${about}">${label}</button>
</form>`
