/** The record of a role, and the store of these records. */

import type { Role } from './rights.js'

/** Who has a role: a user by `sub`, or a client by `client_id`. */
export type Holder = `sub:${string}` | `client:${string}`

/** All realms. */
export const ALL_REALMS = '*'

/** One role of one holder. */
export interface RoleRow {
  holder: Holder
  role: Role
  /** The ids of the realms in which it counts, sorted; or `*` alone. */
  realms: readonly string[]
}

/** What a change does to the rows of a realm. */
export type RoleChange = { put: RoleRow } | { remove: Pick<RoleRow, 'holder' | 'role'> }

/** The roles of one admin realm or of another; the realm is that of the holders. */
export interface RoleStore {
  /** The roles of a holder. */
  of(realm: string, holder: Holder): Promise<RoleRow[]>
  /** All roles, sorted by holder and role. */
  list(realm: string): Promise<RoleRow[]>
  /**
   * ATOMIC: one caller after another. Calls `decide` with the rows as they are then, and makes the change that it returns; null is none.
   * What `decide` throws changes nothing. Returns the change.
   */
  change(realm: string, decide: (rows: readonly RoleRow[]) => RoleChange | null): Promise<RoleChange | null>
}

/** Who a principal or a command line names. */
export const holderOf = ({ sub, client_id }: { sub?: string; client_id?: string }): Holder =>
  sub === undefined ? `client:${client_id}` : `sub:${sub}`

/** The ids of a holder. */
export const idsOf = (holder: Holder): { sub: string | null; client_id: string | null } =>
  holder.startsWith('sub:')
    ? { sub: holder.slice('sub:'.length), client_id: null }
    : { sub: null, client_id: holder.slice('client:'.length) }

export const isSameRole = (
  one: Pick<RoleRow, 'holder' | 'role'>,
  other: Pick<RoleRow, 'holder' | 'role'>,
): boolean => one.holder === other.holder && one.role === other.role

/** The ids of the realms of a server; or whether it has a realm with an id, where realms come and go while it runs. */
export type KnownRealms = readonly string[] | ((id: string) => Promise<boolean>)

export const isKnownRealm = async (known: KnownRealms, id: string): Promise<boolean> =>
  typeof known === 'function' ? known(id) : known.includes(id)

/** Whether a list of realms has this one. */
export const hasRealm = (realms: readonly string[], realm: string): boolean =>
  realms.includes(ALL_REALMS) || realms.includes(realm)
