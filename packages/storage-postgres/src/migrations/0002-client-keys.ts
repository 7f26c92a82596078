import type { Migration } from './migration.js'

/**
 * Keys of clients, assertions that were used, and documents of clients whose id is a URL. A server of the version before goes
 * on working: it names the columns that it writes, and a row that it has written has null in the new ones.
 */
export const clientKeys: Migration = {
  id: 2,
  name: 'client-keys',
  sql: `
alter table oidc_clients
  add column token_endpoint_auth_signing_alg text,
  add column jwks jsonb,
  add column jwks_uri text;

-- How the client authenticated when it redeemed the code.
alter table oidc_grants add column client_auth text;

create table oidc_replays (
  realm text collate "C" not null,
  key_hash text collate "C" not null,
  expires_at bigint not null,
  primary key (realm, key_hash)
);
create index oidc_replays_expiry on oidc_replays (expires_at, realm);

-- "document" is the text that was fetched, byte by byte.
create table oidc_client_documents (
  realm text collate "C" not null,
  client_id text collate "C" not null,
  document text not null,
  etag text,
  last_modified text,
  fetched_at bigint not null,
  fresh_until bigint not null,
  changed_at bigint not null,
  expires_at bigint not null,
  primary key (realm, client_id)
);
create index oidc_client_documents_expiry on oidc_client_documents (expires_at, realm);
`,
}
