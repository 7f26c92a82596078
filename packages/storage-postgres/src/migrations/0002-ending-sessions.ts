import type { Migration } from './migration.js'

/**
 * The end of a session is begun by one server and finished by it, or by another when it died meanwhile: the row stays
 * until then. `ends_until` is null while the session lives, then the end of the lease of whoever sees to it.
 */
export const endingSessions: Migration = {
  id: 2,
  name: 'ending-sessions',
  sql: `
alter table oidc_sessions add column ends_until bigint;
drop index oidc_sessions_expiry;
create index oidc_sessions_due on oidc_sessions (realm, coalesce(ends_until, expires_at));

-- Still two statements: the first waits for the clients that are joining just now, the second sees them all.
drop function oidc_end_session(text, text);
create function oidc_end_session(of_realm text, of_sid text, now bigint, lease bigint)
returns table (session oidc_sessions, client_ids json)
language sql volatile as $$
  select from oidc_sessions where realm = $1 and sid = $2 for update;
  with ended as (
    update oidc_sessions s set ends_until = $3 + $4
    where s.realm = $1 and s.sid = $2 and (s.ends_until is null or s.ends_until <= $3) returning s as session
  )
  select ended.session, (
    select coalesce(json_agg(client_id order by client_id), '[]') from oidc_session_clients c
    where c.realm = $1 and c.sid = $2
  ) from ended
$$;
`,
}
