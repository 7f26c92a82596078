/** Where a command works. */

import type { AuditRow, AuditStore } from '@ostiary/audit'
import type {
  CommandErrors,
  CommandTools,
  CoreFunctions,
  OpenedRealm,
  UserFunctions,
} from './command-types.js'

/** The realm whose audit a command reads. */
export interface AuditPlace extends Pick<OpenedRealm, 'provider'> {
  realm: string
  store: AuditStore
  /** Of the configuration, also of one that keeps nothing any more. */
  keep_days: number
  errors: CommandErrors
  table: CommandTools<unknown, unknown>['table']
}

/** The realm whose records a command looks at, or sets back. */
export interface HistoryPlace
  extends AuditPlace,
    Pick<OpenedRealm, 'management' | 'users' | 'entries' | 'audit'> {
  identity: UserFunctions
  core: CoreFunctions
  /** Asks before a change. */
  confirm(plan: { effects: readonly string[] }): Promise<void>
}

/** @throws `notFound` of the command line. */
export async function requireRow(
  { realm, store, errors }: Pick<AuditPlace, 'realm' | 'store' | 'errors'>,
  id: string,
): Promise<AuditRow> {
  const row = await store.find(realm, id)
  if (row === null) throw errors.notFound(`There is no row ${JSON.stringify(id)} in the audit`)
  return row
}
