/** One client: what it may do, and how to connect it. */

import {
  code,
  consolePage,
  dangerZone,
  doneNote,
  type Fact,
  factList,
  linkButton,
  pageHead,
  pathOf,
  pill,
  protectionNote,
  timeOf,
  trail,
  within,
} from '@ostiary/console'
import type { Html } from '@ostiary/identity'
import type { OwnVisit } from '../visit.js'
import { actsForUsers, kindOf, readClient, type ShownClient } from './client.js'
import { describedNote } from './edit.js'
import { snippetOf } from './kinds.js'
import { originPill, revokedPill } from './list.js'

export async function clientDetail(visit: OwnVisit, client_id: string): Promise<Response> {
  const { html, text } = visit
  const found = await readClient(visit, client_id)
  if (found instanceof Response) return found
  const { record: client } = found
  const { client_name, protection } = client
  const c = within(visit, protection)
  const title = html`<bdi>${client_name}</bdi> ${originPill(c, client)} ${revokedPill(c, client)}`
  const body = html`${trail(c, [[pathOf(c, 'clients'), text('clients.title')]])}
${pageHead(c, { title, actions: actionsOf(c, client) })}
${visit.may('clients', 'write') && protectionNote(c, protection)}
${doneNote(c, ['done.client_created', 'done.client_changed'])}
${visit.may('clients', 'write') && describedNote(c, client)}
${client.origin !== 'operator' && html`<p class="note warning">${text('client.own_words')}</p>`}
${await aboutClient(c, client)}
${c.may('clients', 'write') && dangerZone(c, { href: pathOf(c, 'clients', client_id, 'delete'), text: text('delete_client.button'), lead: text('delete_client.lead') })}`
  return consolePage(c, { title: client_name, body, area: 'clients' })
}

function factsOf(c: OwnVisit, client: ShownClient): Html {
  const { html, text } = c
  const codes = (values: readonly string[]) =>
    values.length === 0 ? '–' : values.map((value) => html`${code(c, value)}<br>`)
  return factList(c, [
    [text('client.id'), code(c, client.client_id)],
    [text('client.kind'), text(`kind.${kindOf(client)}`)],
    [text('client.auth'), code(c, client.token_endpoint_auth_method)],
    [text('client.redirect_uris'), codes(client.redirect_uris)],
    [text('client.post_logout'), codes(client.post_logout_redirect_uris)],
    ...(actsForUsers(client) ? rulesOf(c, client) : []),
    [text('word.created'), timeOf(c, client.client_id_issued_at)],
  ])
}

/** Who may use it, and how. */
function rulesOf(c: OwnVisit, client: ShownClient): Fact[] {
  const { html, text } = c
  const { allowed_groups, required_acr } = client
  const asks = !client.trusted && client.consent_required
  const groups = allowed_groups?.map((name) => html`${pill(c, name)} `)
  return [
    [text('client.groups'), groups ?? text('client.groups_all')],
    [text('client.acr'), required_acr === null ? text('client.acr.any') : code(c, required_acr)],
    [text('client.consent'), text(asks ? 'client.consent.yes' : 'client.consent.no')],
  ]
}

function actionsOf(c: OwnVisit, client: ShownClient): Html {
  const { html, text } = c
  const { client_id, token_endpoint_auth_method } = client
  const to = (name: string, label: string) =>
    linkButton(c, { href: pathOf(c, 'clients', client_id, name), text: label })
  const has_secret = token_endpoint_auth_method.startsWith('client_secret')
  const changes =
    c.may('clients', 'write') &&
    html`${describedNote(c, client) === null && to('edit', text('word.edit'))}${has_secret && to('secret', text('secret.button'))}`
  return html`${changes}${actsForUsers(client) && to('try', text('try.title'))}`
}

/** What it is, and the code for it. */
export async function aboutClient(c: OwnVisit, client: ShownClient): Promise<Html> {
  const { html, text } = c
  const { client_id, redirect_uris } = client
  const { issuer } = await c.realmOf(c.realm)
  const snippet = snippetOf(kindOf(client), { issuer, client_id, redirect_uri: redirect_uris[0] ?? '' })
  return html`${factsOf(c, client)}
<section class="connect"><h2>${text('connect.title')}</h2>
${factList(c, [
  [text('connect.issuer'), code(c, issuer)],
  [text('client.id'), code(c, client_id)],
])}
<p class="aside">${text('connect.lead')}</p>
<pre><code>${snippet}</code></pre></section>`
}
