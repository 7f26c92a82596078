/** `audit undo`: sets back what a row has changed, with the functions of the commands that change clients and users. */

import type { Client, ClientChanges } from '@ostiary/core'
import type { User, UserChanges } from '@ostiary/identity'
import type { AuditInput, ChangeResult } from '../command-types.js'
import { iso, printable, textOf } from '../output.js'
import type { HistoryPlace } from '../place.js'
import { type Inverse, inverseOf, type LeafChange, type RowChange } from './inverse.js'
import { requireUndoable, type UndoableRow } from './undoable.js'

/** The record of a row, and how it is written. */
interface Target {
  /** For the plan, such as `client notes`. */
  title: string
  subject: Record<string, string>
  inverse: Inverse
  /** What else happens, as sentences. */
  effects: readonly string[]
  /** False when the record is gone or always changes meanwhile. @throws When it is not as the row left it. */
  write(): Promise<boolean>
  /** After the change. Returns how much has ended. */
  after?(): Promise<Record<string, number>>
}

/** @throws Errors of the command line. */
export async function undo(place: HistoryPlace, input: AuditInput): Promise<ChangeResult> {
  const { errors, audit, realm } = place
  const undoable = await requireUndoable(place, input.args[0] ?? '')
  const { row, change, of } = undoable
  const target = await (of === 'client' ? clientTarget(place, undoable) : userTarget(place, undoable))
  const { changed, conflicts } = target.inverse
  if (conflicts.length > 0) throw errors.failure(conflictText(target.title, conflicts))
  const json = {
    id: row.audit_id,
    ...target.subject,
    changed: changed.map(({ label, now, then }) => ({ member: label, from: now ?? null, to: then ?? null })),
  }
  if (changed.length === 0)
    return { text: `${target.title} is as it was before: nothing was changed`, json, event: null }
  const plan = planText(place, undoable, target)
  if (input.flag('plan')) return { text: plan, json: { ...json, plan: true }, event: null }
  if (audit === null)
    throw errors.failure(
      'audit.enabled is off, and a change is only undone with a row of its own: turn it on',
    )
  await place.confirm({ effects: [plan] })
  const { audit_id } = row
  const ids = { undone: audit_id }
  const { sub, client_id } = target.subject
  const subject = { ...(sub !== undefined && { sub }), ...(client_id !== undefined && { client_id }) }
  const is_done = await audit.change({ realm, type: 'audit.undo', ...subject, ids }, target.write)
  if (!is_done) throw errors.failure(`${target.title} was changed or deleted at the same time: try again`)
  const count = await target.after?.()
  const fields = Object.keys(change.before).concat(Object.keys(change.after))
  return {
    text: `${plan}\nUndone: ${changed.map(({ label }) => printable(label)).join(', ')}`,
    json: { ...json, ...count },
    event: {
      subject: { ...target.subject, audit_id },
      fields: [...new Set(fields)],
      ...(count && { count }),
    },
  }
}

async function clientTarget(place: HistoryPlace, { row, change }: UndoableRow): Promise<Target> {
  const { management, errors, entries } = place
  const client_id = row.client_id ?? ''
  const stored = await management.clients.find(client_id)
  if (stored === null) throw errors.notFound(`There is no client ${JSON.stringify(client_id)} now`)
  const entry = entries.clients.find(({ metadata }) => metadata.client_id === client_id)
  if (entry) throw configured(place, client_id, entry.path)
  const title = printable(`client ${client_id}`)
  const changes = (now: Client) => checkedMembers(place, title, inverseOf(change, now)) as ClientChanges
  return {
    title,
    subject: { client_id },
    inverse: inverseOf(change, stored),
    effects: [],
    write: async () => (await management.clients.update(client_id, changes)) !== null,
  }
}

async function userTarget(place: HistoryPlace, { row, change }: UndoableRow): Promise<Target> {
  const { users, errors } = place
  const sub = row.sub ?? ''
  const stored = await users.find(sub)
  if (stored === null) throw errors.notFound(`There is no user with the sub ${JSON.stringify(sub)} now`)
  const title = printable(`user ${stored.username}`)
  const subject = { sub, username: stored.username }
  const target = { title, subject, inverse: inverseOf(change, stored) }
  if ('disabled_at' in change.before || 'disabled_at' in change.after)
    return { ...target, ...stateOf(place, sub, { title, change }) }
  const entry = configuredUser(place, stored)
  if (entry) throw configured(place, printable(stored.username), entry.path)
  const changes = (now: User) => checkedMembers(place, title, inverseOf(change, now)) as UserChanges
  return {
    ...target,
    effects: [],
    write: async () => (await place.identity.updateUser(users, { sub, change: changes })) !== null,
  }
}

/** Disables or enables the user again. */
function stateOf(
  place: HistoryPlace,
  sub: string,
  { title, change }: { title: string; change: RowChange },
): Pick<Target, 'effects' | 'write' | 'after'> {
  const { users, identity, management } = place
  const disabled = change.before.disabled_at !== undefined
  // `setDisabled` writes on top of what it has read here, if that is still stored.
  async function find(name: string): Promise<User | null> {
    const now = await users.find(name)
    if (now) checkedMembers(place, title, inverseOf(change, now))
    return now
  }
  return {
    effects: [disabled ? 'All sessions and grants end.' : 'Sessions and grants that have ended stay ended.'],
    write: () => identity.setDisabled({ ...users, find }, { sub, disabled }),
    ...(disabled && {
      async after() {
        const { sessions, grants } = await management.users.endAccess(sub)
        return { sessions, grants }
      },
    }),
  }
}

/** What is written, of the record that it is written on. @throws When it is not as the row left it. */
function checkedMembers(
  { errors }: HistoryPlace,
  title: string,
  { members, conflicts }: Inverse,
): Inverse['members'] {
  if (conflicts.length > 0) throw errors.failure(conflictText(title, conflicts))
  return members
}

function configuredUser({ entries, identity }: HistoryPlace, { sub, username_key }: User) {
  return entries.users.find(
    ({ user }) =>
      user.sub === sub || (user.sub === undefined && identity.usernameKey(user.username) === username_key),
  )
}

const configured = ({ errors }: HistoryPlace, name: string, path: string): Error =>
  errors.failure(`${name} is in the configuration, ${path}: change it there and reload the server`)

const conflictText = (title: string, conflicts: readonly LeafChange[]): string =>
  [
    `${title} has changed since, so nothing is undone:`,
    ...conflicts.map(({ label, now }) => printable(`${label} is ${valueText(label, now)} now`)),
  ].join('\n')

function planText(
  { table }: HistoryPlace,
  { row }: UndoableRow,
  { title, inverse, effects }: Target,
): string {
  const { audit_id, type, time, actor } = row
  const rows = inverse.changed.map(({ label, now, then }) => [
    label,
    valueText(label, now),
    valueText(label, then),
  ])
  return [
    printable(`Row ${audit_id}: ${type} of ${title} at ${iso(time)} by ${actor}`),
    table([['MEMBER', 'NOW', 'BEFORE THE CHANGE'], ...rows]),
    ...effects,
  ].join('\n')
}

function valueText(label: string, value: unknown): string {
  if (label !== 'disabled_at') return textOf(value)
  return value === undefined ? 'enabled' : 'disabled'
}
