import type { Migration } from './migration.js'

/**
 * A grant is found by its id. As long as the table has no statistics (a new database, until it is analyzed), the planner
 * takes a realm's grants for few, and goes through all of them by the index of `expires_at`, which begins with the realm
 * too and is smaller than the primary key. Being partial, it is offered only to who asks for the same.
 */
export const grantsById: Migration = {
  id: 4,
  name: 'grants-by-id',
  sql: `
drop index oidc_grants_expiry;
create index oidc_grants_expiry on oidc_grants (realm, expires_at) where expires_at >= 0;

create or replace function oidc_purge_grants(
  of_realm text, since bigint, until bigint, batch integer, out count integer, out reached bigint
) language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  doomed text[];
begin
  select array_agg(grant_id), max(expires_at) into doomed, reached from (
    select grant_id, expires_at from oidc_grants
    where realm = of_realm and expires_at between since and until and expires_at >= 0
    order by expires_at limit batch for update skip locked
  ) as expired;
  delete from oidc_authorization_codes where realm = of_realm and grant_id = any(doomed);
  delete from oidc_refresh_tokens where realm = of_realm and grant_id = any(doomed);
  delete from oidc_grants where realm = of_realm and grant_id = any(doomed);
  count := coalesce(cardinality(doomed), 0);
end
$$;
`,
}
