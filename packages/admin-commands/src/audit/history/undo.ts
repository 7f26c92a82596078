/** `audit undo`: sets back what a row has changed, with the functions of the commands that change clients and users. */

import type { Client, ClientChanges } from '@ostiary/core'
import type { User, UserChanges } from '@ostiary/identity'
import type { AuditInput, ChangeResult } from '../command-types.js'
import { iso, printable, textOf } from '../output.js'
import type { TargetPlace, UndoPlace } from '../place.js'
import { type Inverse, inverseOf, type LeafChange, type RowChange } from './inverse.js'
import { requireUndoable, type UndoableRow } from './undoable.js'

/** The record of a row. */
interface Target {
  /** For the plan, such as `client notes`. */
  title: string
  subject: { sub?: string; client_id?: string; username?: string }
  inverse: Inverse
  /** What else happens, as sentences. */
  effects: readonly string[]
}

/** Who makes the change: the functions of this machine, or a server. */
export interface Undoing {
  /** Before anything is asked. @throws What stands against it. */
  check(row_id: string, is_plan: boolean): Promise<void>
  /** Null when the record is gone, or always changes meanwhile. @throws When it is not as the row left it. */
  make(undoable: UndoableRow, target: Target): Promise<{ count?: Record<string, number> } | null>
}

/** @throws Errors of the command line. */
export const undo = (place: UndoPlace, input: AuditInput): Promise<ChangeResult> =>
  undoneBy(undoingHere(place), place, input)

/** @throws Errors of the command line. */
export async function undoneBy(
  { check, make }: Undoing,
  place: TargetPlace,
  input: AuditInput,
): Promise<ChangeResult> {
  const { errors } = place
  const undoable = await requireUndoable(place, input.args[0] ?? '')
  const { row, change } = undoable
  const target = await targetOf(place, undoable)
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
  const is_plan = input.flag('plan')
  await check(row.audit_id, is_plan)
  if (is_plan) return { text: plan, json: { ...json, plan: true }, event: null }
  await place.confirm({ effects: [plan] })
  const made = await make(undoable, target)
  if (made === null)
    throw errors.failure(`${target.title} was changed or deleted at the same time: try again`)
  const { count } = made
  const { audit_id } = row
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

function undoingHere(place: UndoPlace): Undoing {
  const { audit, realm, errors } = place
  const isOff = () =>
    errors.failure('audit.enabled is off, and a change is only undone with a row of its own: turn it on')
  return {
    async check(_row_id, is_plan) {
      if (audit === null && !is_plan) throw isOff()
    },
    async make(undoable, { title, subject }) {
      if (audit === null) throw isOff()
      const { username: _, ...ids } = subject
      const { write, after } = writesOf(place, title, undoable)
      const change = { realm, type: 'audit.undo', ...ids, ids: { undone: undoable.row.audit_id } }
      if (!(await audit.change(change, write))) return null
      return after === undefined ? {} : { count: await after() }
    },
  }
}

const targetOf = (place: TargetPlace, undoable: UndoableRow): Promise<Target> =>
  undoable.of === 'client' ? clientTarget(place, undoable) : userTarget(place, undoable)

async function clientTarget(place: TargetPlace, { row, change }: UndoableRow): Promise<Target> {
  const { management, errors, entries } = place
  const client_id = row.client_id ?? ''
  const stored = await management.clients.find(client_id)
  if (stored === null) throw errors.notFound(`There is no client ${JSON.stringify(client_id)} now`)
  const entry = entries.clients.find(({ metadata }) => metadata.client_id === client_id)
  if (entry) throw configured(place, client_id, entry.path)
  const title = printable(`client ${client_id}`)
  return { title, subject: { client_id }, inverse: inverseOf(change, stored), effects: [] }
}

async function userTarget(place: TargetPlace, { row, change }: UndoableRow): Promise<Target> {
  const { users, errors } = place
  const sub = row.sub ?? ''
  const stored = await users.find(sub)
  if (stored === null) throw errors.notFound(`There is no user with the sub ${JSON.stringify(sub)} now`)
  const title = printable(`user ${stored.username}`)
  const subject = { sub, username: stored.username }
  const target = { title, subject, inverse: inverseOf(change, stored) }
  if (changesState(change)) {
    const ends = 'All sessions and grants end.'
    const stay = 'Sessions and grants that have ended stay ended.'
    return { ...target, effects: [isDisabling(change) ? ends : stay] }
  }
  const entry = configuredUser(place, stored)
  if (entry) throw configured(place, printable(stored.username), entry.path)
  return { ...target, effects: [] }
}

const changesState = ({ before, after }: RowChange): boolean =>
  'disabled_at' in before || 'disabled_at' in after

/** Whether setting the change back disables the user. */
const isDisabling = ({ before }: RowChange): boolean => before.disabled_at !== undefined

/** How the record is written. */
interface Writes {
  /** False when the record is gone or always changes meanwhile. @throws When it is not as the row left it. */
  write(): Promise<boolean>
  /** After the change. Returns how much has ended. */
  after?(): Promise<Record<string, number>>
}

function writesOf(place: UndoPlace, title: string, { row, change, of }: UndoableRow): Writes {
  const { management, users, identity } = place
  const members = (now: Client | User) => checkedMembers(place, title, inverseOf(change, now))
  if (of === 'client') {
    const changes = (now: Client) => members(now) as ClientChanges
    return { write: async () => (await management.clients.update(row.client_id ?? '', changes)) !== null }
  }
  const sub = row.sub ?? ''
  if (changesState(change)) return stateWrites(place, sub, { title, change })
  const changes = (now: User) => members(now) as UserChanges
  return { write: async () => (await identity.updateUser(users, { sub, change: changes })) !== null }
}

/** Disables or enables the user again. */
function stateWrites(
  place: UndoPlace,
  sub: string,
  { title, change }: { title: string; change: RowChange },
): Writes {
  const { users, identity, management } = place
  const disabled = isDisabling(change)
  // `setDisabled` writes on top of what it has read here, if that is still stored.
  async function find(name: string): Promise<User | null> {
    const now = await users.find(name)
    if (now) checkedMembers(place, title, inverseOf(change, now))
    return now
  }
  return {
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
  { errors }: TargetPlace,
  title: string,
  { members, conflicts }: Inverse,
): Inverse['members'] {
  if (conflicts.length > 0) throw errors.failure(conflictText(title, conflicts))
  return members
}

function configuredUser({ entries, identity }: TargetPlace, { sub, username_key }: User) {
  return entries.users.find(
    ({ user }) =>
      user.sub === sub || (user.sub === undefined && identity.usernameKey(user.username) === username_key),
  )
}

const configured = ({ errors }: TargetPlace, name: string, path: string): Error =>
  errors.failure(`${name} is in the configuration, ${path}: change it there and reload the server`)

const conflictText = (title: string, conflicts: readonly LeafChange[]): string =>
  [
    `${title} has changed since, so nothing is undone:`,
    ...conflicts.map(({ label, now }) => printable(`${label} is ${valueText(label, now)} now`)),
  ].join('\n')

function planText({ table }: TargetPlace, { row }: UndoableRow, { title, inverse, effects }: Target): string {
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
