/** The options of createProvider(), and the provider that it returns. */

import type { Guard } from '@ostiary/resource-server'
import type { CancelError } from '../authorize/cancel-request.js'
import type { UserSession } from '../authorize/session.js'
import type { OidcConfig } from '../config/config.js'
import type { RealmConfig } from '../config/realm-config.js'
import type { Signer } from '../crypto/keys.js'
import type { ProviderRoute, RouteName } from '../http/route-name.js'
import type { TickReport } from '../jobs/tick.js'
import type { EventSink } from '../realm/events.js'
import type {
  AccessPolicy,
  Accounts,
  ClaimsResolver,
  ExchangePolicy,
  FetchDocument,
  Interactions,
  Login,
  LoginPrompt,
} from '../realm/ports.js'
import type { Realm } from '../realm/realm.js'
import type { Storage } from '../storage/storage.js'
import type { OidcPrincipal } from '../tokens/bearer-token.js'
import type { GuardScopes } from '../tokens/oidc-guard.js'
import type { Hashes, Random } from '../util/secret.js'
import type { Management } from './management.js'

/** A pending request that the user leaves. */
export interface CancelledRequest extends Pick<LoginPrompt, 'return_to'> {
  /** What the client gets; `access_denied` when absent. */
  error?: CancelError
}

/**
 * The options of `createProvider`. Required are `secret`, `storage`, `accounts`, `interactions` and an issuer (`oidc.issuer`
 * or `app_url`).
 */
export interface ProviderOptions {
  /** The `oidc.*` keys. */
  oidc?: OidcConfig
  /** The issuer when `oidc.issuer` is absent. */
  app_url?: string
  /** At least 32 characters. It encrypts the stored signing keys, which cannot be used without it. */
  secret: string
  /**
   * The secret before its last change: what it has encrypted is still decrypted. `manage().keys.reseal()` encrypts the stored signing
   * keys with `secret`; then this one is no longer needed.
   */
  previous_secret?: string
  /** `memoryStorage()` of `@ostiary/core/memory`, or an adapter. */
  storage: Storage
  /** The users. */
  accounts: Accounts
  /** The pages. */
  interactions: Interactions
  /** Returns the claims of ID tokens and of UserInfo; when absent, the standard claims of the granted scopes. */
  claims?: ClaimsResolver
  /**
   * Receives every security event. What it throws is ignored. When absent: `developmentLog()` if the issuer is plain http,
   * otherwise nothing.
   */
  on_event?: EventSink
  /**
   * Told, before its events, to which authorization request a request belongs: the first 16 characters of that one's hash, the same from its
   * sign-in to its code.
   */
  on_flow?: (request: Request, flow: string) => void
  /** Epoch seconds, an integer. */
  now?: () => number
  /** Whether a failure of storage, accounts or pages is temporary: the answer is then 503, not 500. */
  unavailable?: (cause: unknown) => boolean
  /**
   * Seconds that this process may keep a client's record; 5 when absent, 0 for never. A change by another server takes effect here after this time at the latest; one through this provider at once.
   */
  client_cache?: number
  /** Signs with a private key; WebCrypto when absent. */
  signer?: Signer
  /** Hashes of codes, tokens and secrets; JavaScript when absent. A runtime may be faster. */
  hashes?: Hashes
  /** Random bytes for ids and secrets; the platform's when absent. */
  random?: Random
  /** Decides on token exchanges; the default checks the client's `allowed_exchange_audiences`. */
  exchange_policy?: ExchangePolicy
  /** Decides who may use which client, beside the rules of the client. */
  access_policy?: AccessPolicy
  /** For back-channel logout; it must reach public addresses only. */
  fetch?: typeof fetch
  /**
   * The same for clients that an operator made, in place of `fetch`: it may also reach receivers that the operator has listed.
   * `fetch` when absent.
   */
  fetch_of_operator?: typeof fetch
  /**
   * Reads the documents and keys that clients publish (`oidc.clients.metadata_documents`, `jwks_uri`). It must reach public
   * addresses only: see `FetchDocument`.
   */
  fetch_document?: FetchDocument
  /**
   * Guards by name; UserInfo uses the one named by `oidc.auth.api_guard`. A guard from `createGuard` refuses tokens that are bound
   * to a key unless it has the option `dpop`, also where `oidc.dpop` is on.
   */
  guards?: Record<string, (realm: Realm) => Guard>
  /** Looks a realm up by its id, instead of the static map `oidc.realms`. */
  realms?: (id: string) => Promise<RealmConfig | null>
}

/** What the host knows about a request besides the `Request` itself. */
export interface RequestInfo {
  /** The client's IP address, as a trusted host sees it. */
  address?: string
  /**
   * The IP address of the connection's peer, where `address` is only its claim, as it is no trusted proxy. Limits per address count
   * it too, and allow it ten times as much.
   */
  peer?: string
  /** The body, if the host has read it already; null for a request without one. At most 64 KiB. */
  body?: Uint8Array<ArrayBuffer> | null
  /** The id of the request in the host's log: the events of the request carry it. */
  request_id?: string
}

/**
 * The request to which a call is part of the answer: its events have the id, and the event of a login has the address, unless there
 * is a `peer`.
 */
export type CallOrigin = Pick<RequestInfo, 'request_id' | 'address' | 'peer'>

/** The realm that a request belongs to, and its path there. */
export interface RequestLocation {
  realm: Realm
  /** Below the realm, e.g. `/login`. */
  path: string
}

/** The realm whose tokens a guard accepts, the resource that its challenges name, and the scopes. */
export interface RealmGuardOptions extends GuardScopes {
  /** `default` when absent. */
  realm?: string
  /** A key of `oidc.resources`: challenges point at its document. */
  resource?: string
  /**
   * Accepts tokens for these resources alone: keys of `oidc.resources`, or URIs. By default tokens for the issuer, and for every
   * resource that has a path below it.
   */
  audience?: readonly string[]
  /**
   * The URL of a request as clients see it, with which DPoP proofs are compared, behind a proxy that changes the path. By default the issuer's origin with the path of the request. Do not use the header `Host`: the client chooses it.
   */
  public_url?(request: Request): string
}

/** An OAuth 2.0 and OpenID Connect provider. Its methods may be called at the same time. */
export interface Provider {
  /**
   * Answers every route of the provider, and 404 for everything else.
   * @throws MissingViewError when the application supplies no consent view and one is needed.
   */
  fetch(request: Request, info?: RequestInfo): Promise<Response>
  /**
   * The answer of `fetch` to GET for a document that is the same for every request (discovery, JWKS, the metadata of a protected
   * resource), at once.
   * @returns Null for every other request, and when the realm or its keys have to be read first: then call `fetch`.
   */
  document(request: Request): Response | null
  /** Calls a handler by its route name, for an application that mounts it at a path of its own. */
  handle(
    name: RouteName,
    request: Request,
    options?: { realm?: string; path?: string } & RequestInfo,
  ): Promise<Response>
  /** Every route, also those that a realm has not turned on. */
  readonly routes: readonly ProviderRoute[]
  /** The absolute URL of a route. */
  url(name: RouteName, options?: { realm?: string; path?: string }): string
  /** The realm of the URL of a request, and the path below it; null when there is no such realm. */
  locate(request: Pick<Request, 'url'>): Promise<RequestLocation | null>
  /**
   * The application has authenticated the user: starts a session, sets its cookie, and continues with the pending request or a page of
   * the application. When that request is unknown or expired, no session starts, and the answer is `interactions.error` for a browser
   * that navigates, or JSON. After a prompt with the reason `acr`, the session of the same user is raised as by `confirm`.
   */
  login(request: Request, login: Login, origin?: CallOrigin): Promise<Response>
  /**
   * The user of this browser's session has authenticated again, or more strongly: raises the session in place and continues as `login`.
   * `amr` becomes the union, `acr` the higher one, and the cookie a new one. `sid`, clients, grants and end of the session stay, and no
   * application is signed out. Without a session, and for another user, it does what `login` does.
   */
  confirm(request: Request, login: Login, origin?: CallOrigin): Promise<Response>
  /**
   * The user goes back to the client instead of signing in: answers the pending request with `error`, once, so that a sign-in that ends
   * later in another tab gets no code. No session ends. Check first that the request is a form of your own page. One that is unknown,
   * expired or answered, or whose redirect URI is not registered any more, gets an error without a redirect, any method but POST 405.
   */
  cancel(request: Request, waiting: CancelledRequest, info?: RequestInfo): Promise<Response>
  /** The signed-in user of the browser that sent this request, with the session; null when there is none. */
  session(request: Request, origin?: CallOrigin): Promise<UserSession | null>
  /** The login prompt that `return_to` stands for; null when it is unknown or expired. */
  loginPrompt(request: Request, return_to: string): Promise<LoginPrompt | null>
  /** The bearer-token guard of a realm (RFC 9068 §4), aware of revocations. */
  guard(options?: RealmGuardOptions): Guard<OidcPrincipal>
  /**
   * Background work: ends expired sessions, retires keys, purges expired records, and starts due back-channel
   * logouts without waiting for them. Call it every few seconds, on several servers too.
   * @param realms Ids. When absent: every realm in which something is due; with a storage without `background` every realm in memory,
   * after a restart not all of the `realms` look-up.
   */
  tick(realms?: readonly string[]): Promise<TickReport>
  /** The next request calls the `realms` look-up for this id again, instead of one within 10 seconds. */
  forgetRealm(id: string): void
  /** Resolves when no back-channel logout is under way in this process. */
  settled(): Promise<void>
  /** Starts no more back-channel logouts, and aborts those under way: they are due again later. Resolves when all have ended. */
  stop(): Promise<void>
  /** Clients, consents, grants, sessions and keys of a realm; of `default` when absent. */
  manage(realm?: string, origin?: CallOrigin): Promise<Management>
}
