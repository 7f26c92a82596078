/** The stored records, with the names of the wire. Times are epoch seconds; hashes are base64url SHA-256. */

import type { FeatureRecord } from '../features/declarations.js'
import type { SigningAlgorithm, TokenEndpointAuthMethod } from './client-records.js'

export type * from './client-records.js'

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

/** A consent that the user has just given to a client. */
export interface ConsentApproval {
  sub: string
  client_id: string
  /** Sorted by resource, each resource once. */
  approved: { resource: string; scopes: string[] }[]
}

/** The result of one authorization. Its code, refresh tokens and access tokens are valid only while the grant is. */
export interface Grant {
  grant_id: string
  client_id: string
  sub: string
  /** The session in which the grant was made; empty for a grant of a device, which belongs to no session. */
  sid: string
  /** True when `offline_access` was granted: the grant outlives its session. */
  offline: boolean
  scopes: string[]
  resource: string | null
  auth_time: number | null
  amr: string[]
  acr: string | null
  /** How the client authenticated when it redeemed the code; null before. */
  client_auth: TokenEndpointAuthMethod | null
  /** The thumbprint of the key that its refresh tokens are bound to (RFC 9449 §5), for a public client; null: no key. */
  jkt: string | null
  created_at: number
  /** After this the grant, its code and its refresh tokens may be deleted. */
  expires_at: number
  revoked_at: number | null
}

/** A code (RFC 6749 §4.1.2), with the values that the token request must match. */
export interface AuthorizationCode {
  code_hash: string
  grant_id: string
  redirect_uri: string
  /** False when the request left `redirect_uri` out, so the token request may too (RFC 6749 §4.1.3). */
  redirect_uri_sent: boolean
  /** S256 (RFC 7636 §4.2); null for a client that may leave out PKCE, and has done so. */
  code_challenge: string | null
  nonce: string | null
  /** The thumbprint of the key that must redeem it (RFC 9449 §10); null: any key, or none. */
  dpop_jkt: string | null
  expires_at: number
  redeemed_at: number | null
}

/** A refresh token (RFC 6749 §1.5). `spent_at` is set when the token is rotated. */
export interface RefreshToken {
  token_hash: string
  grant_id: string
  created_at: number
  expires_at: number
  spent_at: number | null
}

/** What is stored when a refresh token is spent. */
export interface RefreshTokenRotation {
  refresh_token: RefreshToken | null
  grant_expires_at: number
}

/** What is stored when a refresh token is used and stays the same. Epoch seconds. */
export interface RefreshTokenRenewal {
  /** When the token expires unless it is used again. */
  expires_at: number
  grant_expires_at: number
}

/** What is stored when a code is redeemed. */
export interface CodeRedemption extends RefreshTokenRotation {
  client_auth: TokenEndpointAuthMethod
  jkt: string | null
}

/** The sign-in of a user with one browser. */
export interface Session {
  /** The `sid` of ID tokens and logout tokens: public. */
  sid: string
  /** Hash of the cookie's secret. */
  session_hash: string
  sub: string
  /** When the user authenticated; null when the application does not know. */
  auth_time: number | null
  amr: string[]
  acr: string | null
  /** When the login ended and this session began. */
  created_at: number
  /** When the user last authenticated again in this session; null when it was not raised since `created_at`. */
  raised_at: number | null
  expires_at: number
  /** The `User-Agent` of the browser that signed in: printable ASCII, 255 characters at most. Null when it is not known. */
  user_agent: string | null
  /** When the browser last used the session, to 15 minutes; null when it has not since `created_at`. */
  last_used_at: number | null
  /** Clients that have got a code in this session. */
  client_ids: string[]
}

/** What changes when the user authenticates again, or more strongly, in a session that goes on. */
export type RaisedSession = Pick<Session, 'session_hash' | 'auth_time' | 'amr' | 'acr'> & {
  raised_at: number
}

/** A validated authorization request. While it waits for a login or a consent, it does not change. */
export interface AuthorizationRequest {
  client_id: string
  redirect_uri: string
  redirect_uri_sent: boolean
  state: string | null
  /** The requested scopes and the client's default scopes. */
  scopes: string[]
  resource: string | null
  code_challenge: string | null
  nonce: string | null
  prompt: ('none' | 'login' | 'consent' | 'select_account' | 'create')[]
  max_age: number | null
  acr_values: string[]
  /** Languages for the pages; absent when the request has none. */
  ui_locales?: string[]
  /** For the name field of the sign-in page; absent when the request has none that is usable. */
  login_hint?: string
  /** The `sub` of a verified `id_token_hint`. */
  hinted_sub: string | null
  /** The thumbprint of the key that must redeem the code (RFC 9449 §10); absent when the request has none. */
  dpop_jkt?: string
}

/** A validated logout request (OpenID Connect RP-Initiated Logout §2) that waits for the user's confirmation. */
export interface LogoutRequest {
  client_id: string | null
  post_logout_redirect_uri: string | null
  /** The request named an address that is not registered for the client: the signed-out page says so. */
  redirect_refused?: true
  state: string | null
  /** Languages for the pages; absent when the request has none. */
  ui_locales?: string[]
}

interface PendingRecord {
  /** Hash of the record's one-time token. */
  pending_hash: string
  expires_at: number
}

/**
 * Why a login is needed: no session, a new login requested by `prompt`, a login that is older than `max_age`, or one that does
 * not satisfy `acr_values`.
 */
export type LoginReason = 'signed_out' | 'prompt' | 'max_age' | 'acr'

/** An authorization request that waits for a login. */
export interface PendingAuthorization extends PendingRecord {
  kind: 'authorization'
  request: AuthorizationRequest
  /** Only a session that began or was raised at this time or later satisfies the request; null: any session does. */
  login_required_since: number | null
  /** Why a login is needed, for the login page; null when no login is needed. */
  login_reason: LoginReason | null
}

/** An authorization request that waits for the user's consent, in one session. */
export interface PendingConsent extends PendingRecord {
  kind: 'consent'
  request: AuthorizationRequest
  sid: string
  /** The `pending_hash` of the authorization request that this consent is for; both are answered together. */
  authorization_hash: string
  /** True when the browser carries that authorization request, sealed; false when it is stored. */
  authorization_sealed: boolean
}

/** A sign-out that waits for the user's confirmation, in one session. */
export interface PendingLogout extends PendingRecord {
  kind: 'logout'
  request: LogoutRequest
  sid: string
}

/**
 * An authorization request that the client has pushed (RFC 9126). `pending_hash` is that of the last part of its request_uri.
 * The answer takes the record, so that each request is answered only once.
 */
export interface PushedAuthorization extends PendingRecord {
  kind: 'pushed'
  request: AuthorizationRequest
  /** From this time on, it is unknown at the authorization endpoint unless it was used there before. */
  first_use_before: number
}

/** Marks a pushed authorization request as used at the authorization endpoint. */
export interface UsedPushedAuthorization extends PendingRecord {
  kind: 'pushed_used'
}

/** Marks a sealed authorization request as answered: each request is answered only once. */
export interface AnsweredAuthorization extends PendingRecord {
  kind: 'answered'
}

/** A record of another package, which alone opens it. */
export interface SealedRecord extends PendingRecord {
  kind: 'sealed'
  sealed: string
}

/** The record of a one-time token. */
export type Pending =
  | PendingAuthorization
  | PendingConsent
  | PendingLogout
  | PushedAuthorization
  | UsedPushedAuthorization
  | AnsweredAuthorization
  | FeatureRecord
  | SealedRecord

/** The public members of a signing key (RFC 7518 §6, RFC 8037 §2). */
export type PublicSigningJwk =
  | { kty: 'RSA'; n: string; e: string }
  | { kty: 'EC'; crv: 'P-256'; x: string; y: string }
  | { kty: 'OKP'; crv: 'Ed25519'; x: string }

/** A signing key of a realm (RFC 7517). Of each algorithm, the newest key whose `signs_from` has passed signs. */
export interface SigningKey {
  /** RFC 7638 thumbprint. */
  kid: string
  alg: SigningAlgorithm
  /** Public members only, JSON. */
  public_jwk: PublicSigningJwk
  /** AES-256-GCM under a key derived from the provider's secret, base64url. */
  sealed_private_key: string
  /** The key is published at once, and signs from this time on. */
  signs_from: number
  created_at: number
}

/** One back-channel logout notification (OpenID Connect Back-Channel Logout §2.5). */
export interface LogoutDelivery {
  delivery_id: string
  client_id: string
  sub: string
  sid: string
  /** The client's address when the session ended. Each attempt goes to the one that the client has then. */
  uri: string
  /** The host of `uri`; the number of parallel deliveries to one host is limited. */
  host: string
  session_required: boolean
  created_at: number
  attempts: number
  /** The delivery is due from this time on; a claim moves it to the end of the lease. */
  next_attempt_at: number
}
