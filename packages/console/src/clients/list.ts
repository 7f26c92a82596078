/** The list of clients, and the choice of a kind for a new one. */

import type { Html } from '@ostiary/identity'
import { problemPage } from '../pages/errors.js'
import { code, doneNote, emptyState, nextPage, pageHead, pill, table, timeOf, trail } from '../pages/parts.js'
import { consolePage } from '../pages/shell.js'
import { problemOf } from '../session/api.js'
import { pathOf, type Visit } from '../visit.js'
import { clientPath, kindOf, type ShownClient } from './client.js'
import { KINDS } from './kinds.js'

const PAGE_SIZE = '50'

export async function listClients(c: Visit): Promise<Response> {
  const { html, text, url, realm } = c
  const cursor = url.searchParams.get('cursor')
  const query = { limit: PAGE_SIZE, ...(cursor !== null && { cursor }) }
  const answer = await c.api({ method: 'GET', path: clientPath(c), query })
  const problem = problemOf(answer)
  if (problem !== null) return problemPage(c, problem)
  const { items, next } = answer.body as { items: ShownClient[]; next: string | null }
  const title = text('clients.title')
  const create =
    c.may('clients', 'write', realm) &&
    html`<a class="button" href="${pathOf(c, 'clients', 'new')}">${text('clients.new')}</a>`
  const rows = items.map((client) => rowOf(c, client))
  const body = html`${pageHead(c, { title, lead: text('clients.lead'), actions: create })}
${doneNote(c, ['done.client_deleted'])}
<div class="below">${
    items.length === 0
      ? emptyState(c, { title: text('clients.none'), sentence: text('clients.none_why') })
      : table(c, { label: title, columns: columnsOf(c), rows })
  }</div>
${nextPage(c, next)}`
  return consolePage(c, { title, body, area: 'clients' })
}

const columnsOf = ({ text }: Visit): string[] => [
  text('client.name'),
  text('client.id'),
  text('client.kind'),
  text('client.origin'),
  text('client.created'),
]

const rowOf = (c: Visit, client: ShownClient) => [
  c.html`<span><a href="${pathOf(c, 'clients', client.client_id)}"><bdi>${client.client_name}</bdi></a> ${revokedPill(c, client)}</span>`,
  code(c, client.client_id),
  c.text(`kind.${kindOf(client)}`),
  originPill(c, client),
  timeOf(c, client.client_id_issued_at),
]

export const revokedPill = (c: Visit, { revoked_at }: ShownClient): Html | false =>
  revoked_at !== null && pill(c, c.text('client.revoked'), 'bad')

/** Who has written its name: an application may call itself anything. */
export const originPill = (c: Visit, { origin }: ShownClient): Html => pill(c, c.text(`origin.${origin}`))

export function chooseKind(c: Visit): Response {
  const { html, text } = c
  const title = text('clients.new')
  const body = html`${trail(c, [[pathOf(c, 'clients'), text('clients.title')]])}
${pageHead(c, { title, lead: text('clients.new_lead') })}
<ul class="cards">${KINDS.map((kind) => html`<li><a href="${pathOf(c, 'clients', 'new', kind)}"><strong>${text(`kind.${kind}`)}</strong> <span>${text(`kind.${kind}.about`)}</span></a></li>\n`)}</ul>`
  return consolePage(c, { title, body, area: 'clients' })
}
