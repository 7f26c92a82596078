/** The columns of each table: the names of the record's fields. The compiler checks that each list is complete; that of clients follows from their table in core. */

import {
  type AuthorizationCode,
  type Client,
  type ClientDocument,
  type Consent,
  clientFields,
  type Grant,
  type LogoutDelivery,
  type RefreshToken,
  type Session,
  type SigningKey,
} from '@ostiary/core'
import type { User } from '@ostiary/identity'

export type Columns = readonly string[]

const columnsOf = <Row>(names: Record<keyof Row, true>): Columns => Object.keys(names)

/** A row of `oidc_clients`: `self_registered` says who described the client. */
export type ClientRow = Omit<Client, 'origin'> & { self_registered: boolean }

export const CLIENT: Columns = Object.keys(clientFields).map((name) =>
  name === 'origin' ? 'self_registered' : name,
)

export const CLIENT_DOCUMENT = columnsOf<ClientDocument>({
  client_id: true,
  document: true,
  etag: true,
  last_modified: true,
  fetched_at: true,
  fresh_until: true,
  changed_at: true,
  expires_at: true,
})

export const CONSENT = columnsOf<Consent>({
  sub: true,
  client_id: true,
  resource: true,
  scopes: true,
  created_at: true,
  updated_at: true,
  revoked_at: true,
})

export const GRANT = columnsOf<Grant>({
  grant_id: true,
  client_id: true,
  sub: true,
  sid: true,
  offline: true,
  scopes: true,
  resource: true,
  auth_time: true,
  amr: true,
  acr: true,
  client_auth: true,
  jkt: true,
  created_at: true,
  expires_at: true,
  revoked_at: true,
})

export const CODE = columnsOf<AuthorizationCode>({
  code_hash: true,
  grant_id: true,
  redirect_uri: true,
  redirect_uri_sent: true,
  code_challenge: true,
  nonce: true,
  dpop_jkt: true,
  expires_at: true,
  redeemed_at: true,
})

export const REFRESH_TOKEN = columnsOf<RefreshToken>({
  token_hash: true,
  grant_id: true,
  created_at: true,
  expires_at: true,
  spent_at: true,
})

/** Without `client_ids` and `user_agent`, which are rows of `oidc_session_clients` and `oidc_session_browsers`. */
export const SESSION = columnsOf<Omit<Session, 'client_ids' | 'user_agent'>>({
  sid: true,
  session_hash: true,
  sub: true,
  auth_time: true,
  amr: true,
  acr: true,
  created_at: true,
  raised_at: true,
  expires_at: true,
  last_used_at: true,
})

export const SIGNING_KEY = columnsOf<SigningKey>({
  kid: true,
  alg: true,
  public_jwk: true,
  sealed_private_key: true,
  signs_from: true,
  created_at: true,
})

export const LOGOUT_DELIVERY = columnsOf<LogoutDelivery>({
  delivery_id: true,
  client_id: true,
  sub: true,
  sid: true,
  uri: true,
  host: true,
  session_required: true,
  created_at: true,
  attempts: true,
  next_attempt_at: true,
})

/** Without `attributes` and `groups`, which are in `claims`. */
export const USER = columnsOf<Omit<User, 'attributes' | 'groups'>>({
  sub: true,
  username: true,
  username_key: true,
  password_hash: true,
  claims: true,
  created_at: true,
  updated_at: true,
  disabled_at: true,
})

/** `a, b`, or `t.a, t.b`. */
export function columnList(columns: Columns, table?: string): string {
  return columns.map((column) => (table ? `${table}.${column}` : column)).join(', ')
}

/** The whole record as one JSON value, for rows that hold two records. */
export function jsonObject(columns: Columns, table: string): string {
  return `json_build_object(${columns.map((column) => `'${column}', ${table}.${column}`).join(', ')})`
}

/** Inserts a record: `$1` is the realm, `$2` the record as JSON text. */
export function insertRecord(table: string, columns: Columns): string {
  return `insert into ${table} (realm, ${columnList(columns)})
    select $1, ${columnList(columns)} from json_populate_record(null::${table}, $2::text::json)`
}

/** Inserts a record of a person: `$1` is the realm, `$2` the bucket, `$3` the record as JSON text. */
export function insertOfPerson(table: string, columns: Columns): string {
  return `insert into ${table} (realm, bucket, ${columnList(columns)})
    select $1, $2::smallint, ${columnList(columns)} from json_populate_record(null::${table}, $3::text::json)`
}

/** Every column of the new row, for `on conflict … do update set`. */
export function excludedColumns(columns: Columns): string {
  return columns.map((column) => `${column} = excluded.${column}`).join(', ')
}
