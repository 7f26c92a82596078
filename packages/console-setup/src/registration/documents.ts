/** The metadata documents of clients whose client_id is their URL. */

import {
  actPage,
  apiPath,
  code,
  consolePage,
  dangerZone,
  doneNote,
  emptyState,
  factList,
  nextPage,
  ofRole,
  type Protection,
  pageHead,
  pathOf,
  problemNote,
  protectionNote,
  readPage,
  readProtected,
  table,
  timeOf,
  trail,
  within,
} from '@ostiary/console'
import type { OwnVisit } from '../visit.js'
import type { ClientDocument } from './records.js'

const AREA = 'registration'
const pathTo = (c: OwnVisit, ...parts: string[]): string => pathOf(c, AREA, 'documents', ...parts)

export async function listDocuments(c: OwnVisit): Promise<Response> {
  const { html, text } = c
  const page = await readPage<ClientDocument>(c, apiPath(c, 'client-documents'))
  if (page instanceof Response) return page
  const { items, next, problem } = page
  const title = text('documents.title')
  const columns = [text('document.url'), text('document.fetched'), text('document.expires')]
  const rows = items.map(({ client_id, fetched_at, expires_at }) => [
    html`<a href="${pathTo(c, client_id)}">${code(c, client_id)}</a>`,
    timeOf(c, fetched_at),
    timeOf(c, expires_at),
  ])
  const body = html`${trail(c, [[pathOf(c, AREA), text('registration.title')]])}
${pageHead(c, { title, lead: text('documents.lead') })}
${doneNote(c, ['done.document_forgotten'])}
${problem !== null && problemNote(c, problem)}
<div class="below">${
    items.length === 0
      ? emptyState(c, { title: text('documents.none'), sentence: text('documents.none_why') })
      : table(c, { label: title, columns, rows })
  }</div>
${nextPage(c, next)}`
  return consolePage(c, { title, body, area: AREA, status: problem?.status ?? 200 })
}

const trailOf = (c: OwnVisit) =>
  trail(c, [
    [pathOf(c, AREA), c.text('registration.title')],
    [pathTo(c), c.text('documents.title')],
  ])

/** Of the client, of whose document the configuration has nothing. */
async function protectionOf(c: OwnVisit, client_id: string): Promise<Protection> {
  const client = await readProtected(c, apiPath(c, 'clients', client_id))
  return client instanceof Response
    ? { needs_role: null, configured: null }
    : ofRole(client.record.protection)
}

export async function documentPage(
  visit: OwnVisit,
  { client_id, document, ...times }: ClientDocument,
): Promise<Response> {
  const { html, text } = visit
  const protection = await protectionOf(visit, client_id)
  const c = within(visit, protection)
  const title = text('document.title')
  const client = html`<a href="${pathOf(c, 'clients', client_id)}">${code(c, client_id)}</a>`
  const body = html`${trailOf(c)}
${pageHead(c, { title })}
${visit.may('clients', 'write') && protectionNote(c, protection)}
<p class="note warning">${text('document.own_words')}</p>
${factList(c, [
  [text('document.url'), client],
  [text('document.fetched'), timeOf(c, times.fetched_at)],
  [text('document.changed'), timeOf(c, times.changed_at)],
  [text('document.expires'), timeOf(c, times.expires_at)],
])}
<section class="connect"><h2>${text('document.text')}</h2>
<pre><code>${document}</code></pre></section>
${c.may('clients', 'write') && dangerZone(c, { href: pathTo(c, client_id, 'forget'), text: text('forget.title'), lead: text('forget.lead') })}`
  return consolePage(c, { title, body, area: AREA })
}

export async function forgetPage(c: OwnVisit, { client_id }: ClientDocument): Promise<Response> {
  const { html, text } = c
  return actPage(c, {
    area: AREA,
    refused: protectionNote(c, await protectionOf(c, client_id)),
    title: text('forget.title'),
    intro: html`<p><code>${client_id}</code></p><p>${text('forget.lead')}</p><p>${text('forget.refuse')}</p>`,
    button: text('forget.button'),
    destroys: true,
    back: pathTo(c, client_id),
    deed: () => ({
      call: { method: 'DELETE', path: apiPath(c, 'clients', client_id, 'document') },
      commands: [{ name: 'client documents forget', args: [client_id] }],
    }),
    done: () => `${pathTo(c)}?done=document_forgotten`,
  })
}
