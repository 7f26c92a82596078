/** The realms that a command works on: of this machine, or of a server over its admin API. */

import {
  changedMeanwhile,
  configuredRealm,
  createRealm,
  deleteRealm,
  findRealm,
  hasSettings,
  mergedSettings,
  purgeTime,
  type RealmChanger,
  replaceRealm,
  requireNotConfigured,
} from '../changes.js'
import type { RealmCounts } from '../effects.js'
import { listRealms } from '../lists.js'
import { RealmError } from '../realm-error.js'
import type { RealmRecord, RealmSettings } from '../realm-store.js'
import { type ListedRealm, type ShownRealm, shownConfigured, shownRecord } from '../shown.js'
import type { OpenedRealms, SendRequest } from './command-types.js'

/** A realm that was deleted. */
interface DeletedRealm {
  id: string
  disabled_at: number
  purged_from: number
}

/** A change of settings: a merge patch, or all of them. */
interface SettingsChange {
  settings: unknown
  replace: boolean
}

export interface ManagedRealms {
  list(page: { limit: number; after?: string }): Promise<ListedRealm[]>
  /** Null for none. */
  find(id: string): Promise<ShownRealm | null>
  create(id: string, settings: RealmSettings): Promise<ShownRealm>
  /** @param realm As it was read: another one stays as it is. */
  update(realm: ShownRealm, change: SettingsChange): Promise<ShownRealm>
  delete(realm: ShownRealm): Promise<DeletedRealm>
  /** What ends with the realm. */
  count(realm: ShownRealm): Promise<RealmCounts>
}

/** @throws RealmError, told as an error of a command */
export function realmsHere(
  { changer, count }: OpenedRealms,
  failure: (message: string) => Error,
): ManagedRealms {
  const { realms } = changer
  const told = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      if (!(error instanceof RealmError)) throw error
      throw failure(error.code === 'changed_meanwhile' ? CHANGED : error.message)
    })
  return {
    list: (page) => listRealms(realms, page),
    async find(id) {
      const configuration = await configuredRealm(realms, id)
      if (configuration !== null) return shownConfigured(id, configuration)
      const record = await findRealm(realms, id)
      return record && shownRecord(record)
    },
    create: async (id, settings) => shownRecord(await told(createRealm(changer, { id, settings }))),
    update: async (realm, change) => shownRecord(await told(updated(changer, realm, change))),
    async delete(realm) {
      const removed = await told(found(changer, realm).then((record) => deleteRealm(changer, record)))
      return { id: realm.id, disabled_at: removed.disabled_at ?? 0, purged_from: purgeTime(removed) }
    },
    count: ({ id }) => count(id),
  }
}

/** @throws RealmError for one of the configuration, and when it is another one by now */
async function found({ realms }: RealmChanger, { id, version }: ShownRealm): Promise<RealmRecord> {
  requireNotConfigured(realms, id)
  const record = await findRealm(realms, id)
  if (record?.version === version && record !== null) return record
  throw changedMeanwhile()
}

const CHANGED = 'It was changed at the same time: run the command again'

async function updated(
  changer: RealmChanger,
  realm: ShownRealm,
  { settings, replace }: SettingsChange,
): Promise<RealmRecord> {
  const record = await found(changer, realm)
  const wanted = replace ? (settings as RealmSettings) : mergedSettings(record.settings, settings)
  return hasSettings(record, wanted) ? record : replaceRealm(changer, record, wanted)
}

/** A refusal of the API, as `@ostiary/admin-client` throws it. */
interface Refusal extends Error {
  status: number
  problem: { detail?: unknown }
}

const isRefusal = (error: unknown, status: number): error is Refusal =>
  error instanceof Error && error.name === 'ApiRefusal' && (error as Refusal).status === status

const NO_LIST = 'The server has no realms_at_run_time, or you have no role that reads realms'
/** Entries that the API gives at once. */
const MAX_PAGE = 200

/** @param send To the realm of the command, or for a list to all of them. */
export function realmsOfServer(send: SendRequest, failure: (message: string) => Error): ManagedRealms {
  const seen = ({ version }: ShownRealm) => ({ 'if-match': `"${version}"` })
  return {
    list: (page) => listedOf(send, page, failure),
    find: async () =>
      send<ShownRealm>('GET', []).catch((error: unknown) => {
        if (isRefusal(error, 404)) return null
        throw error
      }),
    create: async (_id, body) =>
      send<ShownRealm>('PUT', [], { body, headers: { 'if-none-match': '*' } }).catch((error: unknown) => {
        throw isRefusal(error, 412) ? failure('The realm exists') : error
      }),
    update: (realm, { settings, replace }) =>
      send(replace ? 'PUT' : 'PATCH', [], { body: settings, headers: seen(realm) }),
    delete: (realm) => send('DELETE', [], { headers: seen(realm) }),
    async count(realm) {
      const query = { dry_run: 'true' }
      return (await send<{ effects: RealmCounts }>('DELETE', [], { query, headers: seen(realm) })).effects
    },
  }
}

async function listedOf(
  send: SendRequest,
  { limit, after }: { limit: number; after?: string },
  failure: (message: string) => Error,
): Promise<ListedRealm[]> {
  const items: ListedRealm[] = []
  let from: Record<string, string> = after === undefined ? {} : { after }
  while (items.length < limit) {
    const query = { ...from, limit: String(Math.min(limit - items.length, MAX_PAGE)) }
    const page = await send<{ items?: unknown; next?: unknown } | null>('GET', [], { query }).catch(
      (error: unknown) => {
        throw isRefusal(error, 404) ? failure(NO_LIST) : error
      },
    )
    if (!Array.isArray(page?.items)) throw failure('The answer about realms is not that of the admin API')
    items.push(...page.items)
    if (typeof page.next !== 'string' || page.items.length === 0) break
    from = { cursor: page.next }
  }
  return items
}
