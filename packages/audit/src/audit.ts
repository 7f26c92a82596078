/** createAudit(): what an application or a server takes of this package. */

import type { Management, Provider, Storage } from '@ostiary/core'
import { refuseFaults } from '@ostiary/core/common'
import type { Factors, Links, RememberedDevices, Tickets, Users } from '@ostiary/identity'
import { type Change, type Changes, createChanges, type RequestOrigin, type Subject } from './changes.js'
import { type AuditedRequest, actorOf, eventRows, type OpenRequests, openRequests } from './events.js'
import type { AnyEvent } from './kept.js'
import { perRealm } from './per-realm.js'
import { createRecorder } from './recorder.js'
import {
  CLIENT_STORE,
  FACTORS,
  LINKS,
  MANAGEMENT,
  REMEMBERED_DEVICES,
  type Rules,
  THROTTLE,
  TICKETS,
  USERS,
} from './rules.js'
import { type SealingKeys, sealRows } from './seals.js'
import { type AuditSettings, auditFaults, DEFAULT_SETTINGS } from './settings.js'
import type { AuditStore } from './store.js'
import { type ChangePlace, withRows } from './wrap.js'

/** Options of `createAudit`. */
export interface AuditOptions {
  store: AuditStore
  settings?: AuditSettings
  /** Epoch seconds. */
  now?: () => number
  /** How an address is kept; undefined for not at all. When absent: as it is. */
  address?: (address: string) => string | undefined
  /** Called when rows could not be written. They are written later. */
  failed?: (error: unknown) => void
  /** Who makes the changes of this process, such as `cli:ann@host`. When absent: who has signed in, or `system`. */
  actor?: string
}

/** The stores in which users and what belongs to them are changed. */
export interface AuditedStores {
  users: Users
  factors: Factors
  links: Links
  tickets: Tickets
  remembered_devices: RememberedDevices
}

/** What happened, who changed what, and why a request was refused. */
export interface Audit {
  store: AuditStore
  /** For `on_event` of provider and identity. */
  onEvent(event: AnyEvent): void
  /** For `on_flow` of the provider. */
  onFlow(request: Request, flow: string): void
  /** Answers a request, so that the rows of its events have its address and its flow. */
  during<T>(request: AuditedRequest, answer: () => Promise<T>): Promise<T>
  /** The provider, whose management writes a row before each change. */
  provider(provider: Provider): Provider
  /** The same for management that is there already. */
  management(realm: string, management: Management): Management
  /** Stores that write a row before each change. @param actor Instead of the user that it is about. */
  stores<Stores extends AuditedStores>(stores: Stores, actor?: string): Stores
  /** The same for what a configuration or a command changes without management: clients, and counters of limits. */
  storage(storage: Storage, actor?: string): Storage
  /** Makes one change, and writes its row first. The row has the members of the record that have changed, where `record` reads it. */
  change<T>(
    change: Omit<Change, 'actor'>,
    run: () => Promise<T>,
    record?: () => Promise<object | null>,
  ): Promise<T>
  /** The same for the caller of a request. */
  as(actor: string, request_id: string): Pick<Audit, 'management' | 'stores' | 'change'>
  /** A sink that keeps each event, and passes it on. */
  sink(next: (event: AnyEvent) => void): (event: AnyEvent) => void
  /** At intervals, in one process at a time: seals what is older than two minutes, and deletes what is too old. */
  tick(realms: readonly string[], keysOf: (realm: string) => Promise<SealingKeys>): Promise<void>
  /** Writes what waits. */
  flush(): Promise<void>
  stop(): Promise<void>
}

const DAY = 86_400
/** Seconds between two rounds of sealing, and of deleting. */
const ROUND_SECONDS = 60
/** Realms without rows to seal at which one round looks: their newest seal may need a key that is published. */
const MAX_LOOKED_AT = 500
/** Seals whose rows one round deletes. */
const MAX_EXPIRED_SEALS = 50

/**
 * Keeps the events of a provider and of its sign-in, and what is changed.
 *
 * @example
 * ```ts
 * import { createAudit, memoryAuditStore } from '@ostiary/audit'
 *
 * export const audit = createAudit({ store: memoryAuditStore() })
 * // For createProvider: on_event: audit.onEvent, on_flow: audit.onFlow.
 * ```
 */
export function createAudit(options: AuditOptions): Audit {
  const { store, settings = DEFAULT_SETTINGS, now = () => Math.floor(Date.now() / 1000), failed } = options
  refuseFaults(auditFaults(settings).map((fault) => ({ ...fault, path: `settings.${fault.path}` })))
  const recorder = createRecorder({ store, ...(failed && { failed }) })
  const changes = createChanges({ store, recorder, now })
  const requests = openRequests(options.address ?? ((address) => address))
  const erase = async (realm: string, sub: string) => {
    // What waits is about the user too.
    await recorder.flush()
    // The user is deleted already.
    await store.erase(realm, sub).catch((error: unknown) => failed?.(error))
  }
  const onEvent = eventRows({ recorder, requests, keeps_all: settings.events === 'all' })
  return {
    store,
    onEvent,
    sink: (next) => (event) => {
      onEvent(event)
      next(event)
    },
    onFlow: requests.noteFlow,
    during: requests.during,
    ...wrappers({ changes, requests, erase, actor: options.actor }),
    as: (actor, request_id) =>
      wrappers({ changes, requests, erase, actor, request: requests.originOf(request_id) }),
    tick: rounds({ store, settings, now }),
    flush: recorder.flush,
    stop: recorder.stop,
  }
}

interface Wrapping {
  changes: Changes
  requests: OpenRequests
  /** Of a user who was deleted. */
  erase(realm: string, sub: string): Promise<void>
  actor: string | undefined
  /** That causes all changes. */
  request?: RequestOrigin
}

type Wrappers = Pick<Audit, 'provider' | 'management' | 'stores' | 'storage' | 'change'>

function wrappers({ changes, requests, erase, actor: own, request }: Wrapping): Wrappers {
  const actorIn = (request_id: string | undefined) => (subject: Subject) =>
    own ?? actorOf({ ...subject, request_id, is_known: true })
  const managed = (realm: string, management: Management, request_id?: string) =>
    withRows(management, MANAGEMENT, {
      changes,
      realm,
      actor: actorIn(request_id),
      request: request_id === undefined ? request : requests.originOf(request_id),
    })
  // In a server, it is the user that a change of a store is about who makes it, unless it is the configuration.
  const placeOf =
    (actor = own) =>
    (realm: string) => ({ changes, realm, request, actor: actor === undefined ? actorIn('') : () => actor })
  return {
    management: managed,
    provider: (provider) => ({
      ...provider,
      async manage(id = 'default', origin) {
        return managed(id, await provider.manage(id, origin), origin?.request_id)
      },
    }),
    stores: (stores, actor) => ({ ...stores, ...storesWithRows(stores, { place: placeOf(actor), erase }) }),
    storage: (storage, actor) => storageWithRows(storage, placeOf(actor)),
    change: (change, run, record) =>
      changes.recorded(
        { request, ...change, actor: actorIn(undefined)(change) },
        { run, ...(record && { record }) },
      ),
  }
}

type PlaceOf = (realm: string) => ChangePlace

interface Rowed extends Pick<Wrapping, 'erase'> {
  place: PlaceOf
}

function storesWithRows(stores: AuditedStores, { place, erase }: Rowed): AuditedStores {
  const withRules = <Store extends object>(of: (realm: string) => Store, rules: Rules<Store>) =>
    perRealm((realm) => withRows(of(realm), rules, place(realm)))
  const usersOf = withRules(stores.users, USERS)
  return {
    users: perRealm((realm) => {
      const users = usersOf(realm)
      return {
        ...users,
        async delete(sub) {
          const is_deleted = await users.delete(sub)
          if (is_deleted) await erase(realm, sub)
          return is_deleted
        },
      }
    }),
    factors: withRules(stores.factors, FACTORS),
    links: withRules(stores.links, LINKS),
    tickets: withRules(stores.tickets, TICKETS),
    remembered_devices: withRules(stores.remembered_devices, REMEMBERED_DEVICES),
  }
}

const storageWithRows = (storage: Storage, place: PlaceOf): Storage =>
  Object.assign((realm: string) => {
    const stores = storage(realm)
    const clients = withRows(stores.clients, CLIENT_STORE, place(realm))
    return { ...stores, clients, throttle: withRows(stores.throttle, THROTTLE, place(realm)) }
  }, storage)

/** Seals and deletes, once a minute. */
function rounds({
  store,
  settings,
  now,
}: Required<Pick<AuditOptions, 'store' | 'settings' | 'now'>>): Audit['tick'] {
  let next_round = 0
  let looked_at = 0
  /** Those with rows to seal, and some of the others, in turn. */
  async function due(realms: readonly string[]): Promise<readonly string[]> {
    if (realms.length <= MAX_LOOKED_AT) return realms
    const open = new Set(await store.open())
    const start = looked_at % realms.length
    looked_at = start + MAX_LOOKED_AT
    const isInTurn = (index: number) => (index - start + realms.length) % realms.length < MAX_LOOKED_AT
    return realms.filter((realm, index) => open.has(realm) || isInTurn(index))
  }
  return async (realms, keysOf) => {
    if (now() < next_round) return
    next_round = now() + ROUND_SECONDS
    // A realm whose keys are not there stops no other; a store that fails stops the round.
    let keyless: unknown
    for (const realm of await due(realms)) {
      const keys = () =>
        keysOf(realm).catch((error: unknown) => {
          keyless = error
          throw error
        })
      await sealRows({ store, realm, now: now(), keys }).catch((error: unknown) => {
        if (error !== keyless) throw error
      })
    }
    await store.purge(now() - settings.keep_days * DAY, MAX_EXPIRED_SEALS)
    if (keyless !== undefined) throw keyless
  }
}
