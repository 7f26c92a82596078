/** Where a command works. */

import type { AuditRow, AuditStore } from '@ostiary/audit'
import type { Client } from '@ostiary/core'
import type { Story } from '@ostiary/explain'
import type { User } from '@ostiary/identity'
import type {
  CommandErrors,
  CommandTools,
  CoreFunctions,
  OpenedRealm,
  UserFunctions,
} from './command-types.js'

/** The realm whose rows a command shows: on this machine, or on a server. */
export interface RowsPlace {
  realm: string
  store: Pick<AuditStore, 'find' | 'list'>
  errors: CommandErrors
  table: CommandTools<unknown, unknown>['table']
}

/** The realm whose records a command shows, too. */
export interface RecordsPlace extends RowsPlace {
  management: { clients: { find(client_id: string): Promise<Client | null> } }
  users: { find(sub: string): Promise<User | null>; findByUsername(key: string): Promise<User | null> }
  identity: Pick<UserFunctions, 'usernameKey'>
  /** Null where changes have no rows any more. */
  audit: object | null
  /** From this time on the audit has every row; null when it has none. */
  knownSince(): Promise<number | null>
  /** The stories of a reference, a request id or a flow. */
  stories(name: string): Promise<readonly Story[]>
}

/** The realm whose audit a command reads on this machine. */
export interface AuditPlace extends RowsPlace, Pick<OpenedRealm, 'provider'> {
  store: AuditStore
  /** Of the configuration, also of one that keeps nothing any more. */
  keep_days: number
}

/** The realm of the record of a row. */
export interface TargetPlace
  extends RowsPlace,
    Pick<RecordsPlace, 'management' | 'users' | 'identity'>,
    Pick<OpenedRealm, 'entries'> {
  core: Pick<CoreFunctions, 'clientFields' | 'clientInput'>
  /** Asks before a change. */
  confirm(plan: { effects: readonly string[] }): Promise<void>
}

/** The realm whose records are set back on this machine. */
export interface UndoPlace extends TargetPlace, Pick<OpenedRealm, 'management' | 'users' | 'audit'> {
  management: OpenedRealm['management']
  users: OpenedRealm['users']
  identity: UserFunctions
}

/** All of it, on this machine. */
export interface HistoryPlace
  extends AuditPlace,
    Omit<UndoPlace, 'store'>,
    Pick<RecordsPlace, 'knownSince' | 'stories'> {}

/** @throws `notFound` of the command line. */
export async function requireRow(
  { realm, store, errors }: Pick<RowsPlace, 'realm' | 'store' | 'errors'>,
  id: string,
): Promise<AuditRow> {
  const row = await store.find(realm, id)
  if (row === null) throw errors.notFound(`There is no row ${JSON.stringify(id)} in the audit`)
  return row
}
