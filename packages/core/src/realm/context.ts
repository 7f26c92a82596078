/** The context of a realm, and that of one request in it: the first parameter of every endpoint, grant and step. */

import type { DpopProof, Guard } from '@ostiary/resource-server'
import type { OpenKey, Signer } from '../crypto/keys.js'
import type { Secrets } from '../crypto/secrets.js'
import type { VerifiedTokens } from '../crypto/verified-tokens.js'
import type { OAuthError } from '../http/errors.js'
import type { Params } from '../http/params.js'
import type { RefusalReason } from '../refusals/hints.js'
import type { CachedClients } from '../storage/client-cache.js'
import type { Client, Grant, IssueGrant, RealmStorage, TokenEndpointAuthMethod } from '../storage/storage.js'
import type { Hashes, Random } from '../util/secret.js'
import type { UserClaims } from './claims.js'
import type { Clients } from './clients.js'
import type { EventDetails } from './events.js'
import type { AccessPolicy, Account, Accounts, ExchangePolicy, Interactions } from './ports.js'
import type { Realm } from './realm.js'

/** The realm's signing keys, decrypted. */
export interface KeyRing {
  loaded_at: number
  /** The published keys of all algorithms, sorted by `signs_from`. */
  keys: readonly OpenKey[]
}

/** A realm with its storage, keys and ports: what jobs, guards and caches need, which have no request. */
export interface RealmContext {
  realm: Realm
  storage: RealmStorage & {
    clients: CachedClients
    /** Undefined: the storage does not have it. */
    issue: IssueGrant | undefined
  }
  clients: Clients
  /** The methods of client authentication beside secrets. A request uses the first one that finds its credentials. */
  auth_methods: readonly ClientAuthMethod[]
  /** The optional grant types of the realm, by their names. */
  grants: ReadonlyMap<string, GrantType>
  /** What optional capabilities add to the provider metadata. */
  metadata: Readonly<Record<string, unknown>>
  accounts: Accounts
  interactions: Interactions
  secrets: Secrets
  /** Only tokens/signing-keys.ts reads and reloads it. */
  key_ring: { loaded: KeyRing | null; loading: Promise<KeyRing> | null }
  /** Undefined: WebCrypto signs. */
  signer: Signer | undefined
  /** Shared by all realms. */
  verified: VerifiedTokens
  hashes: Hashes
  random: Random
  claims: UserClaims
  /** Whether access tokens can have claims of the user; if not, they are not asked for. */
  claims_in_access_tokens: boolean
  /** The guard named by `oidc.auth.api_guard`. */
  guard: Guard
  /** For requests that the provider itself sends (back-channel logout). */
  fetch: typeof fetch
  /** The same, for clients that an operator made. */
  fetch_of_operator: typeof fetch
  /** Epoch seconds. */
  now(): number
  emit(event: EventDetails): void
  /** Emits an unexpected failure, and returns the error for the client, which does not contain the cause. */
  failure(cause: unknown, route?: string | null): OAuthError
}

/** What the steps have found out about a request, for the event of its refusal. */
interface RequestFacts {
  /** A client that exists, or did when a pending request began. */
  client_id: string | null
  /** Of the code or refresh token that was sent; null until it is found. */
  sub: string | null
  /** As it was sent. */
  redirect_uri: string | null
  /** What `redirect_uri` was compared with. */
  registered_uris: readonly string[]
  /** The query or the form; null until it is read. */
  params: Params | null
}

/** Null for a request without a body. */
type RequestBody = Uint8Array<ArrayBuffer> | null

export interface Context extends RealmContext {
  request: Request
  /** The query of the request's URL, with its `?`; empty when there is none. */
  search: string
  /** For a route that ends in `{path?}`: that part of the URL, without the leading slash. */
  path: string
  /** The body, if the host has read it already; undefined if not. */
  body: RequestBody | undefined
  /** The client's IP address, as the host sees it. */
  address: string | null
  /** The peer that claims `address` without being a trusted proxy; null when the address is certain. */
  peer: string | null
  /** What the host calls the request; undefined when it has no name. */
  request_id: string | undefined
  facts: RequestFacts
  on_flow: ((request: Request, flow: string) => void) | undefined
  exchange_policy: ExchangePolicy
  /** Undefined: the rules of clients alone decide. */
  access_policy: AccessPolicy | undefined
  /** Whether the user of a grant may still use its client. @throws OAuthError `invalid_grant`, and the grant is revoked */
  requireAccess(c: Context, held: { client: Client; user: Account; grant: Grant }): Promise<void> | null
}

/** What a request brings to authenticate its client, by one method. */
export interface SentCredentials {
  client_id: string | null
  method: TokenEndpointAuthMethod
  /** Whether wrong ones are counted, because the right one could be guessed. */
  guessable: boolean
  /**
   * Why they do not authenticate the client, or null.
   * @param client Null when it is unknown or refused already: the work is the same, so that the duration does not tell why.
   * @param endpoints The URLs that an assertion may be addressed to, besides the issuer.
   */
  fault(
    client: Client | null,
    endpoints: readonly string[],
  ): Promise<RefusalReason | null> | RefusalReason | null
}

/**
 * Reads the credentials of one method. Null: the request has none of this method.
 * @throws OAuthError `invalid_request` when they are incomplete or beside others; `invalid_client` when they are malformed
 */
export type ClientAuthMethod = (c: Context, params: Params) => SentCredentials | null

/** A client, and the method by which it has authenticated in this request. */
export interface AuthenticatedClient {
  client: Client
  method: TokenEndpointAuthMethod
}

/** Who makes a token request, and the key that it proves to have. */
export interface TokenRequester extends AuthenticatedClient {
  /** It is spent just before the tokens are stored; null when there is none. */
  proof: DpopProof | null
}

/** RFC 6749 §5.1, OpenID Connect Core §3.1.3.3. */
export interface TokenResponse {
  token_type: 'Bearer' | 'DPoP'
  /** Seconds. */
  expires_in: number
  access_token: string
  scope?: string
  refresh_token?: string
  id_token?: string
  issued_token_type?: string
}

/** The function of a grant type. @throws OAuthError with an error code of RFC 6749 §5.2 */
export type GrantType = (c: Context, requester: TokenRequester, params: Params) => Promise<TokenResponse>
