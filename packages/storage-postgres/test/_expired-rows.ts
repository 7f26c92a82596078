/** Inserts expired rows into the tables that requests write to. The database server generates them. */

import type { Queries } from '../src/index.js'

export const REALM = 'default'
export const NOW = Math.floor(Date.now() / 1000)

/**
 * Each table with its share of the rows and their columns. One hundred rows expire per second, until NOW. Anyone can send
 * a request that is stored as pending, so that table has all rows; the tables of grants and sessions have a tenth. All are in one bucket:
 * what deletes them does not look at it.
 */
const FILL: [table: string, share: number, select: string][] = [
  [
    'oidc_pending_authorizations',
    1,
    `md5('pending-' || i), 0, expires_at, json_build_object('kind', 'authorization', 'request', repeat('x', 400))`,
  ],
  [
    'oidc_grants',
    0.1,
    `md5('grant-' || i), 'client-' || i % 9, 'sub-' || i / 5, md5('sid-' || i), i % 3 = 0, '["openid", "email"]',
     null, 0, 1, '["pwd"]', '1', 1, expires_at, null, 'none', null`,
  ],
  [
    'oidc_authorization_codes',
    0.1,
    `md5('code-' || i), md5('grant-' || i), 'https://app.example/cb', true, repeat('c', 43), null, 0, expires_at, 1, null`,
  ],
  ['oidc_refresh_tokens', 0.2, `md5('token-' || i), md5('grant-' || i / 2), 0, 1, expires_at, null`],
  ['oidc_revoked_tokens', 0.1, `md5('jti-' || i), 0, expires_at`],
  ['oidc_replays', 0.2, `md5('replay-' || i), 0, expires_at`],
  [
    'oidc_sessions',
    0.1,
    `md5('sid-' || i), md5('hash-' || i), 'sub-' || i / 5, 0, 1, '["pwd"]', null, 1, expires_at, null, null, null`,
  ],
  ['oidc_session_clients', 0.1, `md5('sid-' || i), 'client-' || i % 9, 0`],
  ['oidc_throttles', 0.2, `'login:' || md5('key-' || i), 0, 900, expires_at, 1`],
]

/** @returns The number of rows by table. */
export async function fillExpired(db: Queries, rows: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const [table, share, select] of FILL) {
    const count = Math.ceil(rows * share)
    await db.query(`with row as (
      select i, ${NOW} - (${count} - i) / 100 as expires_at from generate_series(1, ${count}) as i
    ) insert into ${table} select '${REALM}', ${select} from row`)
    counts[table] = count
  }
  await db.query('analyze')
  return counts
}
