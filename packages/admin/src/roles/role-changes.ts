/** Gives and takes roles: by a command, which has the machine, or by an administrator. */

import { includesRow } from './climbing.js'
import { isRole, ROLES, type Role } from './rights.js'
import {
  ALL_REALMS,
  type Holder,
  hasRealm,
  idsOf,
  isKnownRealm,
  isSameRole,
  type KnownRealms,
  type RoleChange,
  type RoleRow,
  type RoleStore,
} from './role-store.js'

/** Roles of one admin realm. */
const MAX_ROLES = 1000
/** Realms that one role names. */
const MAX_REALMS = 100

/** `invalid`: the input. `beyond`: the caller does not hold it. `last_owner`: a realm would have no owner. */
export type RoleFault = 'invalid' | 'beyond' | 'last_owner' | 'too_many'

/** A role cannot be given or taken. The message says what to do. */
export class RoleError extends Error {
  readonly fault: RoleFault

  constructor(fault: RoleFault, message: string) {
    super(message)
    this.name = 'RoleError'
    this.fault = fault
  }
}

/** Writes the row of a change before it; `Audit` of `@ostiary/audit` has it. */
export interface RecordsChange {
  change<T>(
    change: {
      realm: string
      type: string
      sub?: string
      client_id?: string
      ids?: Readonly<Record<string, unknown>>
    },
    run: () => Promise<T>,
    /** The record that it changes; null when there is none. */
    record?: () => Promise<object | null>,
  ): Promise<T>
}

/** Where roles are given and taken. */
export interface RolePlace {
  store: RoleStore
  /** The admin realm. */
  realm: string
  /** The realms that a role may name. */
  realms: KnownRealms
  /** Null: changes have no row. */
  audit: RecordsChange | null
  /** The administrator; null for a command. */
  by: Holder | null
}

/**
 * Gives a role, or sets its realms. False when the holder has it already.
 * @throws RoleError
 */
export async function grantRole(place: RolePlace, wanted: RoleRow): Promise<boolean> {
  const row = { ...wanted, realms: await checkedRealms(place, wanted) }
  const isThere = (rows: readonly RoleRow[]) =>
    rows.some((known) => isSameRole(known, row) && `${known.realms}` === `${row.realms}`)
  return changed(place, { type: 'role.grant', row }, (rows) => {
    requireHeld(place, rows, row)
    if (isThere(rows)) return null
    const others = rows.filter((known) => !isSameRole(known, row))
    // A role in fewer realms is partly taken away.
    const former = rows.filter((known) => isSameRole(known, row))
    for (const known of former) requireHeld(place, rows, known)
    requireOwners(former, [...others, row])
    if (others.length >= MAX_ROLES)
      throw new RoleError('too_many', `There are ${MAX_ROLES} roles, which is the most: revoke one first`)
    return { put: row }
  })
}

/**
 * Takes a role away. False when the holder does not have it.
 * @throws RoleError
 */
export async function revokeRole(
  place: RolePlace,
  wanted: Pick<RoleRow, 'holder' | 'role'>,
): Promise<boolean> {
  return changed(place, { type: 'role.revoke', row: wanted }, (rows) => {
    const known = rows.find((row) => isSameRole(row, wanted))
    if (known === undefined) return null
    requireTakeable(place, rows, known)
    return { remove: { holder: known.holder, role: known.role } }
  })
}

/** Why the administrator cannot take a role; null where it can be taken. */
export function takeFault(place: ByPlace, rows: readonly RoleRow[], row: RoleRow): RoleFault | null {
  try {
    requireTakeable(place, rows, row)
    return null
  } catch (error) {
    return (error as RoleError).fault
  }
}

/** @throws RoleError */
function requireTakeable(place: ByPlace, rows: readonly RoleRow[], row: RoleRow): void {
  requireHeld(place, rows, row)
  requireOwners(
    [row],
    rows.filter((other) => other !== row),
  )
}

type ByPlace = Pick<RolePlace, 'by'>

type Decide = (rows: readonly RoleRow[]) => RoleChange | null

interface NamedChange {
  type: string
  row: Pick<RoleRow, 'holder' | 'role'> & Partial<RoleRow>
}

async function changed(
  { store, realm, audit }: RolePlace,
  { type, row }: NamedChange,
  decide: Decide,
): Promise<boolean> {
  // What changes nothing, or is refused, has no row; what is decided counts only inside of `change`.
  if (decide(await store.list(realm)) === null) return false
  const run = async () => (await store.change(realm, decide)) !== null
  if (audit === null) return run()
  const { sub, client_id } = idsOf(row.holder)
  const subject = { ...(sub !== null && { sub }), ...(client_id !== null && { client_id }) }
  const ids = { role: row.role, ...(row.realms && { realms: row.realms }) }
  return audit.change({ realm, type, ...subject, ids }, run)
}

/** @throws RoleError */
export function checkedRole(text: string): Role {
  if (isRole(text)) return text
  throw new RoleError('invalid', `there is no role ${JSON.stringify(text)}: give ${ROLES.join(', ')}`)
}

/** Sorted, each once; `*` alone. @throws RoleError */
async function checkedRealms(place: RolePlace, wanted: RoleRow): Promise<string[]> {
  const { realms } = wanted
  if (realms.length === 0) throw new RoleError('invalid', 'realms: name at least one, or * for all')
  if (realms.includes(ALL_REALMS)) return [ALL_REALMS]
  if (realms.length > MAX_REALMS)
    throw new RoleError('invalid', `realms: name at most ${MAX_REALMS}, or * for all`)
  for (const id of realms)
    if (!(await isKnownRealm(place.realms, id))) throw await unknownRealm(place, wanted, id)
  return [...new Set(realms)].sort()
}

async function unknownRealm({ store, realm, realms: known, by }: RolePlace, wanted: RoleRow, id: string) {
  const is_listed = typeof known !== 'function'
  // Whether another administrator has made a realm is told to those who hold the role there.
  if (!is_listed && by !== null) requireHeld({ by }, await store.of(realm, by), wanted)
  const advice = is_listed ? 'name one of the configuration' : 'make it first, or name another'
  return new RoleError('invalid', `there is no realm ${JSON.stringify(id)}: ${advice}`)
}

/** @throws RoleError when the caller does not hold as much. */
function requireHeld({ by }: ByPlace, rows: readonly RoleRow[], row: RoleRow): void {
  if (by === null) return
  const own = rows.filter(({ holder }) => holder === by)
  if (includesRow(own, row)) return
  throw new RoleError('beyond', `you do not hold the role ${row.role} in ${row.realms.join(', ')} yourself`)
}

const ownedRealms = (rows: readonly RoleRow[]): string[] =>
  rows.filter(({ role }) => role === 'owner').flatMap(({ realms }) => [...realms])

/** @throws RoleError when a realm of these owners would have none. */
function requireOwners(former: readonly RoleRow[], after: readonly RoleRow[]): void {
  const owned = ownedRealms(former)
  if (owned.length === 0) return
  const left = ownedRealms(after)
  const lost = owned.find((realm) =>
    realm === ALL_REALMS ? !left.includes(ALL_REALMS) : !hasRealm(left, realm),
  )
  if (lost === undefined) return
  const where = lost === ALL_REALMS ? 'of all realms' : `of the realm ${lost}`
  throw new RoleError(
    'last_owner',
    `this is the last owner ${where}: give another user or client the role owner first`,
  )
}
