import type { Migration } from './migration.js'

/**
 * When the user of a session has authenticated again in it. A server of the version before goes on working: it names the columns
 * that it writes, and ends a session where this version raises it.
 */
export const raisedSessions: Migration = {
  id: 5,
  name: 'raised-sessions',
  sql: `
alter table oidc_sessions add column raised_at bigint;
`,
}
