/** What every endpoint is given. */

import type { Guard } from '@ostiary/resource-server'
import type { CachedClients } from './client-cache.js'
import type { OAuthError } from './errors.js'
import type { EventDetails } from './events.js'
import type { Accounts, ClaimsResolver, ExchangePolicy, Interactions } from './ports.js'
import type { Random } from './protocol/secret.js'
import type { Realm } from './realm.js'
import type { RealmStorage } from './storage.js'
import type { OpenKey, Signer } from './tokens/keys.js'
import type { Secrets } from './tokens/secrets.js'
import type { VerifiedTokens } from './tokens/verified-tokens.js'

/** The realm's signing keys, opened. */
export interface KeyRing {
  loaded_at: number
  /** Published ones, by `signs_from`. */
  keys: readonly OpenKey[]
}

/** A realm at work, without a request: what jobs, guards and caches need. */
export interface RealmContext {
  realm: Realm
  storage: RealmStorage & { clients: CachedClients }
  accounts: Accounts
  secrets: Secrets
  /** Kept up to date by steps/signing-keys.ts. */
  key_ring: { loaded: KeyRing | null; loading: Promise<KeyRing> | null }
  /** WebCrypto when undefined. */
  signer: Signer | undefined
  /** Of all realms. */
  verified: VerifiedTokens
  random: Random
  claims: ClaimsResolver
  /** The guard named by `oidc.auth.api_guard`. */
  guard: Guard
  /** For what the provider itself sends (back-channel logout). */
  fetch: typeof fetch
  /** Epoch seconds. */
  now(): number
  emit(event: EventDetails): void
  /** What the client is told of a failure that nobody expected. The cause goes to the event alone. */
  failure(cause: unknown, route?: string | null): OAuthError
}

/** Null: there is none. */
type RequestBody = Uint8Array<ArrayBuffer> | null

export interface Context extends RealmContext {
  request: Request
  /** The query of its URL, with its `?`; empty when there is none. */
  search: string
  /** What a route with a `{path?}` was asked for, without the leading slash. */
  path: string
  /** What the host has read of the request already; undefined: nothing. */
  body: RequestBody | undefined
  /** The client's IP address, as the host sees it. */
  address: string | null
  interactions: Interactions
  exchange_policy: ExchangePolicy
}
