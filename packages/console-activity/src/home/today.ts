/** What was changed since midnight. */

import { emptyState, linkButton, pathOf, section, table, timeOf } from '@ostiary/console'
import type { Html } from '@ostiary/identity'
import { withNames } from '../rows/names.js'
import { actorOf, eventCell, midnight, newestRows, type ShownRow, subjectOf } from '../rows/row.js'
import type { OwnVisit } from '../visit.js'

/** The beginnings of their types. */
const KINDS = ['client.', 'user.', 'key.', 'role.']

/** The ends of the types of changes; an event says what has happened, and ends otherwise. */
const CHANGES = new Set([
  'create',
  'update',
  'delete',
  'revoke',
  'grant',
  'rotate',
  'rotate_secret',
  'reseal',
  'store',
  'ensure',
  'end_access',
])

/** The row is written before it is known what ends. */
const endedNothing = ({ sessions, grants }: ShownRow['data']): boolean => sessions === 0 && grants === 0

const MAX_SHOWN = 10
/** Rows of each kind that are looked at: changes stand among events. */
const LOOKED_AT = '50'

/** False where the administrator may not read it. */
export async function changesSection(c: OwnVisit): Promise<Html | false> {
  if (!c.may('audit', 'read')) return false
  const { html, text } = c
  const since = midnight(c)
  const kinds = await Promise.all(KINDS.map((type) => newestRows(c, { type, since, limit: LOOKED_AT })))
  const changes = kinds
    .flat()
    .filter(({ type, data }) => CHANGES.has(type.slice(type.indexOf('.') + 1)) && !endedNothing(data))
    .sort((one, other) => (one.audit_id < other.audit_id ? 1 : -1))
    .slice(0, MAX_SHOWN)
  const columns = (['time', 'event', 'actor', 'about'] as const).map((name) => text(`audit.${name}`))
  const named = await withNames(c, changes)
  const rows = changes.map((row) => [
    timeOf(c, row.time),
    eventCell(c, row),
    actorOf(named, row.actor),
    subjectOf(named, row),
  ])
  const title = text('today.title')
  const shown =
    changes.length === 0
      ? emptyState(c, { title: text('today.none'), sentence: text('today.none_why') })
      : table(c, { label: title, columns, rows })
  const more = linkButton(c, { href: pathOf(c, 'audit'), text: text('today.all') })
  return section(c, title, html`${shown}\n<p class="more">${more}</p>`)
}
