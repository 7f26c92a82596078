import type { Migration } from './migration.js'

/** Null in the row of a client, none of whose grants has ended with it. */
export const notBefore: Migration = {
  id: 2,
  name: 'not-before',
  sql: 'alter table oidc_clients add column not_before bigint;',
}
