/** The bucket in which each row has to be. */

import { bucketByHash, bucketByTag, bucketOfJti } from '@ostiary/core'
import type { Queries } from '../src/index.js'

type BucketOf = (value: string) => number

/** Of each table with buckets: every column from which the bucket follows. */
const COLUMNS: Readonly<Record<string, Readonly<Record<string, BucketOf>>>> = {
  oidc_consents: { sub: bucketByHash },
  oidc_grants: { sub: bucketByHash, grant_id: bucketByTag },
  oidc_authorization_codes: { code_hash: bucketByTag, grant_id: bucketByTag },
  oidc_refresh_tokens: { token_hash: bucketByTag, grant_id: bucketByTag },
  oidc_sessions: { sub: bucketByHash, sid: bucketByTag, session_hash: bucketByTag },
  oidc_session_browsers: { sid: bucketByTag },
  oidc_session_clients: { sid: bucketByTag },
  oidc_users: { sub: bucketByHash },
  oidc_factors: { sub: bucketByHash, factor_id: bucketByTag },
  oidc_links: { sub: bucketByHash },
  oidc_addresses: { address_key: bucketByHash },
  oidc_link_keys: { link_key: bucketByHash },
  oidc_tickets: { sub: bucketByHash, ticket_hash: bucketByTag },
  oidc_remembered_devices: { sub: bucketByHash },
  oidc_usernames: { username_key: bucketByHash },
  oidc_pending_authorizations: { pending_hash: bucketByHash },
  oidc_replays: { key_hash: bucketByHash },
  oidc_throttles: { key: bucketByHash },
  oidc_revoked_tokens: { jti: bucketOfJti },
}

/** Rows in another bucket than that of their person, or of their own key; and the tables that have rows. */
export async function strays(db: Queries): Promise<{ filled: string[]; rows: object[] }> {
  const filled: string[] = []
  const rows: object[] = []
  for (const [table, columns] of Object.entries(COLUMNS)) {
    const names = Object.keys(columns)
    const stored = await db.query<Record<string, string>>(`select bucket, ${names.join(', ')} from ${table}`)
    if (stored.length > 0) filled.push(table)
    for (const row of stored) {
      const is_stray = Object.entries(columns).some(
        ([column, bucketOf]) => bucketOf(row[column] ?? '') !== Number(row.bucket),
      )
      if (is_stray) rows.push({ table, ...row })
    }
  }
  return { filled, rows }
}
