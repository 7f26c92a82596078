import type { Migration } from './migration.js'

/**
 * A purge goes on where its last batch ended (`since`), and learns how far this one came (`reached`).
 *
 * A grant goes with its code and its tokens. A function, because each of its statements sees what was committed before
 * it: once the grants are locked, no token can be added, and those that were added just before are seen. Planned for an
 * array of any length it goes by the index; for one of a thousand ids, a middling table would be read from end to end.
 */
export const purgeOnwards: Migration = {
  id: 3,
  name: 'purge-onwards',
  sql: `
drop function oidc_purge_grants(text, bigint, integer);
create function oidc_purge_grants(
  of_realm text, since bigint, until bigint, batch integer, out count integer, out reached bigint
) language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  doomed text[];
begin
  select array_agg(grant_id), max(expires_at) into doomed, reached from (
    select grant_id, expires_at from oidc_grants where realm = of_realm and expires_at between since and until
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
