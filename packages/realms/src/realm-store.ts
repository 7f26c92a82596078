/** The record of a realm that was made at run time, and the store of these records. */

/** The members that a configured realm may have. */
export interface RealmSettings {
  /** Keys of `oidc` that differ in this realm. */
  oidc?: Record<string, unknown>
  /** Keys of `identity` of this realm. */
  identity?: Record<string, unknown>
}

/** A realm that was made at run time. Times are epoch seconds. */
export interface RealmRecord {
  /** `[a-z0-9][a-z0-9-]*`, at most 63 characters. */
  id: string
  settings: RealmSettings
  created_at: number
  updated_at: number
  /** When it was deleted. Its records are purged seven days later, and the id is never used again. */
  disabled_at: number | null
  /** 1, then one more at each change. */
  version: number
}

/** What a process has to know of a realm to notice a change. */
export type RealmVersion = Pick<RealmRecord, 'id' | 'version' | 'disabled_at'>

/** The changes after a number. */
export interface RealmChanges {
  /** The number of the last change; 0 when there was none. It grows with each change of any realm. */
  last: number
  /** The realms that changed after the number, as they are now. */
  realms: RealmVersion[]
}

/** Which deleted realms are meant. */
export interface DeletedQuestion {
  /** Deleted before this time, epoch seconds. */
  before: number
  limit: number
}

/** Realms that are not deleted. */
export const MAX_REALMS = 10_000
/** Days from the deletion of a realm to that of its records. */
export const PURGE_DAYS = 7
const MAX_ID_LENGTH = 63

/** The realms that were made at run time. */
export interface RealmStore {
  /** The realm with this id, also when it is deleted. */
  find(id: string): Promise<RealmRecord | null>
  /** By id, without deleted ones. `after`: the last id of the page before. */
  list(page: { limit: number; after?: string }): Promise<RealmRecord[]>
  /** ATOMIC. `exists`: the id is or was used. `full`: there are `MAX_REALMS`, also for concurrent calls. */
  create(realm: Pick<RealmRecord, 'id' | 'settings'>, now: number): Promise<RealmRecord | 'exists' | 'full'>
  /** ATOMIC. Null: the version is another one by now, or the realm is deleted. */
  replace(
    id: string,
    change: Pick<RealmRecord, 'settings' | 'version'>,
    now: number,
  ): Promise<RealmRecord | null>
  /** ATOMIC. Marks the realm as deleted. Null: as for `replace`. */
  remove(id: string, change: Pick<RealmRecord, 'version'>, now: number): Promise<RealmRecord | null>
  /** By the time of their deletion, those whose records are not purged yet. */
  deleted(question: DeletedQuestion): Promise<RealmRecord[]>
  /** The records of a deleted realm are purged: what stays is its id, without settings. */
  purged(id: string, now: number): Promise<void>
  /** A number that is larger than the last one returns all realms: the database is an earlier copy of itself. */
  changes(after: number): Promise<RealmChanges>
}

/** Why no realm can be made with this id, or null. */
export function realmIdFault(id: string): string | null {
  if (id.length > MAX_ID_LENGTH) return `give at most ${MAX_ID_LENGTH} characters`
  // The name of a member that every object has.
  if (id === 'constructor') return 'this name is reserved: take another one'
  return /^[a-z0-9][a-z0-9-]*$/.test(id)
    ? null
    : 'give lower-case letters, digits and hyphens, and begin with a letter or a digit'
}
