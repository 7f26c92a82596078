/**
 * What is stored, and the rule of each operation. Adapters decide nothing: reads return what is stored, atomic
 * writes say whether they won. Client match, PKCE, expiry and replay are core's. Times are epoch seconds and come
 * from core. Secrets, codes, tokens and session ids arrive as hashes (base64url SHA-256).
 * `@ostiary/storage-conformance` tests every rule.
 */

import type {
  AuthorizationCode,
  Client,
  Consent,
  ConsentApproval,
  Grant,
  LogoutDelivery,
  Pending,
  RefreshToken,
  RefreshTokenRotation,
  Session,
  SigningKey,
} from './records.js'

export type * from './records.js'

/** What every database can hold as a text: no NUL, and no half of a surrogate pair. */
export const isStorableText = (text: string): boolean => !/[\0\p{Cs}]/u.test(text)

/** @throws TypeError for a name that PostgreSQL would refuse: adapters agree on what they take. */
export function requireStorableName({ client_id, client_name }: Client): void {
  if (!isStorableText(client_name))
    throw new TypeError(`The client_name of ${client_id} holds a NUL or half of a surrogate pair`)
}

/** Clients. A revoked one stays, so that its id is never given away again. */
export interface ClientStore {
  find(client_id: string): Promise<Client | null>
  /** False when the id is taken. Rejects a `client_name` that is no storable text, and so does `update`. */
  create(client: Client): Promise<boolean>
  /** Replaces the record but for `revoked_at` and `expires_at`, which stay; false when there is none. */
  update(client: Client): Promise<boolean>
  /** ATOMIC. Replaces the secret's hash and nothing else; false when there is none, or it is revoked. */
  setSecret(client_id: string, client_secret_hash: string): Promise<boolean>
  /** ATOMIC. Sets `expires_at` to null: the client is in use and stays. False when there is none. */
  keep(client_id: string): Promise<boolean>
  /** The only one that sets `revoked_at`, so that no update undoes it; false: no such client, or revoked already. */
  revoke(client_id: string, now: number): Promise<boolean>
  /** By `client_id`, after the given one. */
  list(page: { after?: string; limit: number }): Promise<Client[]>
}

/** What people allowed: a row for each user, client and resource. */
export interface ConsentStore {
  /** Rows of these resources, revoked ones included. */
  find(sub: string, client_id: string, resources: string[]): Promise<Consent[]>
  /** ATOMIC. Union with a live row; a revoked row comes back with the newly approved scopes alone. */
  merge(approval: ConsentApproval, now: number): Promise<void>
  /** Sets `revoked_at` on one row, or on every row of the client when no resource is named. Returns how many. */
  revoke(selection: { sub: string; client_id: string; resource?: string }, now: number): Promise<number>
  list(sub: string): Promise<Consent[]>
}

/** The grants of a person: all of them, or those that every named field selects. */
export interface GrantsOfPerson {
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
  | GrantsOfPerson

/** How many spent refresh tokens of one grant are kept to detect their reuse. */
export const MAX_SPENT_REFRESH_TOKENS = 200

/**
 * Grants, with the code and the refresh tokens that hang on each. A spent code stays as long as its grant, a spent
 * refresh token until it expires, and at most MAX_SPENT_REFRESH_TOKENS of a grant.
 */
export interface GrantStore {
  /** The grant and its code, in one step. */
  create(grant: Grant, code: AuthorizationCode): Promise<void>
  find(grant_id: string): Promise<Grant | null>
  findCode(code_hash: string): Promise<{ code: AuthorizationCode; grant: Grant } | null>
  /** ATOMIC. Marks the code redeemed and stores what follows; true for one caller only. */
  redeemCode(code_hash: string, next: RefreshTokenRotation, now: number): Promise<boolean>
  findRefreshToken(token_hash: string): Promise<{ refresh_token: RefreshToken; grant: Grant } | null>
  /**
   * ATOMIC. Marks the token spent and stores what follows; true for one caller only. Forgets spent tokens of the grant:
   * one or more that have expired, and the oldest of more than MAX_SPENT_REFRESH_TOKENS.
   */
  rotateRefreshToken(token_hash: string, next: RefreshTokenRotation, now: number): Promise<boolean>
  /** Sets `revoked_at` where it is not set. Returns how many. */
  revoke(selection: GrantSelection, now: number): Promise<number>
  /** Grants of a person that are neither revoked nor past `expires_at`. */
  list(sub: string, now: number): Promise<Grant[]>
}

/** Revoked tokens that have no grant (client_credentials, token exchange). */
export interface RevokedTokenStore {
  add(jti: string, expires_at: number): Promise<void>
  has(jti: string): Promise<boolean>
}

/** Sessions of browsers. One that has expired stays until `end` and `forget`: its clients are yet to be told. */
export interface SessionStore {
  create(session: Session): Promise<void>
  /** Null for one that has ended. */
  find(session_hash: string): Promise<Session | null>
  /** ATOMIC. Adds the client to `client_ids` once; false when there is no such session or it has ended. */
  join(sid: string, client_id: string): Promise<boolean>
  /**
   * ATOMIC. Ends the session: for everybody it is gone, and one caller gets it, to see to what follows from its end and
   * then to `forget` it. Who has not done so within `lease` seconds may be dead: another caller gets it then.
   */
  end(sid: string, now: number, lease: number): Promise<Session | null>
  /** What follows from the session's end is done. */
  forget(sid: string): Promise<void>
  /** Sessions that wait for a caller of `end`: past `expires_at`, or ended and not forgotten within the lease. */
  expired(now: number, limit: number): Promise<Session[]>
  /** Without those that have ended. */
  list(sub: string): Promise<Session[]>
}

/** Requests that wait for a login, a consent or a confirmation. */
export interface PendingStore {
  /** ATOMIC. False when there is one of this hash already, which stays as it is. */
  put(pending: Pending): Promise<boolean>
  find(pending_hash: string): Promise<Pending | null>
  /** ATOMIC take: the record for one caller only. */
  take(pending_hash: string): Promise<Pending | null>
}

/** Signing keys, their private part sealed. */
export interface KeyStore {
  /** Oldest `signs_from` first. */
  list(): Promise<SigningKey[]>
  /** ATOMIC insert-if-none: stores `first` only when the realm has no key, and returns the realm's keys. */
  ensure(first: SigningKey): Promise<SigningKey[]>
  add(key: SigningKey): Promise<void>
  drop(kid: string): Promise<void>
}

/** Which deliveries a caller of `claim` takes. */
export interface DeliveryClaim {
  now: number
  /** Seconds. */
  lease: number
  limit: number
  /** At most so many of one host, and of one `sub`. An adapter may look at the first 1,000 due deliveries only. */
  share: number
  /** None of these. */
  except: { hosts: readonly string[]; subs: readonly string[] }
}

/** Back-channel logouts to be delivered; the same one is never claimed twice within a lease. */
export interface LogoutStore {
  /** Those whose id is taken stay as they are. */
  add(deliveries: LogoutDelivery[]): Promise<void>
  /**
   * ATOMIC. Due deliveries, each moved to `now + lease` and its `attempts` counted, for one caller only. First attempts
   * come before repeated ones.
   */
  claim(claim: DeliveryClaim): Promise<LogoutDelivery[]>
  /** Delivered or given up: forgotten. Otherwise due again at `next_attempt_at`. */
  settle(delivery_id: string, next_attempt_at: number | null): Promise<void>
}

/** Counters in windows of fixed length, which begin at multiples of it. */
export interface Throttle {
  /** ATOMIC. Counts one hit in the key's current window and returns the hits in it so far. */
  hit(key: string, window_seconds: number, now: number): Promise<number>
  /** ATOMIC. Takes one hit of the key's current window back; there are never fewer than none. */
  release(key: string, window_seconds: number, now: number): Promise<void>
  /** Windows that have not passed, of keys that begin with `prefix`; 1,000 at most. For operators: it may be slow. */
  list(prefix: string, now: number): Promise<ThrottleWindow[]>
  /** Forgets every window of keys that begin with `prefix`. Returns how many. For operators: it may be slow. */
  reset(prefix: string): Promise<number>
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
  /** Forgets what has expired, in small batches; returns how many records went. */
  purge(now: number): Promise<number>
}

/** Stores are born scoped to a realm, so that a realm can never be forgotten. */
export type Storage = (realm: string) => RealmStorage
