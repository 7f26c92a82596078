/** The realms of a provider: from the map `oidc.realms`, or from the application's look-up function. */

import { ConfigError } from '../config/config-error.js'
import { collectFaults } from '../config/faults.js'
import { type ParsedConfig, REALM_ID } from '../config/parse.js'
import type { RealmConfig } from '../config/realm-config.js'
import { createRealm } from './create-realm.js'
import { findResource, type Realm } from './realm.js'
import { type RealmUrls, realmPath, realmUrls } from './urls.js'

export interface RealmDirectory {
  routing: 'single' | 'path'
  find(id: string): Promise<Realm | null>
  /** The same realm, without waiting; null when it would have to be looked up. */
  current(id: string): Realm | null
  /** Looks the realm up at the next request, also where it is being looked up. */
  forget(id: string): void
  /** The realms in memory. */
  known(): Realm[]
  /** The URLs of a realm; it need not exist. */
  urls(id: string): RealmUrls
  /** The parameters of a guard's challenges. @throws Error for a resource that the realm does not have. */
  challenge(id: string, resource?: string): { realm: string; resource_metadata: string }
}

/** Seconds after which a realm is looked up again. */
const LOOKUP_SECONDS = 10
/** Realms in memory, and separately, unknown realm ids in memory. */
const MAX_LOOKUPS = 1000

export function realmDirectory(
  config: ParsedConfig,
  now: () => number,
  lookup?: (id: string) => Promise<RealmConfig | null>,
): RealmDirectory {
  const routing = config.settings.routes.realms
  const configured = new Map<string, Realm>()
  collectFaults(Object.entries(config.realms), ([id, overrides]) => {
    const path = `oidc.realms.${id}`
    configured.set(id, createRealm(id, config.override(overrides, path), path))
  })
  if (routing === 'single' && !configured.has('default'))
    configured.set('default', createRealm('default', config.settings))
  if (routing === 'single' && lookup)
    throw new ConfigError({
      path: 'oidc.routes.realms',
      message: 'set it to path, or the look-up function is never called',
    })
  if (configured.size === 0 && !lookup)
    throw new ConfigError({
      path: 'oidc.realms',
      message: 'with oidc.routes.realms set to path, name at least one realm',
    })

  const looked_up = lookedUp(config, now, lookup)
  const urls = (id: string) => realmUrls(config.settings.issuer, realmPath(id, routing))
  return {
    routing,
    urls,
    known: () => [...configured.values(), ...looked_up.known()],
    find: async (id) =>
      configured.get(id) ?? (lookup && routing === 'path' && REALM_ID.test(id) ? looked_up.find(id) : null),
    current: (id) => configured.get(id) ?? looked_up.current(id),
    forget: looked_up.forget,
    challenge(id, name) {
      if (!lookup && !configured.has(id)) throw new Error(`There is no realm ${id}: name one of oidc.realms`)
      if (name === undefined) return { realm: id, resource_metadata: urls(id).protected_resource() }
      const realm = configured.get(id) ?? looked_up.last(id) ?? createRealm(id, config.settings)
      const resource = realm.resources.find(({ key }) => key === name) ?? findResource(realm, name)?.resource
      if (!resource || resource.external)
        throw new Error(
          `oidc.resources of the realm ${id} has no resource ${JSON.stringify(name)} that this provider describes`,
        )
      return { realm: id, resource_metadata: urls(id).protected_resource(resource.key) }
    },
  }
}

/** The realms of the look-up function. */
function lookedUp(
  config: ParsedConfig,
  now: () => number,
  lookup?: (id: string) => Promise<RealmConfig | null>,
) {
  const loaded = new Map<string, { realm: Realm; text: string; looked_up_at: number }>()
  /** When unknown ids were looked up. Kept apart from the realms, so that invented ids cannot displace them. */
  const unknown = new Map<string, number>()
  let forgotten = 0
  function current(id: string): Realm | null {
    const entry = loaded.get(id)
    return entry && isRecent(now() - entry.looked_up_at) ? entry.realm : null
  }
  async function lookUp(id: string): Promise<Realm | null> {
    const known = current(id)
    if (known) return known
    const entry = loaded.get(id)
    if (isRecent(now() - (unknown.get(id) ?? Number.NEGATIVE_INFINITY))) return null
    const before = forgotten
    const overrides = (await lookup?.(id)) ?? null
    if (forgotten !== before) return lookUp(id)
    loaded.delete(id)
    unknown.delete(id)
    if (overrides === null) {
      remember(unknown, id, now())
      return null
    }
    const text = JSON.stringify(overrides)
    // While the settings are unchanged, the realm object stays the same: keys and documents are cached by it.
    const path = `oidc.realms.${id}`
    const realm = entry?.text === text ? entry.realm : createRealm(id, config.override(overrides, path), path)
    remember(loaded, id, { realm, text, looked_up_at: now() })
    return realm
  }
  return {
    current,
    find: lookUp,
    forget(id: string): void {
      forgotten += 1
      loaded.delete(id)
      unknown.delete(id)
    },
    /** Also one that is due to be looked up again. */
    last: (id: string) => loaded.get(id)?.realm,
    known: () => [...loaded.values()].map(({ realm }) => realm),
  }
}

/** A negative age is that of a look-up before the clock was set back. */
const isRecent = (age: number): boolean => age >= 0 && age < LOOKUP_SECONDS

/** Adds an entry, and deletes the oldest one above MAX_LOOKUPS. */
function remember<T>(entries: Map<string, T>, id: string, entry: T): void {
  entries.set(id, entry)
  const oldest = entries.keys().next().value
  if (entries.size > MAX_LOOKUPS && oldest !== undefined) entries.delete(oldest)
}
