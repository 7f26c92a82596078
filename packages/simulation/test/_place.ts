/** A provider, and a simulation of it over the same stores, of which none takes a write while it runs. */

import type { Client, Interactions, OidcConfig, ProviderOptions, RealmStorage, Storage } from '@ostiary/core'
import * as core from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { SECRET, type World, type WorldOptions, world } from '@ostiary/test-kit/world'
import { type CoreFunctions, createSimulation } from '../src/index.ts'

/** The longest time of a timer: a key takes longer on a busy machine than a server waits. */
export const UNLIMITED_MS = 2 ** 31 - 1

export const CORE: CoreFunctions = { ...core, memoryStorage }

/** What may be called of a store while no write is taken. */
const READS = /^(?:find|list)/

interface SealedStorage {
  storage: Storage
  /** The names of writes that were tried. */
  written: string[]
  /** Runs work during which each write throws. */
  sealed<T>(work: () => Promise<T>): Promise<T>
}

function sealedStorage(real: Storage = memoryStorage()): SealedStorage {
  const written: string[] = []
  let is_sealed = false
  const wrap = <Store extends object>(name: string, store: Store): Store =>
    new Proxy(store, {
      get(target, method) {
        const value = Reflect.get(target, method)
        if (typeof value !== 'function' || READS.test(String(method))) return value
        return (...args: unknown[]) => {
          if (!is_sealed) return value.apply(target, args)
          written.push(`${name}.${String(method)}`)
          throw new Error(`A simulation writes: ${name}.${String(method)}`)
        }
      },
    })
  const storage = (realm: string) => {
    const stores = Object.entries(real(realm))
    const wrapped = stores.map(([name, store]) => [
      name,
      typeof store === 'object' ? wrap(name, store) : store,
    ])
    return Object.fromEntries(wrapped) as RealmStorage
  }
  return {
    storage: Object.assign(storage, { background: real.background }) as Storage,
    written,
    async sealed(work) {
      is_sealed = true
      try {
        return await work()
      } finally {
        is_sealed = false
      }
    },
  }
}

export interface PlaceOptions extends Omit<WorldOptions, 'clients' | 'oidc'> {
  oidc?: Partial<OidcConfig>
  clients: readonly Client[]
  /** Further options of the provider that is asked about. */
  options?: Partial<ProviderOptions>
}

export async function place({ clients, options = {}, ...given }: PlaceOptions) {
  const { storage, written, sealed } = sealedStorage()
  const w = await world({ ...given, ...options, storage, clients: [...clients] })
  const simulation = createSimulation({
    within_ms: UNLIMITED_MS,
    core: CORE,
    provider: { ...simulated(w, given), ...options },
  })
  return {
    w,
    written,
    sealed,
    simulation,
    /** Nothing is written, and nothing reported. */
    async simulate<T>(run: (from: typeof simulation) => Promise<T>): Promise<T> {
      const events = w.events.length
      const result = await sealed(() => run(simulation))
      if (written.length > 0) throw new Error(written.join())
      if (w.events.length > events) throw new Error('A simulation reports an event')
      return result
    },
  }
}

/** The options of the world's provider. */
function simulated(
  w: World,
  { oidc = {}, reachable, routing }: Omit<PlaceOptions, 'clients'>,
): ProviderOptions {
  const by_path: OidcConfig =
    routing === 'path' ? { routes: { realms: 'path' }, realms: { acme: {}, other: {} } } : {}
  const unused = async (): Promise<never> => {
    throw new Error('A simulation shows no page')
  }
  const interactions: Interactions = { login: unused, consent: unused, ...reachable }
  return {
    oidc: { issuer: 'https://id.example.com', ...by_path, ...oidc },
    secret: SECRET,
    storage: w.storage,
    accounts: { find: async (sub) => w.accounts.get(sub) ?? null },
    interactions,
    now: () => w.clock.now,
    on_event: (event) => void w.events.push(event),
    fetch_document: unused,
  }
}

/** What a simulation could change, as the stores have it. */
export async function stateOf({ storage, realm, clock }: World, subs: readonly string[]) {
  const { clients, sessions, grants, consents, keys, throttle, client_documents } = storage(realm)
  const bySub = async <T>(read: (sub: string) => Promise<T[]>) =>
    (await Promise.all(subs.map((sub) => read(sub)))).flat()
  return Promise.all([
    clients.list({ limit: 200 }),
    bySub((sub) => sessions.list(sub)),
    bySub((sub) => grants.list(sub, clock.now)),
    bySub((sub) => consents.list(sub)),
    keys.list(),
    throttle.list('', clock.now),
    client_documents.list({ limit: 200 }),
  ])
}
