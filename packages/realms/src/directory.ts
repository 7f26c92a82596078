/** What a process knows of the realms that were made at run time: their ids and versions, and the settings of those that it has used. */

import type { RealmRecord, RealmStore } from './realm-store.js'

/** Options of `realmDirectory`. */
export interface DirectoryOptions<Settings> {
  store: Pick<RealmStore, 'find' | 'changes'>
  /** Reads what is stored of a realm. What it throws is an error of that realm alone. */
  read(realm: RealmRecord): Promise<Settings>
  /** These realms were changed, made or deleted, here or by another process. */
  changed?: (id: string) => void
  /** Milliseconds of a clock that is never set back. */
  now_ms?: () => number
}

/** The realms that were made at run time, with the settings as they are used. */
export interface RealmDirectory<Settings> {
  /** Null: there is no such realm, or it is deleted. @throws what the store throws: then it is not known whether there is one. */
  find(id: string): Promise<Settings | null>
  /** The same of a realm that `find` has returned lately, without waiting. @throws RealmNotReadError */
  current(id: string): Settings
  /** The ids of all realms. Throws as `find`. */
  ids(): Promise<string[]>
  /** A realm was changed by this process: what it has read before is not used again. */
  changed(id: string): void
  /** Looks for no more changes. */
  stop(): void
}

/** How long what was read last of all realms is used, without asking again. */
const FRESH_MS = 1000
/** After a use of the directory, it looks for changes once more after this time: a process that knows a realm learns of them in time. */
const LOOK_AGAIN_MS = 5000
/** Realms whose settings are in memory. Core keeps half as many, so it uses none that is not here. */
const MAX_READ = 2000

/** The settings of a realm are not in memory. The request may be sent again. */
export class RealmNotReadError extends Error {
  constructor(id: string) {
    super(`The settings of the realm ${id} are not in memory: send the request again`)
    this.name = 'RealmNotReadError'
  }
}

interface Kept<Settings> {
  version: number
  settings: Settings
}

/**
 * Asks the store at most once a second whether a realm was changed, whichever ids it is asked for: an id that no realm has costs no
 * statement of its own.
 */
export function realmDirectory<Settings>({
  store,
  read,
  changed = () => {},
  now_ms = () => performance.now(),
}: DirectoryOptions<Settings>): RealmDirectory<Settings> {
  const kept = new Map<string, Kept<Settings>>()
  /** Realms that are being read. */
  const reading = new Map<string, Promise<Settings | null>>()
  const forget = (id: string) => {
    kept.delete(id)
    reading.delete(id)
    changed(id)
  }
  const { versions, ...watch } = watchVersions({ store, forget, now_ms })

  async function readRealm(id: string): Promise<Settings | null> {
    const realm = await store.find(id)
    if (realm === null || realm.disabled_at !== null) return null
    const settings = await read(realm)
    const known = versions.get(id)
    if (known !== undefined && known <= realm.version) {
      versions.set(id, realm.version)
      keep(kept, id, { version: realm.version, settings })
    }
    return settings
  }

  /** Requests that come at the same time share one statement. */
  function readOnce(id: string): Promise<Settings | null> {
    const under_way = reading.get(id)
    if (under_way !== undefined) return under_way
    const started = readRealm(id).finally(() => {
      if (reading.get(id) === started) reading.delete(id)
    })
    reading.set(id, started)
    return started
  }

  return {
    async find(id) {
      await watch.refresh()
      watch.lookAgain()
      const version = versions.get(id)
      if (version === undefined) return null
      const known = kept.get(id)
      if (known?.version !== version) return readOnce(id)
      keep(kept, id, known)
      return known.settings
    },
    current(id) {
      const known = kept.get(id)
      if (known === undefined) throw new RealmNotReadError(id)
      return known.settings
    },
    async ids() {
      await watch.refresh()
      return [...versions.keys()]
    },
    changed(id) {
      watch.expire()
      forget(id)
    },
    stop: watch.stop,
  }
}

interface WatchOptions extends Pick<DirectoryOptions<unknown>, 'store'> {
  /** Of a realm that was made, changed or deleted. */
  forget(id: string): void
  now_ms(): number
}

/** The versions of all realms that are not deleted, as they were within the last second. */
function watchVersions({ store, forget, now_ms }: WatchOptions) {
  const versions = new Map<string, number>()
  let last = 0
  let asked_at = Number.NEGATIVE_INFINITY
  let asking: Promise<void> = Promise.resolve()
  let again: ReturnType<typeof setTimeout> | undefined
  let is_stopped = false

  function drop(id: string): void {
    if (versions.delete(id)) forget(id)
  }

  async function ask(): Promise<void> {
    const after = last
    const changes = await store.changes(after)
    // The database is an earlier copy of itself.
    if (changes.last < after) for (const id of versions.keys()) drop(id)
    for (const { id, version, disabled_at } of changes.realms) {
      if (disabled_at !== null) drop(id)
      else if (versions.get(id) !== version) {
        versions.set(id, version)
        forget(id)
      }
    }
    last = changes.last
  }

  /** A failure is not asked for again within the second either: each caller gets it. */
  function refresh(): Promise<void> {
    if (now_ms() - asked_at < FRESH_MS) return asking
    asked_at = now_ms()
    // One after the other: a late answer would bring back what was deleted meanwhile.
    asking = asking.catch(() => {}).then(ask)
    asking.catch(() => {})
    return asking
  }

  return {
    versions,
    refresh,
    expire() {
      asked_at = Number.NEGATIVE_INFINITY
    },
    lookAgain() {
      if (again !== undefined || is_stopped) return
      again = setTimeout(() => {
        again = undefined
        refresh().catch(() => {})
      }, LOOK_AGAIN_MS)
      // Deno and browsers return a number.
      if (typeof again === 'object') again.unref()
    },
    stop() {
      is_stopped = true
      clearTimeout(again)
    },
  }
}

/** As the newest entry; the oldest one above `MAX_READ` is deleted. */
function keep<Entry>(entries: Map<string, Entry>, id: string, entry: Entry): void {
  entries.delete(id)
  entries.set(id, entry)
  const [oldest] = entries.keys()
  if (entries.size > MAX_READ && oldest !== undefined) entries.delete(oldest)
}
