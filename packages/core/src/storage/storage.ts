/**
 * The storage interface, with the rule of each operation. An adapter decides nothing: a read returns what is stored, and an
 * atomic write returns whether it has changed the record. Core checks the client, PKCE, expiry and replay. Times are epoch
 * seconds and come from core. Secrets, codes, tokens and the values of cookies arrive as hashes (base64url SHA-256). The ids and hashes
 * of one person's records end with the tag of that person's `sub` (tag.ts): a `sid`, a `session_hash`, a `grant_id`, a `code_hash`, the
 * `token_hash` of a refresh token.
 * `@ostiary/storage-conformance` tests every rule.
 */

import type { BackgroundStorage } from './background-storage.js'
import type { ClientDocumentStore, ClientStore, ClientSweep, SweepStep } from './client-storage.js'
import type {
  AuthorizationCode,
  CodeRedemption,
  Consent,
  ConsentApproval,
  Grant,
  LogoutDelivery,
  Pending,
  RaisedSession,
  RefreshToken,
  RefreshTokenRenewal,
  RefreshTokenRotation,
  Session,
  SigningKey,
} from './records.js'

export type * from './background-storage.js'
export type * from './client-storage.js'
export type * from './records.js'
export { isStorableText, isTombstone, requireStorableClient } from './storable-client.js'

/** Consents: a row for each user, client and resource. */
export interface ConsentStore {
  /** Rows of these resources, revoked ones included. */
  find(sub: string, client_id: string, resources: string[]): Promise<Consent[]>
  /** ATOMIC. Adds the scopes to the row; a revoked row becomes valid again with only the newly approved scopes. */
  merge(approval: ConsentApproval, now: number): Promise<void>
  /** Sets `revoked_at` on one row, or on every row of the client when no resource is named. Returns how many. */
  revoke(selection: { sub: string; client_id: string; resource?: string }, now: number): Promise<number>
  list(sub: string): Promise<Consent[]>
  /** Deletes every row of a user, or every row of one client. Returns how many. */
  delete(selection: { sub: string; client_id?: string }): Promise<number>
  /** Deletes rows of the client whose `updated_at` is before `before`. */
  deleteOfClient(sweep: ClientSweep): Promise<SweepStep>
}

/** Grants of a user: all of them, or those that match every given field. */
export interface GrantsOfUser {
  sub: string
  client_id?: string
  /** Null: grants that name no resource. */
  resource?: string | null
  /** False: only grants that end with their session. */
  offline?: false
}

/** Which grants to revoke. */
export type GrantSelection =
  | { grant_id: string }
  /** Grants of a session that do not outlive it. */
  | { sid: string }
  | GrantsOfUser

/** Spent refresh tokens of one grant that are kept to detect their reuse. */
export const MAX_SPENT_REFRESH_TOKENS = 200

/**
 * Grants, each with its code and its refresh tokens. A redeemed code is kept as long as its grant, a spent refresh token
 * until it expires, and at most MAX_SPENT_REFRESH_TOKENS of one grant.
 */
export interface GrantStore {
  /** ATOMIC. Stores the grant and its code. */
  create(grant: Grant, code: AuthorizationCode): Promise<void>
  find(grant_id: string): Promise<Grant | null>
  findCode(code_hash: string): Promise<{ code: AuthorizationCode; grant: Grant } | null>
  /**
   * ATOMIC. Marks the code redeemed, and stores the refresh token, and of the grant its new end, `client_auth` and `jkt`.
   * True for one caller only.
   */
  redeemCode(code_hash: string, next: CodeRedemption, now: number): Promise<boolean>
  findRefreshToken(token_hash: string): Promise<{ refresh_token: RefreshToken; grant: Grant } | null>
  /**
   * ATOMIC. Marks the token spent, and stores the next one and the new end of the grant. True for one caller only. Also
   * deletes spent tokens of the grant: at least one expired token, and the oldest above MAX_SPENT_REFRESH_TOKENS.
   */
  rotateRefreshToken(token_hash: string, next: RefreshTokenRotation, now: number): Promise<boolean>
  /**
   * ATOMIC. Sets the `expires_at` of the token and the end of its grant. True for every caller while the token exists and is
   * not spent; false otherwise, and then nothing changes.
   */
  renewRefreshToken(token_hash: string, renewal: RefreshTokenRenewal): Promise<boolean>
  /** Sets `revoked_at` where it is not set. Returns the number of grants that were revoked. */
  revoke(selection: GrantSelection, now: number): Promise<number>
  /** Sets `revoked_at` where it is not set, on grants of the client whose `created_at` is before `before`. */
  revokeOfClient(sweep: ClientSweep, now: number): Promise<SweepStep>
  /** Grants of a user that are neither revoked nor past `expires_at`. */
  list(sub: string, now: number): Promise<Grant[]>
}

/** Tokens that were revoked alone (client_credentials, token exchange), by their `jti`. */
export interface RevokedTokenStore {
  add(jti: string, expires_at: number): Promise<void>
  has(jti: string): Promise<boolean>
}

/** Sessions of browsers. An expired session is kept until `end` and `forget`, because its clients must be notified. */
export interface SessionStore {
  create(session: Session): Promise<void>
  /** Null for a session that has ended. */
  find(session_hash: string): Promise<Session | null>
  /** ATOMIC. Adds the client to `client_ids` once; false when there is no such session or it has ended. */
  join(sid: string, client_id: string): Promise<boolean>
  /** ATOMIC. Sets `last_used_at`, unless a later time is stored, or there is no such session, or it has ended. */
  touch(sid: string, used_at: number): Promise<void>
  /**
   * ATOMIC. Replaces these fields and nothing else, so that the session is found by its new hash alone. True for one caller; false
   * when the hash of the session is no longer the expected one, or there is no such session, or it has ended.
   */
  raise(sid: string, raised: RaisedSession, expected_session_hash: string): Promise<boolean>
  /**
   * ATOMIC. Ends the session: other operations no longer find it. One caller gets the session, does what has to follow its
   * end, and calls `forget`. If that caller has not called `forget` within `lease` seconds, the next caller of `end` gets
   * the session.
   */
  end(sid: string, now: number, lease: number): Promise<Session | null>
  /** Deletes the session: everything that has to follow its end is done. */
  forget(sid: string): Promise<void>
  /** Sessions for which `end` has to be called: past `expires_at`, or ended and not forgotten within the lease. */
  expired(now: number, limit: number): Promise<Session[]>
  /** The sessions of a user that have not ended. */
  list(sub: string): Promise<Session[]>
}

/** Requests that wait for a login, a consent or a confirmation. */
export interface PendingStore {
  /** ATOMIC. False when this hash is stored already; the stored record does not change. */
  put(pending: Pending): Promise<boolean>
  find(pending_hash: string): Promise<Pending | null>
  /** ATOMIC. Deletes the record and returns it, to one caller only. */
  take(pending_hash: string): Promise<Pending | null>
}

/** Signing keys; their private part is encrypted. */
export interface KeyStore {
  /** Sorted by `signs_from`, oldest first. */
  list(): Promise<SigningKey[]>
  /** ATOMIC. Stores `first` only when the realm has no key of its algorithm. Returns the realm's keys. */
  ensure(first: SigningKey): Promise<SigningKey[]>
  add(key: SigningKey): Promise<void>
  /** ATOMIC. Replaces `sealed_private_key` and nothing else. False when there is no such key. */
  reseal(kid: string, sealed_private_key: string): Promise<boolean>
  drop(kid: string): Promise<void>
}

/** The input of `claim`: how many due deliveries the caller takes, for how long, and which it leaves. */
export interface DeliveryClaim {
  now: number
  /** Seconds until a claimed delivery is due again. */
  lease: number
  /** The largest number of deliveries. */
  limit: number
  /** The largest number for one host, and for one `sub`. An adapter may consider only the first 1,000 due deliveries. */
  share: number
  /** Hosts and users whose deliveries are not claimed. */
  except: { hosts: readonly string[]; subs: readonly string[] }
}

/** Back-channel logouts that have to be delivered. A delivery is never claimed twice within a lease. */
export interface LogoutStore {
  /** A delivery whose id is stored already is skipped. */
  add(deliveries: LogoutDelivery[]): Promise<void>
  /**
   * ATOMIC. Returns due deliveries, each to one caller only; moves them to `now + lease` and increments `attempts`. First
   * attempts come before repeated ones.
   */
  claim(claim: DeliveryClaim): Promise<LogoutDelivery[]>
  /** Null deletes the delivery (delivered or given up); otherwise it is due again at `next_attempt_at`. */
  settle(delivery_id: string, next_attempt_at: number | null): Promise<void>
}

/** Values that may be used only once, such as the `jti` of a client assertion (RFC 7523 §3). */
export interface ReplayStore {
  /**
   * ATOMIC. True for one caller only, until `expires_at` has passed: from then on the key is free again. A key may be stored
   * longer, but never shorter.
   */
  claim(key_hash: string, expires_at: number, now: number): Promise<boolean>
}

/** Counters in time windows of fixed length, which begin at multiples of that length. */
export interface Throttle {
  /** ATOMIC. Counts one hit in the key's current window, and returns the number of hits in it. */
  hit(key: string, window_seconds: number, now: number): Promise<number>
  /**
   * ATOMIC for each key. Counts one hit of `first`, and one of `second` unless there are now more than `max` of `first`. Both have
   * windows of this length, and their keys differ. It is one round trip: a request that two limits concern waits once.
   */
  hitBoth(pair: ThrottlePair, window_seconds: number, now: number): Promise<ThrottlePairHits>
  /** ATOMIC. Takes back one hit in the key's current window, but never below 0. */
  release(key: string, window_seconds: number, now: number): Promise<void>
  /** Current windows of keys that begin with `prefix`, at most 1,000. For operators: it may be slow. */
  list(prefix: string, now: number): Promise<ThrottleWindow[]>
  /** Deletes all windows of keys that begin with `prefix`. Returns their number. For operators: it may be slow. */
  reset(prefix: string): Promise<number>
}

/** Two keys, of which the second is counted only within the limit of the first. */
export interface ThrottlePair {
  first: string
  /** The most hits of `first` with which `second` is still counted. */
  max: number
  second: string
}

/** The number of hits of each key; 0 for a `second` that was not counted. */
export interface ThrottlePairHits {
  first: number
  second: number
}

/** One key's count in one window. */
export interface ThrottleWindow {
  key: string
  hits: number
  /** Epoch seconds. */
  ends_at: number
}

/** All stores of one realm. */
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
  replays: ReplayStore
  client_documents: ClientDocumentStore
  /** Deletes expired records, a limited number at a time. Returns the number of deleted records. */
  purge(now: number): Promise<number>
}

/** The consent that a grant needs: for this resource, not revoked, and with all of these scopes. */
export interface NeededConsent {
  resource: string
  scopes: string[]
}

/** `stored`, or why nothing was stored. */
export type IssueOutcome = 'stored' | 'session_ended' | 'consent_withdrawn'

/**
 * ATOMIC. Stores the grant and its code, and adds the client to `client_ids` of the session, if the session has not ended and
 * the user's consent to the client is there; null: none is needed. Otherwise nothing changes; `session_ended` comes first.
 * An end of the session, and a revocation or deletion of the consent, either comes before and is seen here, or completes
 * afterwards: the revocation of grants that follows it finds the grant.
 */
export type IssueGrant = (
  grant: Grant,
  code: AuthorizationCode,
  consent: NeededConsent | null,
) => Promise<IssueOutcome>

/** Returns the stores of a realm. Their operations take no realm, so that no call can use the wrong one. */
export interface Storage {
  (realm: string): RealmStorage
  /**
   * For grants, sessions and consents that are in one database. Without it, the provider stores a grant, then reads session and
   * consent once more, and revokes the grant if one of them is gone.
   */
  readonly issue?: (realm: string) => IssueGrant
  /** Without it, the provider asks the stores of each realm that it knows. */
  readonly background?: BackgroundStorage
}
