/** The form that sets back what a row has changed. */

import { actPage, apiPath, pathOf, readRecord } from '@ostiary/console'
import type { ShownRow } from '../rows/row.js'
import type { OwnVisit } from '../visit.js'
import { changesTable } from './changes.js'

/** The changes that the API sets back. It decides more: of which members, and whether they have changed since. */
const UNDOABLE = ['client.update', 'user.update']

export const isUndoable = ({ type, outcome, before, after }: ShownRow): boolean =>
  UNDOABLE.includes(type) && outcome === 'done' && before !== undefined && after !== undefined

export async function undoPage(c: OwnVisit, audit_id: string): Promise<Response> {
  const { html, text } = c
  const read = await readRecord<ShownRow>(c, apiPath(c, 'audit', audit_id))
  if (read instanceof Response) return read
  const { record: row } = read
  const name = await nameOf(c, row)
  if (name instanceof Response) return name
  const { before, after } = row
  const heads = { before: text('undo.now'), after: text('undo.later') }
  return actPage(c, {
    area: 'audit',
    title: text('undo.title'),
    intro: html`<p><bdi>${name}</bdi></p><p>${text('undo.lead')}</p>
${changesTable(c, { before: after, after: before, heads })}
<p class="aside">${text('row.origin')}</p>`,
    button: text('undo.button'),
    destroys: true,
    needs_fresh: true,
    shows_effects: true,
    confirm: name,
    back: pathOf(c, 'audit', audit_id),
    deed: () => ({
      call: { method: 'POST', path: apiPath(c, 'audit', audit_id, 'undo') },
      commands: [{ name: 'audit undo', args: [audit_id] }],
    }),
    done: () => `${pathOf(c, 'audit')}?done=undone`,
  })
}

/** What is typed to confirm it: the username, or the id of the client. */
async function nameOf(c: OwnVisit, { sub, client_id, type }: ShownRow): Promise<string | Response> {
  if (type.startsWith('client.') && client_id !== null) return client_id
  if (sub === null) return type
  const user = await readRecord<{ username: string }>(c, apiPath(c, 'users', sub))
  return user instanceof Response ? user : user.record.username
}
