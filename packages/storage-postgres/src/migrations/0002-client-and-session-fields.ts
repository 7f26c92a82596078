import type { Migration } from './migration.js'

/** Columns without a value mean the default, so the previous release keeps working on the new schema. */
export const clientAndSessionFields: Migration = {
  id: 2,
  name: 'client-and-session-fields',
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

alter table oidc_sessions add column last_used_at bigint;

-- The browser that started a session. A table of its own: with wider sessions, and before the first analyze, the planner
-- expects so few of them that it searches them by any index that begins with the realm.
create table oidc_session_browsers (
  realm text collate "C" not null,
  sid text collate "C" not null,
  user_agent text not null,
  primary key (realm, sid)
);
`,
}
