/** The pages of the device authorization grant: they ask for the code, and about the device, and say what became of it. */

import type { Client, DeviceConfirmation, DevicePage, DevicePrompt } from '@ostiary/core'
import { LOGIN_PATH, urlIn } from '../web/paths.js'
import { clientName, namingClient } from './client-name.js'
import { clientLinks, clientLogo, originNote } from './client-notes.js'
import { type Html, html } from './html.js'
import { alertNote, linkTo, renderPage } from './page.js'
import type { Presentation } from './presentation.js'
import { askedScopes } from './scope-list.js'
import { timeFormats } from './time.js'
import { userCard } from './user-card.js'

export interface DevicePageParts {
  /** The path of the client's logo; null when there is none. */
  logo: string | null
  /** The address of the account page; null when it is disabled. */
  account_path: string | null
}

export function devicePage(
  presentation: Presentation,
  prompt: DevicePrompt,
  parts: DevicePageParts,
): Response {
  const { realm } = prompt
  switch (prompt.page) {
    case 'sign_in':
      return signInFirst(prompt, prompt.return_to.path)
    case 'code': {
      const title = presentation.language.text('device.title')
      const body = codeForm(presentation, prompt.action, prompt)
      return renderPage(presentation, { realm, title, body, form_leads_to: 'self' })
    }
    case 'confirm': {
      const title = presentation.language.text('device.confirm_title')
      const body = question(presentation, prompt, parts.logo)
      return renderPage(presentation, { realm, title, body, form_leads_to: 'self' })
    }
    case 'approved':
    case 'refused':
      return answered(presentation, prompt, parts.account_path)
  }
}

function signInFirst({ realm, request }: DevicePrompt, path: string): Response {
  const location = `${urlIn(realm, LOGIN_PATH)}?${new URLSearchParams({ return_to: path })}`
  const status = realm.policy.redirect_status(request.method)
  return new Response(null, { status, headers: { location, 'cache-control': 'no-store' } })
}

function codeForm(
  { language: { text } }: Presentation,
  action: string,
  { user_code, problem }: Extract<DevicePage, { page: 'code' }>,
): Html {
  const ariaAttributes = problem !== null && html` aria-describedby="error" aria-invalid="true"`
  return html`<h1>${text('device.title')}</h1>
<p>${text('device.enter')}</p>
${problem !== null && alertNote(text(`device.${problem}`))}
<form method="post" action="${action}">
<div>
<label for="user_code">${text('device.code')}</label>
<input id="user_code" name="user_code" type="text" value="${user_code ?? ''}" required maxlength="40"
 autocomplete="off" autocapitalize="characters" autocorrect="off" spellcheck="false" autofocus${ariaAttributes}>
</div>
<button type="submit">${text('device.continue')}</button>
</form>`
}

const DAY_SECONDS = 86_400

/** Neither button is the usual one: both look the same, none has the focus, and no key presses one of them. */
function question(
  { language }: Presentation,
  asked: DevicePrompt & DeviceConfirmation,
  logo: string | null,
): Html {
  const { text } = language
  const { client, user, scopes, resources, max_lifetime } = asked
  const count = Math.ceil(max_lifetime / DAY_SECONDS)
  return html`${clientLogo(logo)}<h1>${text('device.confirm_title')}</h1>
<dl class="facts"><div><dt>${text('device.compare')}</dt><dd class="user-code">${asked.user_code}</dd></div></dl>
<p class="note warning"><strong>${text('device.sent_by_somebody')}</strong> ${text('device.then_refuse')}</p>
${userCard(language, user)}
<p>${namingClient(language, 'device.asks', client)}</p>
${originNote(language, client)}
${asked.any_program && html`<p>${text('device.any_program')}</p>`}
${askedScopes(language, { scopes, offline_access: false })}
${resources.length > 0 && html`<dl class="facts"><div><dt>${text('consent.resources')}</dt>${resources.map((uri) => html`<dd>${uri}</dd>`)}</div></dl>`}
<p>${text('device.lasts', { count })}</p>
<p class="target">${origin(language, asked)}</p>
<form method="post" action="${asked.action}">
<input type="hidden" name="confirmation_token" value="${asked.confirmation_token}">
<div class="choice">
<button type="submit" class="quiet" name="answer" value="refuse">${text('device.refuse')}</button>
<button type="submit" class="quiet" name="answer" value="allow">${text('device.allow')}</button>
</div>
</form>
${clientLinks(language, client)}`
}

/** When and from where the device has asked. */
function origin(language: Presentation['language'], asked: DeviceConfirmation): Html {
  const { user, requested_at, address } = asked
  const time = timeFormats(language, user.claims.zoneinfo).dateAndTime(requested_at)
  if (address === null) return language.markup('device.asked_at', { time })
  const from = language.markup('device.asked_from', { time, address: html`<bdi>${address}</bdi>` })
  return asked.is_other_address
    ? html`${from} <strong>${language.text('device.other_address')}</strong>`
    : from
}

function answered(
  presentation: Presentation,
  { realm, page, client }: { realm: DevicePrompt['realm']; page: 'approved' | 'refused'; client: Client },
  account_path: string | null,
): Response {
  const { language } = presentation
  const { text, markup } = language
  const title = text(`device.${page}_title`)
  const application = clientName(language, client)
  const body = html`<h1>${title}</h1>
<p>${markup(`device.${page}`, { application })}</p>
<p>${text('signed_out.close')}</p>
${page === 'approved' && linkTo(account_path, text('signed_out.access'))}`
  return renderPage(presentation, { realm, title, body })
}
