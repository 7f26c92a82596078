import type { Migration } from './migration.js'

/**
 * A client that registered itself and was never used has an end. Spent refresh tokens are found by their grant and in
 * their order. Deliveries are claimed by host and person, first attempts first: each group has an index of its own. A
 * server of the version before adds deliveries without a host, hence its default.
 */
export const bounds: Migration = {
  id: 5,
  name: 'bounds',
  sql: `
alter table oidc_clients add column expires_at bigint;
create index oidc_clients_expiry on oidc_clients (realm, expires_at) where expires_at >= 0;

drop index oidc_refresh_tokens_of_grant;
create index oidc_refresh_tokens_of_grant on oidc_refresh_tokens (realm, grant_id, created_at);

alter table oidc_logout_deliveries add column host text collate "C" not null default '';
update oidc_logout_deliveries set host = coalesce(substring(uri from '^[a-z]+://([^/?]+)'), '');
drop index oidc_logout_deliveries_due;
create index oidc_logout_deliveries_first on oidc_logout_deliveries (realm, next_attempt_at) where attempts = 0;
create index oidc_logout_deliveries_again on oidc_logout_deliveries (realm, next_attempt_at) where attempts > 0;
`,
}
