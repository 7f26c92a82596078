import { PEOPLE } from './0001-people.js'
import { BUCKET, ID, type Migration, TIME } from './migration.js'

/**
 * Every key begins with the realm. Ids have the collation "C": comparison by bytes is faster, and the indexes stay
 * valid when the system's collations change. Lists are jsonb; values that no statement reads are json, which is returned
 * byte by byte. There are no foreign keys: a store may be in another database, and related rows are written by one
 * statement.
 *
 * The tables that requests write to, and that are not of people (0001-people.ts), have a "bucket" too: the one of their own key.
 *
 * Until a table has statistics (a new database, before the first analyze), the planner assumes that a realm has few
 * rows, and may prefer a smaller index that begins with the realm to the primary key. `where expires_at >= 0` excludes
 * no row: it keeps such an index from being used by a statement that does not repeat the condition.
 */
export const records: Migration = {
  id: 1,
  name: 'records',
  sql: `
-- Epoch seconds by the database's clock: the servers may have other clocks.
create function oidc_clock() returns bigint language sql stable as $$
  select floor(extract(epoch from now()))::bigint
$$;

create table oidc_clients (
  realm ${ID},
  client_id ${ID},
  client_secret_hash text,
  client_name text not null,
  token_endpoint_auth_method text not null,
  token_endpoint_auth_methods jsonb,
  token_endpoint_auth_signing_alg text,
  id_token_signed_response_alg text,
  dpop_bound_access_tokens boolean,
  require_pushed_authorization_requests boolean,
  jwks jsonb,
  jwks_uri text,
  require_pkce boolean,
  redirect_uris jsonb not null,
  post_logout_redirect_uris jsonb not null,
  grant_types jsonb not null,
  response_types jsonb not null,
  backchannel_logout_uri text,
  backchannel_logout_session_required boolean not null,
  allowed_exchange_audiences jsonb not null,
  consent_required boolean not null,
  trusted boolean not null,
  default_scopes jsonb,
  optional_scopes jsonb,
  default_resource text,
  logo_uri text,
  client_uri text,
  policy_uri text,
  tos_uri text,
  access_token_lifetime bigint,
  refresh_token_lifetime bigint,
  refresh_token_grace bigint,
  verification_uri_complete boolean,
  self_registered boolean not null,
  client_id_issued_at ${TIME},
  revoked_at bigint,
  expires_at bigint,
  primary key (realm, client_id)
);
create index oidc_clients_expiry on oidc_clients (expires_at, realm) where expires_at >= 0;

create table oidc_revoked_tokens (
  realm ${ID},
  jti ${ID},
  bucket ${BUCKET},
  expires_at ${TIME},
  primary key (realm, jti, bucket)
);
create index oidc_revoked_tokens_expiry on oidc_revoked_tokens (expires_at, realm);

create table oidc_pending_authorizations (
  realm ${ID},
  pending_hash ${ID},
  bucket ${BUCKET},
  expires_at ${TIME},
  pending json not null,
  primary key (realm, pending_hash, bucket)
);
create index oidc_pending_authorizations_expiry on oidc_pending_authorizations (expires_at, realm);

create table oidc_signing_keys (
  realm ${ID},
  kid ${ID},
  alg text not null,
  public_jwk json not null,
  sealed_private_key text not null,
  signs_from ${TIME},
  created_at ${TIME},
  first_of_alg text,
  primary key (realm, kid)
);
-- A realm has one first key of each algorithm.
create unique index oidc_signing_keys_first_of_alg on oidc_signing_keys (realm, first_of_alg) where first_of_alg is not null;
create index oidc_signing_keys_later on oidc_signing_keys (signs_from, realm) where first_of_alg is null;

-- Deliveries are claimed by host and user, first attempts before repeated ones: each group has an index of its own.
create table oidc_logout_deliveries (
  realm ${ID},
  delivery_id ${ID},
  client_id ${ID},
  sub ${ID},
  sid ${ID},
  uri text not null,
  session_required boolean not null,
  created_at ${TIME},
  attempts integer not null,
  next_attempt_at ${TIME},
  host ${ID} default '',
  primary key (realm, delivery_id)
);
create index oidc_logout_deliveries_first on oidc_logout_deliveries (realm, next_attempt_at) where attempts = 0;
create index oidc_logout_deliveries_again on oidc_logout_deliveries (realm, next_attempt_at) where attempts > 0;

create table oidc_throttles (
  realm ${ID},
  key ${ID},
  bucket ${BUCKET},
  window_seconds integer not null,
  ends_at ${TIME},
  hits integer not null,
  primary key (realm, key, window_seconds, ends_at, bucket)
);
create index oidc_throttles_expiry on oidc_throttles (ends_at, realm);

create table oidc_replays (
  realm ${ID},
  key_hash ${ID},
  bucket ${BUCKET},
  expires_at ${TIME},
  primary key (realm, key_hash, bucket)
);
create index oidc_replays_expiry on oidc_replays (expires_at, realm);

-- "document" is the text that was fetched, byte by byte.
create table oidc_client_documents (
  realm ${ID},
  client_id ${ID},
  document text not null,
  etag text,
  last_modified text,
  fetched_at ${TIME},
  fresh_until ${TIME},
  changed_at ${TIME},
  expires_at ${TIME},
  primary key (realm, client_id)
);
create index oidc_client_documents_expiry on oidc_client_documents (expires_at, realm);

-- Work that one server does at a time: "holder" until "expires_at", by this database's clock.
create table oidc_leases (
  name text collate "C" primary key,
  holder text not null,
  expires_at timestamptz not null
);
${PEOPLE}`,
}
