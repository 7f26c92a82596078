import type { Migration } from './migration.js'

/** Whether a client's devices get `verification_uri_complete`. A client of the version before has no value, and its devices do not. */
export const verificationUriComplete: Migration = {
  id: 7,
  name: 'verification-uri-complete',
  sql: `
alter table oidc_clients add column verification_uri_complete boolean;
`,
}
