/** Background work of all realms of a storage at once: the part of the storage interface that is not about one realm. */

/** The question in which realms background work is due. */
export interface DueQuestion {
  now: number
  /** Ids of the realms that the caller knows. A storage that cannot search all realms at once picks some of them, in turn. */
  realms: readonly string[]
  /** A key may be deleted when the next one of its algorithm signs since then, or longer. */
  keys_before: number
}

/**
 * The realms in which a job may find something to do, by job. A realm may be named although there is nothing; one in which
 * something is due is named at the latest after some minutes. The storage may hold realms that the caller does not know.
 */
export interface DueRealms {
  /** `SessionStore.expired` */
  sessions: string[]
  /** `LogoutStore.claim` */
  deliveries: string[]
  /** `ClientStore.deleted` */
  deletions: string[]
  /** A key whose successor signs since `keys_before`. */
  keys: string[]
  /** Whether `BackgroundStorage.purge` has to be called. */
  expired: boolean
}

/** Background work of all realms at once, so that its cost does not grow with their number. */
export interface BackgroundStorage {
  due(question: DueQuestion): Promise<DueRealms>
  /** As `RealmStorage.purge`, in all realms. */
  purge(now: number): Promise<number>
}
