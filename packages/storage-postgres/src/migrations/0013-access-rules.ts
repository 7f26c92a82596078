import type { Migration } from './migration.js'

/** Null in the row of a client that all users may use. */
export const accessRules: Migration = {
  id: 13,
  name: 'access-rules',
  sql: 'alter table oidc_clients add column allowed_groups jsonb, add column required_acr text;',
}
