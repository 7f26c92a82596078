/**
 * What is stored, and the rule of each operation. Adapters decide nothing: reads return what is stored, atomic
 * writes say whether they won. Client match, PKCE, expiry and replay are core's. Times are epoch seconds and come
 * from core. Secrets, codes, tokens and session ids arrive as hashes (base64url SHA-256).
 * `@ostiary/storage-conformance` tests every rule.
 */

export type TokenEndpointAuthMethod = 'none' | 'client_secret_basic' | 'client_secret_post'

/** RFC 7591 §2 names, and what the contract adds. */
export interface Client {
  client_id: string
  /** Null for a public client. */
  client_secret_hash: string | null
  client_name: string
  token_endpoint_auth_method: TokenEndpointAuthMethod
  redirect_uris: string[]
  post_logout_redirect_uris: string[]
  grant_types: string[]
  response_types: string[]
  backchannel_logout_uri: string | null
  backchannel_logout_session_required: boolean
  /** Audiences that the client may ask for in a token exchange (RFC 8693). */
  allowed_exchange_audiences: string[]
  /** False: the consent view is never shown, and no consent is stored. */
  consent_required: boolean
  /** First-party marker: no consent view, not even for `prompt=consent`. */
  trusted: boolean
  /** Null: the realm's own assignment. An entry is a scope, `*` (optional only) or `<resource> <scope>`. */
  default_scopes: string[] | null
  optional_scopes: string[] | null
  /** True when the client registered itself (RFC 7591). */
  self_registered: boolean
  client_id_issued_at: number
  revoked_at: number | null
}

/** One row per realm, user, client and resource. */
export interface Consent {
  sub: string
  client_id: string
  /** A resource's URI, or the realm's issuer for a request that names none. */
  resource: string
  /** The union of every scope set that the user approved here. */
  scopes: string[]
  created_at: number
  updated_at: number
  revoked_at: number | null
}

export interface ConsentApproval {
  sub: string
  client_id: string
  /** Sorted by resource, each resource once. */
  approved: { resource: string; scopes: string[] }[]
}

/** What one authorization gave: its code, refresh tokens and access tokens live and die with it. */
export interface Grant {
  grant_id: string
  client_id: string
  sub: string
  /** The session it came from. */
  sid: string
  /** True when `offline_access` was granted: the grant outlives its session. */
  offline: boolean
  scopes: string[]
  resource: string | null
  auth_time: number | null
  amr: string[]
  acr: string | null
  created_at: number
  /** After this the grant and all that hangs on it may be forgotten. */
  expires_at: number
  revoked_at: number | null
}

export interface AuthorizationCode {
  code_hash: string
  grant_id: string
  redirect_uri: string
  /** False when the request left `redirect_uri` out, so the token request may too (RFC 6749 §4.1.3). */
  redirect_uri_sent: boolean
  /** S256 (RFC 7636 §4.2). */
  code_challenge: string
  nonce: string | null
  expires_at: number
  redeemed_at: number | null
}

export interface RefreshToken {
  token_hash: string
  grant_id: string
  created_at: number
  expires_at: number
  spent_at: number | null
}

/** What spending a code or a refresh token leaves behind. */
export interface Succession {
  refresh_token: RefreshToken | null
  grant_expires_at: number
}

/** A person signed in with one browser. */
export interface Session {
  /** The `sid` of ID tokens and logout tokens: public. */
  sid: string
  /** Hash of the cookie's secret. */
  session_hash: string
  sub: string
  /** When the person authenticated; null when the application does not know. */
  auth_time: number | null
  amr: string[]
  acr: string | null
  /** When the login ended and this session began. */
  created_at: number
  expires_at: number
  /** Clients that were given a code in this session. */
  client_ids: string[]
}

/** A validated authorization request: what waits for login or consent is exactly what was asked. */
export interface AuthorizationRequest {
  client_id: string
  redirect_uri: string
  redirect_uri_sent: boolean
  state: string | null
  /** In play: the requested ones and the client's defaults. */
  scopes: string[]
  resource: string | null
  code_challenge: string
  nonce: string | null
  prompt: ('none' | 'login' | 'consent' | 'select_account')[]
  max_age: number | null
  acr_values: string[]
  /** The `sub` of a verified `id_token_hint`. */
  hinted_sub: string | null
}

/** A validated logout request (OpenID Connect RP-Initiated Logout §2) that waits for the person's yes. */
export interface LogoutRequest {
  client_id: string | null
  post_logout_redirect_uri: string | null
  state: string | null
}

interface PendingRecord {
  /** Hash of the one-time token that names it. */
  pending_hash: string
  expires_at: number
}
/** An authorization request that waits for a login. */
export interface PendingAuthorization extends PendingRecord {
  kind: 'authorization'
  request: AuthorizationRequest
  /** A session from before this moment does not satisfy the request; null: any session does. */
  login_required_since: number | null
}
/** An authorization request that waits for the user's consent, in one session. */
export interface PendingConsent extends PendingRecord {
  kind: 'consent'
  request: AuthorizationRequest
  sid: string
  /** The authorization that this consent is for; both are used up together. */
  authorization_hash: string
}
export interface PendingLogout extends PendingRecord {
  kind: 'logout'
  request: LogoutRequest
  sid: string
}
export type Pending = PendingAuthorization | PendingConsent | PendingLogout

export interface SigningKey {
  /** RFC 7638 thumbprint. */
  kid: string
  alg: 'RS256'
  /** Public members only, JSON. */
  public_jwk: { kty: string; n: string; e: string }
  /** AES-256-GCM under a key derived from the provider's secret, base64url. */
  sealed_private_key: string
  /** Published from the start; it signs from this moment on. */
  signs_from: number
  created_at: number
}

/** One back-channel logout notification (OpenID Connect Back-Channel Logout §2.5). */
export interface LogoutDelivery {
  delivery_id: string
  client_id: string
  sub: string
  sid: string
  uri: string
  session_required: boolean
  created_at: number
  attempts: number
  /** Due from this moment on; a claim moves it to the end of the lease. */
  next_attempt_at: number
}

export interface ClientStore {
  find(client_id: string): Promise<Client | null>
  /** False when the id is taken. */
  create(client: Client): Promise<boolean>
  /** Replaces the record; false when there is none. */
  update(client: Client): Promise<boolean>
  /** Sets `revoked_at`; false when there is no such client or it is revoked already. */
  revoke(client_id: string, now: number): Promise<boolean>
  /** By `client_id`, after the given one. */
  list(page: { after?: string; limit: number }): Promise<Client[]>
}

export interface ConsentStore {
  /** Rows of these resources, revoked ones included. */
  find(sub: string, client_id: string, resources: string[]): Promise<Consent[]>
  /** ATOMIC. Union with a live row; a revoked row comes back with the newly approved scopes alone. */
  merge(approval: ConsentApproval, now: number): Promise<void>
  /** Sets `revoked_at` on one row, or on every row of the client when no resource is named. Returns how many. */
  revoke(selection: { sub: string; client_id: string; resource?: string }, now: number): Promise<number>
  list(sub: string): Promise<Consent[]>
}

export type GrantSelection =
  | { grant_id: string }
  /** Grants of a session that do not outlive it. */
  | { sid: string }
  | { sub: string; client_id: string }

export interface GrantStore {
  /** The grant and its code, in one step. */
  create(grant: Grant, code: AuthorizationCode): Promise<void>
  find(grant_id: string): Promise<Grant | null>
  findCode(code_hash: string): Promise<{ code: AuthorizationCode; grant: Grant } | null>
  /** ATOMIC. Marks the code redeemed and stores what follows; true for one caller only. */
  redeemCode(code_hash: string, next: Succession, now: number): Promise<boolean>
  findRefreshToken(token_hash: string): Promise<{ refresh_token: RefreshToken; grant: Grant } | null>
  /** ATOMIC. Marks the token spent and stores what follows; true for one caller only. */
  rotateRefreshToken(token_hash: string, next: Succession, now: number): Promise<boolean>
  /** Sets `revoked_at` where it is not set. Returns how many. */
  revoke(selection: GrantSelection, now: number): Promise<number>
}

/** Revoked tokens that have no grant (client_credentials, token exchange). */
export interface RevokedTokenStore {
  add(jti: string, expires_at: number): Promise<void>
  has(jti: string): Promise<boolean>
}

export interface SessionStore {
  create(session: Session): Promise<void>
  find(session_hash: string): Promise<Session | null>
  /** ATOMIC. Adds the client to `client_ids` once; false when there is no such session. */
  join(sid: string, client_id: string): Promise<boolean>
  /** ATOMIC take: the session for one caller only. */
  end(sid: string): Promise<Session | null>
  /** Sessions past `expires_at` that nobody has ended yet. */
  expired(now: number, limit: number): Promise<Session[]>
  list(sub: string): Promise<Session[]>
}

export interface PendingStore {
  put(pending: Pending): Promise<void>
  find(pending_hash: string): Promise<Pending | null>
  /** ATOMIC take: the record for one caller only. */
  take(pending_hash: string): Promise<Pending | null>
}

export interface KeyStore {
  /** Oldest `signs_from` first. */
  list(): Promise<SigningKey[]>
  /** ATOMIC insert-if-none: stores `first` only when the realm has no key, and returns the realm's keys. */
  ensure(first: SigningKey): Promise<SigningKey[]>
  add(key: SigningKey): Promise<void>
  drop(kid: string): Promise<void>
}

export interface LogoutStore {
  add(deliveries: LogoutDelivery[]): Promise<void>
  /** ATOMIC. Due deliveries, each moved to `now + lease` and its `attempts` counted, for one caller only. */
  claim(now: number, lease: number, limit: number): Promise<LogoutDelivery[]>
  /** Delivered or given up: forgotten. Otherwise due again at `next_attempt_at`. */
  settle(delivery_id: string, next_attempt_at: number | null): Promise<void>
}

export interface Throttle {
  /** ATOMIC. Counts one hit in the key's current window and returns the hits in it so far. */
  hit(key: string, window_seconds: number, now: number): Promise<number>
}

export interface RealmStorage {
  clients: ClientStore
  consents: ConsentStore
  grants: GrantStore
  revoked_tokens: RevokedTokenStore
  sessions: SessionStore
  pending: PendingStore
  keys: KeyStore
  logouts: LogoutStore
  throttle: Throttle
  /** Forgets what has expired, in small batches; returns how many records went. */
  purge(now: number): Promise<number>
}

/** Stores are born scoped to a realm, so that a realm can never be forgotten. */
export type Storage = (realm: string) => RealmStorage
