/** The list of clients, and the choice of a kind for a new one. */

import {
  apiPath,
  code,
  consolePage,
  doneNote,
  emptyState,
  linkButton,
  nextPage,
  pageHead,
  pathOf,
  pill,
  problemNote,
  readPage,
  table,
  timeOf,
  trail,
} from '@ostiary/console'
import type { Html } from '@ostiary/identity'
import type { OwnVisit } from '../visit.js'
import { kindOf, type ShownClient } from './client.js'
import { KINDS } from './kinds.js'

export async function listClients(c: OwnVisit): Promise<Response> {
  const { html, text } = c
  const page = await readPage<ShownClient>(c, apiPath(c, 'clients'))
  if (page instanceof Response) return page
  const { items, next, problem } = page
  const title = text('clients.title')
  const create =
    c.may('clients', 'write') &&
    linkButton(c, { href: pathOf(c, 'clients', 'new'), text: text('clients.new'), kind: '' })
  const rows = items.map((client) => rowOf(c, client))
  const body = html`${pageHead(c, { title, lead: text('clients.lead'), actions: create })}
${doneNote(c, ['done.client_deleted'])}
${problem !== null && problemNote(c, problem)}
<div class="below">${
    items.length === 0
      ? emptyState(c, { title: text('clients.none'), sentence: text('clients.none_why') })
      : table(c, { label: title, columns: columnsOf(c), rows })
  }</div>
${nextPage(c, next)}`
  return consolePage(c, { title, body, area: 'clients', status: problem?.status ?? 200 })
}

const columnsOf = ({ text }: OwnVisit): string[] => [
  text('word.name'),
  text('client.id'),
  text('client.kind'),
  text('client.origin'),
  text('word.created'),
]

const rowOf = (c: OwnVisit, client: ShownClient) => [
  c.html`<span><a href="${pathOf(c, 'clients', client.client_id)}"><bdi>${client.client_name}</bdi></a> ${revokedPill(c, client)}</span>`,
  code(c, client.client_id),
  c.text(`kind.${kindOf(client)}`),
  originPill(c, client),
  timeOf(c, client.client_id_issued_at),
]

export const revokedPill = (c: OwnVisit, { revoked_at }: ShownClient): Html | false =>
  revoked_at !== null && pill(c, c.text('client.revoked'), 'bad')

/** Who has written its name: an application may call itself anything. */
export const originPill = (c: OwnVisit, { origin }: ShownClient): Html => pill(c, c.text(`origin.${origin}`))

export function chooseKind(c: OwnVisit): Response {
  const { html, text } = c
  const title = text('clients.new')
  const body = html`${trail(c, [[pathOf(c, 'clients'), text('clients.title')]])}
${pageHead(c, { title, lead: text('clients.new_lead') })}
<ul class="cards">${KINDS.map((kind) => html`<li><a href="${pathOf(c, 'clients', 'new', kind)}"><strong>${text(`kind.${kind}`)}</strong> <span>${text(`kind.${kind}.about`)}</span></a></li>\n`)}</ul>`
  return consolePage(c, { title, body, area: 'clients' })
}
