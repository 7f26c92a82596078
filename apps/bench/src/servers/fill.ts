/** Unused rows, written directly into PostgreSQL: a million by requests would take hours. */

import postgres from 'postgres'

interface FillRule {
  table: string
  /** The columns that make a row another one; each gets `fill-<n>`. */
  keys: readonly string[]
}

/** Every row is a copy of one that the server has written, under other ids. */
const FILL_RULES: readonly FillRule[] = [
  { table: 'oidc_clients', keys: ['client_id'] },
  { table: 'oidc_consents', keys: ['client_id', 'sub'] },
  { table: 'oidc_grants', keys: ['grant_id', 'sid', 'sub'] },
  { table: 'oidc_refresh_tokens', keys: ['token_hash', 'grant_id'] },
]

/** Records that no server writes here by itself: no consent is asked for. */
const FIRST_CONSENT = `
insert into oidc_consents (realm, sub, client_id, resource, scopes, created_at, updated_at)
select realm, sub, client_id, '', scopes, created_at, created_at from oidc_grants limit 1
on conflict do nothing`

/** @returns How many rows each table has now. */
export async function fill(database_url: string, rows: number): Promise<Record<string, number>> {
  const sql = postgres(database_url, { max: 1, onnotice: () => {} })
  const counts: Record<string, number> = {}
  try {
    await sql.unsafe(FIRST_CONSENT)
    for (const { table, keys } of FILL_RULES) {
      const changed = keys.map((key) => `'${key}', 'fill-' || n`).join(', ')
      await sql.unsafe(`
        insert into ${table}
        select r.* from (select * from ${table} limit 1) t, generate_series(1, ${rows}) n,
          lateral jsonb_populate_record(null::${table}, to_jsonb(t) || jsonb_build_object(${changed})) r
        on conflict do nothing`)
      const [found] = await sql.unsafe(`select count(*)::int as count from ${table}`)
      counts[table] = Number(found?.count)
    }
    // As autovacuum would have done if the rows had been written one by one.
    await sql.unsafe('vacuum analyze')
    return counts
  } finally {
    await sql.end()
  }
}
