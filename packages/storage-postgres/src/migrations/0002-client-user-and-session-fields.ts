import type { Migration } from './migration.js'

/** Columns without a value mean the default, so the previous release keeps working on the new schema. */
export const clientUserAndSessionFields: Migration = {
  id: 2,
  name: 'client-user-and-session-fields',
  sql: `
alter table oidc_clients
  add column token_endpoint_auth_methods jsonb,
  add column require_pkce boolean,
  add column default_resource text,
  add column logo_uri text,
  add column client_uri text,
  add column policy_uri text,
  add column tos_uri text,
  add column access_token_lifetime bigint,
  add column refresh_token_lifetime bigint;

-- Null for a code of a client that does not have to use PKCE.
alter table oidc_authorization_codes alter column code_challenge drop not null;

alter table oidc_users
  add column attributes json,
  add column groups jsonb;

-- The browser that started the session, and its last use.
alter table oidc_sessions
  add column user_agent text,
  add column last_used_at bigint;
`,
}
