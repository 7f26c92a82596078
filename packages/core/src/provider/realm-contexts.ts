/** Makes and keeps what each realm of a provider has: its context, its guard and its emitter of events. */

import type { Guard } from '@ostiary/resource-server'
import { ConfigError } from '../config/config-error.js'
import { deriveSecrets } from '../crypto/secrets.js'
import { verifiedTokens } from '../crypto/verified-tokens.js'
import { fetchBudgets } from '../documents/fetch-budgets.js'
import type { FeatureParts } from '../features/feature.js'
import { featuresOf } from '../features.js'
import { serverError, unavailable } from '../http/errors.js'
import { claimsInAccessTokens, userClaims } from '../realm/claims.js'
import { storedClients } from '../realm/clients.js'
import type { RealmContext } from '../realm/context.js'
import { deliverEvent, type EventSink } from '../realm/events.js'
import type { Realm } from '../realm/realm.js'
import type { RealmDirectory } from '../realm/realms.js'
import { cachedClients } from '../storage/client-cache.js'
import type { RealmStorage, Storage } from '../storage/storage.js'
import type { OidcPrincipal } from '../tokens/bearer-token.js'
import { oidcGuard } from '../tokens/oidc-guard.js'
import { portableHashes, systemRandom } from '../util/secret.js'
import { developmentLog } from './development-log.js'
import type { ProviderOptions, RealmGuardOptions } from './provider-interface.js'

/** Seconds. */
const CLIENT_CACHE_SECONDS = 5

export interface RealmContexts {
  of(realm: Realm): Promise<RealmContext>
  /** The same context, without waiting; null until it is made. */
  made(realm: Realm): RealmContext | null
  /** @throws Error when there is no such realm. */
  existing(id: string): Promise<Realm>
  guard(options: RealmGuardOptions): Guard<OidcPrincipal>
  /** What reports the events of one request, with its id. */
  reports(realm: string, request_id: string | undefined): EventReports
  /** Remembers the id for the events of guards, which know no more than the request. */
  remember(request: Request, request_id: string): void
}

/** Reports events and failures, of a realm or of one request in it. */
export type EventReports = Pick<RealmContext, 'emit' | 'failure'>

export interface RealmContextsOptions {
  options: ProviderOptions
  realms: RealmDirectory
  /** Epoch seconds. */
  now: () => number
}

export function realmContexts({ options, realms, now }: RealmContextsOptions): RealmContexts {
  const secrets = deriveSecrets(options.secret, options.previous_secret)
  secrets.catch(() => {})
  const verified = verifiedTokens()
  const budgets = fetchBudgets(now)
  const reports = eventReports({ options, realms, now })
  const existing = (id: string) => existingRealm(realms, id)
  const request_ids = new WeakMap<Request, string>()

  const createContext = async (realm: Realm): Promise<RealmContext> => {
    const storage = storageOf(options, realm.id, now)
    const { fetch_document = null } = options
    return {
      realm,
      storage,
      ...capabilitiesOf({ realm, storage, fetch_document, budgets, now }),
      accounts: options.accounts,
      interactions: options.interactions,
      secrets: await secrets,
      key_ring: { loaded: null, loading: null },
      signer: options.signer,
      verified,
      hashes: options.hashes ?? portableHashes,
      random: options.random ?? systemRandom,
      claims: userClaims(realm.claims, options.claims),
      claims_in_access_tokens: claimsInAccessTokens(realm.claims, options.claims),
      guard: configuredGuard(realm),
      fetch: options.fetch ?? fetch,
      fetch_of_operator: options.fetch_of_operator ?? options.fetch ?? fetch,
      now,
      ...reports(realm.id, undefined),
    }
  }
  const { of, made } = madeOnce(createContext)
  // A guard asks at each request: nothing is awaited while realm and context are in memory.
  const contextOf = async (id: string): Promise<RealmContext> => {
    const realm = realms.current(id) ?? (await existing(id))
    return made(realm) ?? (await of(realm))
  }

  function guard(choice: RealmGuardOptions, use: 'guard' | 'userinfo' = 'guard') {
    const { realm: id = 'default', resource, audience, public_url, ...scopes } = choice
    return oidcGuard({
      place: { resource, url: use === 'userinfo' ? userinfoUrl : (public_url ?? null) },
      scopes,
      challenge: realms.challenge(id, resource),
      context: () => contextOf(id),
      now,
      emit: (event, request) => reports(id, request_ids.get(request)).emit(event),
      use,
      audience,
    })
  }

  /** The guard that `oidc.auth.api_guard` names: the application's, or a built-in one that accepts external resources too. */
  const configuredGuard = (realm: Realm): Guard =>
    options.guards?.[realm.settings.auth.api_guard]?.(realm) ?? guard({ realm: realm.id }, 'userinfo')

  return {
    of,
    made,
    existing,
    guard: (choice) => guard(choice),
    reports,
    remember: (request, id) => void request_ids.set(request, id),
  }
}

/** Makes the context of a realm at its first use. */
function madeOnce(create: (realm: Realm) => Promise<RealmContext>): Pick<RealmContexts, 'of' | 'made'> {
  const contexts = new WeakMap<Realm, Promise<RealmContext>>()
  const made = new WeakMap<Realm, RealmContext>()
  return {
    of(realm) {
      const known = contexts.get(realm)
      if (known) return known
      const created = create(realm)
      contexts.set(realm, created)
      created.then(
        (context) => made.set(realm, context),
        // A failure is not remembered: the next request tries again.
        () => contexts.delete(realm),
      )
      return created
    },
    made: (realm) => made.get(realm) ?? null,
  }
}

/** A guard that accepts external resources is the one of UserInfo. */
const userinfoUrl = (_request: Request, { urls }: Realm): string => urls.userinfo_endpoint

async function existingRealm(realms: RealmDirectory, id: string): Promise<Realm> {
  const realm = await realms.find(id)
  if (!realm) throw new Error(`There is no realm ${id}`)
  return realm
}

type Capabilities = Pick<RealmContext, 'clients' | 'auth_methods' | 'grants' | 'metadata'>

/** @throws ConfigError for a realm with a capability that needs more than the application has given. */
function capabilitiesOf(parts: FeatureParts & { storage: RealmContext['storage'] }): Capabilities {
  const { realm, storage } = parts
  const features = featuresOf(realm)
  const grants = features.flatMap((feature) => Object.entries(feature.grants ?? {}))
  const metadata = features.map((feature) => feature.metadata?.(realm) ?? {})
  return {
    clients: features.reduce(
      (clients, feature) => feature.clients?.(clients, parts) ?? clients,
      storedClients(storage.clients),
    ),
    auth_methods: features.flatMap((feature) => feature.authMethod?.(parts) ?? []),
    grants: new Map(grants),
    metadata: Object.assign({}, ...metadata),
  }
}

function eventReports({ options, realms, now }: RealmContextsOptions): RealmContexts['reports'] {
  const on_event = options.on_event ?? defaultSink(realms)
  return (realm, request_id) => {
    const common = request_id === undefined ? { realm } : { realm, request_id }
    const emit: RealmContext['emit'] = (event) => deliverEvent(on_event, { time: now(), ...common, ...event })
    return {
      emit,
      failure(cause, route = null) {
        emit({ type: 'server.error', route, cause })
        return options.unavailable?.(cause) ? unavailable() : serverError()
      },
    }
  }
}

/** Plain http is accepted on this machine only: the provider is under development. */
function defaultSink({ urls }: RealmDirectory): EventSink | undefined {
  return urls('default').issuer.startsWith('http:') ? developmentLog() : undefined
}

/** @throws ConfigError when the function is not a storage, for example `memoryStorage` instead of `memoryStorage()`. */
function storesOf(storage: Storage, realm: string): RealmStorage {
  const stores: RealmStorage = storage(realm)
  if (typeof stores?.clients?.find === 'function') return stores
  throw new ConfigError({
    path: 'storage',
    message: 'it returns no stores; call the function that makes the storage: memoryStorage()',
  })
}

function storageOf(
  { storage, client_cache: seconds = CLIENT_CACHE_SECONDS }: ProviderOptions,
  realm: string,
  now: () => number,
): RealmContext['storage'] {
  const stores = storesOf(storage, realm)
  const clients = cachedClients(stores.clients, { seconds, now })
  return { ...stores, clients, issue: storage.issue?.(realm) }
}
