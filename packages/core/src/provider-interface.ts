/** What createProvider takes and what it gives. */

import type { Guard } from '@ostiary/resource-server'
import type { OidcConfig, RealmConfig } from './config.js'
import type { EventSink } from './events.js'
import type { Management } from './management.js'
import type { Accounts, ClaimsResolver, ExchangePolicy, Interactions, Login, LoginPrompt } from './ports.js'
import type { Random } from './protocol/secret.js'
import type { Realm } from './realm.js'
import type { RouteName } from './routes.js'
import type { OidcPrincipal } from './steps/bearer-token.js'
import type { UserSession } from './steps/session.js'
import type { Storage } from './storage.js'
import type { Signer } from './tokens/keys.js'

/**
 * What `createProvider` takes. `secret`, `storage`, `accounts` and `interactions` are needed, and an issuer:
 * `oidc.issuer` or `app_url`.
 */
export interface ProviderOptions {
  /** The `oidc.*` keys. */
  oidc?: OidcConfig
  /** Stands in for `oidc.issuer`. */
  app_url?: string
  /** At least 32 characters. Seals the signing keys; losing it means new keys. */
  secret: string
  /** Where the records are: `memoryStorage()` of `@ostiary/core/memory`, or an adapter. */
  storage: Storage
  /** The people. */
  accounts: Accounts
  /** The pages. */
  interactions: Interactions
  /** Which claims go where; the standard ones by scope when absent. */
  claims?: ClaimsResolver
  /** Told of everything that matters for security. It cannot make a request fail. */
  on_event?: EventSink
  /** Epoch seconds, an integer. */
  now?: () => number
  /** Whether a failure of storage, accounts or pages means that they are away for now: 503 instead of 500. */
  unavailable?: (cause: unknown) => boolean
  /**
   * Seconds that a client's record may be kept in this process; 5 when absent, 0 for never. So long a client that was
   * revoked or changed by another server may go on here; a change through this provider counts at once.
   */
  client_cache?: number
  /** How a private key signs; WebCrypto when absent. */
  signer?: Signer
  /** Random bytes for ids and secrets; the platform's when absent. */
  random?: Random
  /** Who may exchange which token for what; the default asks `allowed_exchange_audiences`. */
  exchange_policy?: ExchangePolicy
  /** For back-channel logout. The host's job is to let it reach public addresses only. */
  fetch?: typeof fetch
  /** Guards by name; UserInfo uses the one named by `oidc.auth.api_guard`. */
  guards?: Record<string, (realm: Realm) => Guard>
  /** Looks a realm up by its id, instead of the static map `oidc.realms`. */
  realms?: (id: string) => Promise<RealmConfig | null>
}

/** What a request does not say by itself. */
export interface RequestInfo {
  /** The client's IP address, as a trusted host sees it. */
  address?: string
  /** The request's body, when the host has read it already; null: there is none. It may be 64 KiB long. */
  body?: Uint8Array<ArrayBuffer> | null
}

/** The realm that a request belongs to, and its path there. */
export interface RequestLocation {
  realm: Realm
  /** Below the realm, e.g. `/login`. */
  path: string
}

/** Which tokens a guard is for. */
export interface GuardChoice {
  /** `default` when absent. */
  realm?: string
  /** A key of `oidc.resources`: challenges point at its document. */
  resource?: string
}

/** What a tick did, in numbers. */
export interface TickReport {
  sessions_ended: number
  keys_retired: number
  records_purged: number
}

/** An OAuth 2.0 and OpenID Connect provider. Its methods may be called at the same time. */
export interface Provider {
  /**
   * Answers every route of the provider, and 404 for everything else.
   * @throws MissingViewError when the application supplies no consent view and one is needed.
   */
  fetch(request: Request, info?: RequestInfo): Promise<Response>
  /** Calls a handler by its route name, wherever the application has mounted it. */
  handle(
    name: RouteName,
    request: Request,
    options?: { realm?: string; path?: string } & RequestInfo,
  ): Promise<Response>
  /** The absolute URL of a route. */
  url(name: RouteName, options?: { realm?: string; path?: string }): string
  /** The realm of a URL and the path below it; null when there is no such realm. */
  locate(request: Request): Promise<RequestLocation | null>
  /**
   * The application has checked who is there: starts a session, sets its cookie and goes on with the stored request, or
   * to a page of the application's own. When the request is unknown or expired, `interactions.error` answers and no session is started.
   */
  login(request: Request, login: Login): Promise<Response>
  /** Who is signed in with the browser that sent this request, and with which session; null when nobody is. */
  session(request: Request): Promise<UserSession | null>
  /** What waits behind `return_to`; null when it is unknown or expired. */
  loginPrompt(request: Request, return_to: string): Promise<LoginPrompt | null>
  /** The bearer-token guard of a realm (RFC 9068 §4), aware of revocations. */
  guard(choice?: GuardChoice): Guard<OidcPrincipal>
  /**
   * Work that no request waits for: sessions that have expired, keys to retire, a purge. It starts the back-channel logouts
   * that are due and does not wait for them. Call it every few seconds; several servers may.
   * @param realms Ids; every realm in memory when absent, which after a restart are not all that a look-up knows.
   */
  tick(realms?: readonly string[]): Promise<TickReport>
  /** Resolves when no back-channel logout is under way in this process. */
  settled(): Promise<void>
  /** Starts no more back-channel logouts, ends those under way (they are due again later), and resolves when all have ended. */
  stop(): Promise<void>
  /** Consents, sessions and keys of a realm, for its owner. `default` when absent. */
  manage(realm?: string): Promise<Management>
}
