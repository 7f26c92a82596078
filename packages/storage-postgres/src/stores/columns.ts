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
import type { Factor, Link, RememberedDevice, Ticket, User } from '@ostiary/identity'
import type { QueuedMail } from '@ostiary/identity/mail'

export type Columns = readonly string[]

type Words<Text> = Text extends `${infer Word} ${infer Rest}` ? Word | Words<Rest> : Text

/** The compiler checks that the text has each field of the row, and no other. */
const columnsOf =
  <Row>() =>
  <const Text extends string>(
    names: Text & ([keyof Row, Words<Text>] extends [Words<Text>, keyof Row] ? unknown : never),
  ): Columns =>
    names.split(' ')

/** A row of `oidc_clients`: `self_registered` says who described the client. */
export type ClientRow = Omit<Client, 'origin'> & { self_registered: boolean }

export const CLIENT: Columns = Object.keys(clientFields).map((name) =>
  name === 'origin' ? 'self_registered' : name,
)

export const CLIENT_DOCUMENT = columnsOf<ClientDocument>()(
  'client_id document etag last_modified fetched_at fresh_until changed_at expires_at',
)

export const CONSENT = columnsOf<Consent>()('sub client_id resource scopes created_at updated_at revoked_at')

export const GRANT = columnsOf<Grant>()(
  'grant_id client_id sub sid offline scopes resource auth_time amr acr client_auth jkt created_at expires_at revoked_at',
)

export const CODE = columnsOf<AuthorizationCode>()(
  'code_hash grant_id redirect_uri redirect_uri_sent code_challenge nonce dpop_jkt expires_at redeemed_at',
)

export const REFRESH_TOKEN = columnsOf<RefreshToken>()('token_hash grant_id created_at expires_at spent_at')

/** Without `client_ids` and `user_agent`, which are rows of `oidc_session_clients` and `oidc_session_browsers`. */
export const SESSION = columnsOf<Omit<Session, 'client_ids' | 'user_agent'>>()(
  'sid session_hash sub auth_time amr acr created_at raised_at expires_at last_used_at',
)

export const SIGNING_KEY = columnsOf<SigningKey>()(
  'kid alg public_jwk sealed_private_key signs_from created_at',
)

export const LOGOUT_DELIVERY = columnsOf<LogoutDelivery>()(
  'delivery_id client_id sub sid uri host session_required created_at attempts next_attempt_at',
)

/** Without `attributes`, `groups` and `terms`, which are in `claims`. */
export const USER = columnsOf<Omit<User, 'attributes' | 'groups' | 'terms'>>()(
  'sub username username_key password_hash claims created_at updated_at disabled_at credential_version second_step',
)

export const FACTOR = columnsOf<Factor>()('factor_id sub kind label created_at last_used_at state data')

export const LINK = columnsOf<Link>()('issuer subject upstream sub label linked_at last_used_at')

export const TICKET = columnsOf<Ticket>()('ticket_hash purpose sub credential_version created_at expires_at')

export const REMEMBERED_DEVICE = columnsOf<RememberedDevice>()(
  'device_id sub label secret_hash former_hash credential_version created_at last_used_at expires_at',
)

/** All realms have one queue: the realm is a field of the mail. */
export const MAIL = columnsOf<QueuedMail>()('mail_id realm data attempts created_at next_attempt_at')

/** Rows of the realm `$1` in the bucket `$2`. */
export const PLACE = 'realm = $1 and bucket = $2'

/** Those of the person `$3`. */
export const OF_USER = `${PLACE} and sub = $3`

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
