import type { Migration } from './migration.js'

/**
 * The grace period of a client's refresh tokens. A server of the version before goes on working: it names the columns that it writes,
 * and a client without a value has the setting of its realm.
 */
export const refreshGrace: Migration = {
  id: 6,
  name: 'refresh-grace',
  sql: `
alter table oidc_clients add column refresh_token_grace bigint;
`,
}
