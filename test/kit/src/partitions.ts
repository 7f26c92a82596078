/** The tables of people in partitions by their bucket: what names no bucket reads all of them. */

import postgres from 'postgres'
import { UNLIMITED } from './database.ts'

export const PARTITIONS = 16

/** Those of a person's records, by the bucket of the person. */
export const TABLES_OF_PEOPLE = [
  'oidc_consents',
  'oidc_grants',
  'oidc_authorization_codes',
  'oidc_refresh_tokens',
  'oidc_sessions',
  'oidc_session_browsers',
  'oidc_session_clients',
  'oidc_users',
  'oidc_factors',
  'oidc_links',
  'oidc_tickets',
  'oidc_remembered_devices',
] as const

const partition = (table: string, n: number) =>
  `create table ${table}_p${n} partition of ${table} for values with (modulus ${PARTITIONS}, remainder ${n})`

/** The function that uses a table as a type. */
const FUNCTIONS = `
  select oid::regprocedure::text as name, pg_get_functiondef(oid) as definition
  from pg_proc where proname = 'oidc_end_session'`

/** Makes the empty tables of a migrated database anew, each in 16 partitions `<table>_p<n>`. */
export async function partitionPeople(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, connect_timeout: UNLIMITED.connectTimeout, onnotice: () => {} })
  try {
    const functions = await sql.unsafe<{ name: string; definition: string }[]>(FUNCTIONS)
    const tables = TABLES_OF_PEOPLE.flatMap((table) => [
      `alter table ${table} rename to whole`,
      `create table ${table} (like whole including all) partition by hash (bucket)`,
      'drop table whole',
      ...Array.from({ length: PARTITIONS }, (_, n) => partition(table, n)),
    ])
    const steps = [
      ...functions.map(({ name }) => `drop function ${name}`),
      ...tables,
      ...functions.map(({ definition }) => definition),
    ]
    await sql.unsafe(steps.join(';\n'))
  } finally {
    await sql.end()
  }
}
