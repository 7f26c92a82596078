import type { Migration } from './migration.js'

/**
 * Tokens that are bound to a key of the client, pushed authorization requests, and signing keys of several algorithms. A server
 * of the version before goes on working: it names the columns that it writes, and a row that it has written has null in the
 * new ones.
 */
export const boundTokens: Migration = {
  id: 3,
  name: 'bound-tokens',
  sql: `
alter table oidc_clients
  add column id_token_signed_response_alg text,
  add column dpop_bound_access_tokens boolean,
  add column require_pushed_authorization_requests boolean;

-- The key that the refresh tokens of a public client are bound to, and the key that must redeem a code.
alter table oidc_grants add column jkt text;
alter table oidc_authorization_codes add column dpop_jkt text;

-- The first key of an algorithm other than RS256: the index of the next step allows one of each
-- in a realm. The first key of RS256 has is_first, as in the version before.
alter table oidc_signing_keys add column first_of_alg text;
`,
}

/** Makes the first key of an algorithm unique. */
export const firstKeys: Migration = {
  id: 4,
  name: 'first-keys',
  index: 'oidc_signing_keys_first_of_alg',
  sql: `
create unique index concurrently oidc_signing_keys_first_of_alg on oidc_signing_keys (realm, first_of_alg)
  where first_of_alg is not null
`,
}
