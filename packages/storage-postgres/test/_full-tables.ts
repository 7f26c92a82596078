/** Fills every table with rows of the realm `full`, half of them expired. The database server generates them. */

import { createHash } from 'node:crypto'
import { personTag } from '@ostiary/core'
import type { Queries } from '../src/index.js'

export const REALM = 'full'
/** The time at which half of the rows have expired. */
export const NOW = Math.floor(Date.now() / 1000)

/**
 * Row `i` of `rows` expires at NOW + i − rows/2, and belongs to the person `sub-<i / 4>`, whose tag and bucket the row has. `id(…)` stands
 * for the function `id` below, `hashed(…)` for the bucket of a record of the realm.
 */
const FILL = [
  `insert into oidc_clients (realm, client_id, client_name, token_endpoint_auth_method, redirect_uris,
     post_logout_redirect_uris, grant_types, response_types, backchannel_logout_session_required,
     allowed_exchange_audiences, consent_required, trusted, self_registered, client_id_issued_at, expires_at)
   select realm, 'client-' || i, 'n', 'none', '[]', '[]', '[]', '[]', true, '[]', true, false, true, 1,
     case when i % 2 = 0 then expires_at end from row`,
  `insert into oidc_consents select realm, sub, 'client-' || i % 4, 'r', '["a"]', bucket, 1, 1, null from row`,
  `insert into oidc_grants select realm, id('grant', i), 'client-' || i % 4, sub, id('sid', i - i % 2),
     i % 3 = 0, '["a"]', null, bucket, 1, '["pwd"]', null, 1, expires_at, null, 'none', null from row`,
  `insert into oidc_authorization_codes select realm, id('code', i), id('grant', i), 'https://app.example/cb', true,
     'challenge', null, bucket, expires_at, null, null from row`,
  `insert into oidc_refresh_tokens select realm, id('token', i), id('grant', i), bucket, 1, expires_at, null from row`,
  `insert into oidc_replays select realm, id('replay', i), hashed(id('replay', i)), expires_at from row`,
  `insert into oidc_client_documents select realm, 'https://client-' || i || '.example/', '{}', null, null, 1, 1, 1, expires_at
     from row`,
  `insert into oidc_revoked_tokens select realm, id('jti', i), hashed(id('jti', i)), expires_at from row`,
  `insert into oidc_sessions select realm, id('sid', i), id('hash', i), sub, bucket, 1, '["pwd"]', null, 1,
     expires_at, null, null, null from row`,
  `insert into oidc_session_browsers select realm, id('sid', i), 'Firefox/142.0', bucket from row`,
  `insert into oidc_session_clients select realm, id('sid', i), 'client-' || i % 4, bucket from row`,
  `insert into oidc_pending_authorizations select realm, id('pending', i), hashed(id('pending', i)), expires_at, '{}' from row`,
  `insert into oidc_logout_deliveries select realm, id('delivery', i), 'client-1', 'sub-' || i, id('sid', i),
     'https://app.example/logout', true, 1, i % 2, expires_at, 'host-' || i % 50 from row`,
  `insert into oidc_mails select 'realm-' || i % 50, id('mail', i), 'data', i % 2, 1, expires_at, expires_at from row`,
  `insert into oidc_audit select realm, id('audit', i), expires_at, 'session.started', 'done', 'sub:' || sub, sub, 'client-1', null,
     array['0000-0000'], 1, '{}', null, null, null, null, null, null from row`,
  `insert into oidc_audit_seals select realm, i, expires_at, 'jws', false from row`,
  `insert into oidc_audit_sinks select realm, id('sink', i), i, 1, 0, null, null, 0, 0, 0, 'lease', expires_at from row`,
  `insert into oidc_roles select realm, 'sub:sub-' || i, 'auditor', '["*"]' from row`,
  `insert into oidc_realms select 'made-' || i, '{}', 1, 1, null, null, 1, i from row`,
  `insert into oidc_users select realm, 'sub-' || i, 'User ' || i, 'user ' || i, null, '{}', hashed('sub-' || i),
     1, 1, null, 0, false from row`,
  `insert into oidc_factors select realm, id('factor', i), sub, 'totp', 'Phone', '0', '{}', bucket, 1, null from row`,
  `insert into oidc_tickets select realm, id('ticket', i), (array['recover', 'reset', 'invite', 'other'])[1 + i % 4], sub, 0, bucket, 1, expires_at from row`,
  `insert into oidc_links select realm, sub, 'https://accounts.google.com', 'subject-' || i, 'google', 'ann', bucket, 1, null from row`,
  `insert into oidc_link_keys select realm, 'key-' || i, sub, 'claim', hashed('key-' || i), 1 from row`,
  `insert into oidc_addresses select realm, 'user-' || i || '@example.com', sub, hashed('user-' || i || '@example.com') from row`,
  `insert into oidc_remembered_devices select realm, id('device', i), sub, 'Firefox', 'hash', null, 0, bucket, 1, null, expires_at from row`,
  `insert into oidc_usernames select realm, 'user ' || i, 'sub-' || i, hashed('user ' || i) from row`,
  `insert into oidc_throttles select realm, 'login:' || i, hashed('login:' || i), 60, expires_at, 1 from row`,
  `insert into oidc_leases select 'lease-' || i, 'holder', now() from row`,
  // A realm has few keys, so these belong to many realms.
  `insert into oidc_signing_keys select 'realm-' || i / 3, 'kid-' || i, 'RS256', '{}', 's', i, 1, null from row`,
  // The only key of its algorithm in a realm of its own.
  `insert into oidc_signing_keys select 'first-' || i, 'first-' || i, 'ES256', '{}', 's', i, 1, 'ES256' from row`,
]

/** The person of a row. */
export const subOf = (row: number): string => `sub-${Math.floor(row / 4)}`

/** Distributed over the index like hashes and random ids, with the tag of its person. */
export const id = (kind: string, row: number): string =>
  createHash('md5').update(`${kind}-${row}`).digest('hex') + personTag(subOf(row))

/** The SQL of `bucketByHash`. */
export const hashed = (key: string): string =>
  `((get_byte(sha256((${key})::bytea), 0) << 4) | (get_byte(sha256((${key})::bytea), 1) >> 4))`

/** The SQL of `personTag`. */
const tagged = (sub: string): string =>
  `left(translate(encode(sha256((${sub})::bytea), 'base64'), '+/', '-_'), 2)`

/** @param near Only so many rows before and after the middle. */
export async function fillTables(
  db: Queries,
  rows: number,
  { analyze = true, near = rows } = {},
): Promise<void> {
  const [first, last] = [Math.max(1, rows / 2 - near), Math.min(rows, rows / 2 + near)]
  // Once for all tables: each insert would compute these hashes again.
  await db.query(`create unlogged table row_of_all as with numbered as (
      select '${REALM}' as realm, i, ${NOW} + i - ${rows} / 2 as expires_at, 'sub-' || i / 4 as sub
      from generate_series(${first}, ${last}) as i
    ) select *, ${tagged('sub')} as tag, ${hashed('sub')} as bucket from numbered`)
  for (const insert of FILL) {
    const text = insert
      .replaceAll(/id\('(\w+)', ([^)]+)\)/g, `md5('$1-' || $2) || tag`)
      .replaceAll(/hashed\(([^)]+\)[^)]*|[^()]+)\)/g, (_, key) => hashed(key))
      .replaceAll(/ from row$/g, ' from row_of_all as row')
    await db.query(text)
  }
  await db.query('drop table row_of_all')
  if (analyze) await db.query('analyze')
}
