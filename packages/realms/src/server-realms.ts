/** The realms of a server that were made at run time, with what the server reads of their settings. */

import { databaseRealms, type RealmDatabase } from './database-store.js'
import { realmDirectory } from './directory.js'
import { countRealm, type RealmCounts } from './effects.js'
import { type RealmPurge, realmPurge } from './purge.js'
import type { RealmRecord, RealmStore } from './realm-store.js'
import type { ConfiguredPlace, RunTimeRealms } from './run-time.js'
import { realmFaults, type SettingsRules, settingsFaults } from './settings.js'

/** Options of `serverRealms`. `Made`: what the server reads of the settings. */
export interface ServerRealmsOptions<Made> {
  db: RealmDatabase
  /** The ids of the realms of the configuration. */
  configured: readonly string[]
  /** Where the configuration names a realm. */
  place(id: string): ConfiguredPlace | null
  rules: SettingsRules<unknown>
  /** What it throws is an error of that realm alone. */
  read(realm: RealmRecord): Promise<Made>
  /** Whether the tables of people lie in several databases. */
  sharded: boolean
  /** What is not in `db`, so that it is not counted. */
  elsewhere: readonly (keyof RealmCounts)[]
  /** Deletes what is stored of a realm elsewhere. */
  deleteElsewhere?: (realm: string) => Promise<unknown>
  /** Epoch seconds. */
  now: () => number
  /** Called when a realm could not be purged. */
  failed: (error: unknown) => void
}

/** The realms that were made, for a server and for those that administer it. */
export interface ServerRealms<Made> extends RunTimeRealms {
  /** Null: no realm was made with this id, or it is deleted. @throws what the store throws */
  find(id: string): Promise<Made | null>
  /** The same of a realm that `find` has returned lately. @throws RealmNotReadError */
  current(id: string): Made
  /** What ends with a realm. */
  count(id: string): Promise<RealmCounts>
  /** The ids of changed realms go to this function. */
  attach(forget: (id: string) => void): void
  /** Deletes what is stored of deleted realms. */
  purge: RealmPurge
  stop(): Promise<void>
}

/** Reads nothing yet. */
export function serverRealms<Made>(options: ServerRealmsOptions<Made>): ServerRealms<Made> {
  const { db, configured, place, rules, elsewhere, deleteElsewhere, read, ...more } = options
  const store = databaseRealms(db)
  let forget: (id: string) => void = () => {}
  const { find, current, ids, changed, stop } = realmDirectory<Made>({
    store,
    read,
    changed: (id) => forget(id),
  })
  const purge = realmPurge({ store, db, ...more, ...(deleteElsewhere && { elsewhere: deleteElsewhere }) })
  return {
    store,
    check: async (id, settings) =>
      configured.includes(id) ? settingsFaults(rules, id, settings) : realmFaults(rules, { id, settings }),
    configured: place,
    changed,
    ids: async () => [...new Set([...configured, ...(await ids())])],
    find,
    current,
    count: (id) => countRealm(db, id, elsewhere),
    attach(told) {
      forget = told
    },
    purge,
    async stop() {
      stop()
      await purge.stop()
    },
  }
}

/** Realms that one statement reads. */
const PAGE = 1000

/** All realms that are not deleted. */
export async function allRealms({ list }: Pick<RealmStore, 'list'>): Promise<RealmRecord[]> {
  const all: RealmRecord[] = []
  for (let page = await list({ limit: PAGE }); page.length > 0; ) {
    all.push(...page)
    page = await list({ limit: PAGE, after: page.at(-1)?.id ?? '' })
  }
  return all
}
