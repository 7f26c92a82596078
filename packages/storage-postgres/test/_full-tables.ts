/** Fills every table with rows of the realm `full`, half of them expired. The database server generates them. */

import { createHash } from 'node:crypto'
import type { Queries } from '../src/index.js'

export const REALM = 'full'
/** The time at which half of the rows have expired. */
export const NOW = Math.floor(Date.now() / 1000)

/** Row `i` of `rows` expires at NOW + i − rows/2. `id(…)` stands for the function `id` below. */
const FILL = [
  `insert into oidc_clients (realm, client_id, client_name, token_endpoint_auth_method, redirect_uris,
     post_logout_redirect_uris, grant_types, response_types, backchannel_logout_session_required,
     allowed_exchange_audiences, consent_required, trusted, self_registered, client_id_issued_at, expires_at)
   select realm, 'client-' || i, 'n', 'none', '[]', '[]', '[]', '[]', true, '[]', true, false, true, 1,
     case when i % 2 = 0 then expires_at end from row`,
  `insert into oidc_consents select realm, 'sub-' || i / 5, 'client-' || i % 5, 'r', '["a"]', 1, 1, null from row`,
  `insert into oidc_grants select realm, id('grant', i), 'client-' || i % 5, 'sub-' || i / 5, id('sid', i / 2),
     i % 3 = 0, '["a"]', null, 1, '["pwd"]', null, 1, expires_at, null, 'none' from row`,
  `insert into oidc_authorization_codes select realm, id('code', i), id('grant', i), 'https://app.example/cb', true,
     'challenge', null, expires_at, null from row`,
  `insert into oidc_refresh_tokens select realm, id('token', i), id('grant', i), 1, expires_at, null from row`,
  `insert into oidc_replays select realm, id('replay', i), expires_at from row`,
  `insert into oidc_client_documents select realm, 'https://client-' || i || '.example/', '{}', null, null, 1, 1, 1, expires_at
     from row`,
  `insert into oidc_revoked_tokens select realm, id('jti', i), expires_at from row`,
  `insert into oidc_sessions select realm, id('sid', i), id('hash', i), 'sub-' || i / 5, 1, '["pwd"]', null, 1,
     expires_at from row`,
  `insert into oidc_session_browsers select realm, id('sid', i), 'Firefox/142.0' from row`,
  `insert into oidc_session_clients select realm, id('sid', i), 'client-' || i % 5 from row`,
  `insert into oidc_pending_authorizations select realm, id('pending', i), expires_at, '{}' from row`,
  `insert into oidc_logout_deliveries select realm, id('delivery', i), 'client-1', 'sub-' || i, id('sid', i),
     'https://app.example/logout', true, 1, i % 2, expires_at, 'host-' || i % 50 from row`,
  `insert into oidc_users select realm, 'sub-' || i, 'User ' || i, 'user ' || i, null, '{}', 1, 1, null from row`,
  `insert into oidc_throttles select realm, 'login:' || i, 60, expires_at, 1 from row`,
  `insert into oidc_leases select 'lease-' || i, 'holder', now() from row`,
  // A realm has few keys, so these belong to many realms.
  `insert into oidc_signing_keys select 'realm-' || i / 3, 'kid-' || i, 'RS256', '{}', 's', i, 1, false from row`,
  // The only key of its algorithm in a realm of its own.
  `insert into oidc_signing_keys select 'first-' || i, 'first-' || i, 'ES256', '{}', 's', i, 1, false, 'ES256' from row`,
]

/** Distributed over the index like hashes and random ids. */
export const id = (kind: string, row: number): string =>
  createHash('md5').update(`${kind}-${row}`).digest('hex')

export async function fillTables(db: Queries, rows: number, { analyze = true } = {}): Promise<void> {
  for (const insert of FILL) {
    const text = insert.replaceAll(/id\('(\w+)', ([^)]+)\)/g, `md5('$1-' || $2)`)
    await db.query(`with row as (
      select '${REALM}' as realm, i, ${NOW} + i - ${rows} / 2 as expires_at from generate_series(1, ${rows}) as i
    ) ${text}`)
  }
  if (analyze) await db.query('analyze')
}
