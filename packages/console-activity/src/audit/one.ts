/** One row: who did what, and what was changed. */

import {
  apiPath,
  code,
  consolePage,
  type Fact,
  factList,
  linkButton,
  type Protection,
  pageHead,
  pathOf,
  pill,
  protectionNote,
  readProtected,
  readRecord,
  section,
  timeOf,
  trail,
} from '@ostiary/console'
import type { Html, HtmlValue } from '@ostiary/identity'
import { type NamedVisit, withNames } from '../rows/names.js'
import { actorOf, eventName, explainedBy, outcomePill, type ShownRow, subjectOf } from '../rows/row.js'
import type { OwnVisit } from '../visit.js'
import { changesTable, writtenValue } from './changes.js'
import { isUndoable } from './undo.js'

export async function auditRow(c: OwnVisit, audit_id: string): Promise<Response> {
  const { html, text } = c
  const read = await readRecord<ShownRow>(c, apiPath(c, 'audit', audit_id))
  if (read instanceof Response) return read
  const { record: row } = read
  const title = eventName(c, row.type)
  const protection = c.may('audit', 'write') && isUndoable(row) ? await protectionOf(c, row) : null
  const body = html`${trail(c, [[pathOf(c, 'audit'), text('audit.title')]])}
${pageHead(c, { title: html`${title} ${outcomePill(c, row)}`, actions: actionsOf(c, row, protection) })}
${protection !== null && protectionNote(c, protection)}
${row.erased && html`<p class="note warning">${text('row.erased')}</p>`}
${factList(c, factsOf(await withNames(c, [row]), row))}
${changesSection(c, row)}
${detailsSection(c, row)}`
  return consolePage(c, { title, body, area: 'audit' })
}

function factsOf(c: NamedVisit, row: ShownRow): Fact[] {
  const { html, text } = c
  const { audit_id, time, type, actor, address, refs, flow, count } = row
  return [
    [text('audit.time'), timeOf(c, time)],
    [text('audit.actor'), actorOf(c, actor)],
    [text('audit.about'), subjectOf(c, row)],
    [text('audit.type'), code(c, type)],
    ...(address === undefined ? [] : [[text('audit.address'), code(c, address)] as const]),
    ...(refs.length === 0
      ? []
      : [[text('audit.references'), refs.map((name) => html`${explainLink(c, name)} `)] as const]),
    ...(flow === null ? [] : [[text('audit.flow'), explainLink(c, flow)] as const]),
    ...(count > 1 ? [[text('audit.count'), pill(c, String(count))] as const] : []),
    [text('audit.id'), code(c, audit_id)],
  ]
}

const explainLink = (c: OwnVisit, name: string): Html =>
  c.html`<a href="${pathOf(c, 'explain', name)}">${code(c, name)}</a>`

/** Of the record; null for one that is not there any more. */
async function protectionOf(c: OwnVisit, { type, sub, client_id }: ShownRow): Promise<Protection | null> {
  const path = type.startsWith('client.') ? ['clients', client_id ?? ''] : ['users', sub ?? '']
  const read = await readProtected(c, apiPath(c, ...path))
  return read instanceof Response ? null : read.record.protection
}

function actionsOf(c: OwnVisit, row: ShownRow, protection: Protection | null): Html {
  const { html, text } = c
  const name = explainedBy(row)
  return html`${name !== null && linkButton(c, { href: pathOf(c, 'explain', name), text: text('explain.title') })}${
    protection !== null &&
    protectionNote(c, protection) === null &&
    linkButton(c, { href: pathOf(c, 'audit', row.audit_id, 'undo'), text: text('undo.button') })
  }`
}

function changesSection(c: OwnVisit, { before, after }: ShownRow): Html | false {
  const { html, text } = c
  if (before === undefined && after === undefined) return false
  const heads = { before: text('row.before'), after: text('row.after') }
  const shown = html`${changesTable(c, { before, after, heads })}
<p class="aside">${text('row.origin')}</p>`
  return section(c, text('row.changed'), shown)
}

/** The other fields of the event. */
function detailsSection(c: OwnVisit, { data }: ShownRow): Html | false {
  const facts = Object.entries(data).map(([name, value]): Fact => [name, detailOf(c, name, value)])
  return facts.length > 0 && section(c, c.text('row.more'), factList(c, facts))
}

const detailOf = (c: OwnVisit, name: string, value: unknown): HtmlValue =>
  name === 'undone' && typeof value === 'string'
    ? c.html`<a href="${pathOf(c, 'audit', value)}">${code(c, value)}</a>`
    : code(c, writtenValue(value))
