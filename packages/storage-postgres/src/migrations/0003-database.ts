import type { Migration } from './migration.js'

/** One row: the database in which the records are. Where it differs from the database itself, the records were restored or copied. */
export const database: Migration = {
  id: 3,
  name: 'database',
  sql: `create table oidc_database (
  id integer primary key check (id = 1),
  identity text not null,
  timeline integer not null,
  recorded_at bigint not null
);`,
}
