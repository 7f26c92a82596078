/** The tables of people's records, and the names of users: SQL of the first step. */

import { BUCKET, ID, TIME } from './migration.js'

/**
 * "bucket" is that of the person (tag.ts of core), 0 to 4095: each statement of a request names it, and each key has it. The tables can be
 * partitioned by it, or lie in several databases. It stands before the columns of eight bytes, where it takes the least space.
 */
export const PEOPLE = `
create table oidc_consents (
  realm ${ID},
  sub ${ID},
  client_id ${ID},
  resource ${ID},
  scopes jsonb not null,
  bucket ${BUCKET},
  created_at ${TIME},
  updated_at ${TIME},
  revoked_at bigint,
  primary key (realm, sub, client_id, resource, bucket)
);

-- "client_auth" is how the client authenticated when it redeemed the code, "jkt" the key that the refresh tokens of a public client are
-- bound to.
create table oidc_grants (
  realm ${ID},
  grant_id ${ID},
  client_id ${ID},
  sub ${ID},
  sid ${ID},
  offline boolean not null,
  scopes jsonb not null,
  resource text,
  bucket ${BUCKET},
  auth_time bigint,
  amr jsonb not null,
  acr text,
  created_at ${TIME},
  expires_at ${TIME},
  revoked_at bigint,
  client_auth text,
  jkt text,
  primary key (realm, grant_id, bucket)
);
create index oidc_grants_of_session on oidc_grants (realm, sid) where revoked_at is null and not offline;
create index oidc_grants_of_user on oidc_grants (realm, sub, client_id) where revoked_at is null;
create index oidc_grants_expiry on oidc_grants (expires_at, realm);

-- "code_challenge" is null for a code of a client that does not have to use PKCE; "dpop_jkt" is the key that must redeem the code.
create table oidc_authorization_codes (
  realm ${ID},
  code_hash ${ID},
  grant_id ${ID},
  redirect_uri text not null,
  redirect_uri_sent boolean not null,
  code_challenge text,
  nonce text,
  bucket ${BUCKET},
  expires_at ${TIME},
  redeemed_at bigint,
  dpop_jkt text,
  primary key (realm, code_hash, bucket)
);
create index oidc_authorization_codes_of_grant on oidc_authorization_codes (realm, grant_id);

create table oidc_refresh_tokens (
  realm ${ID},
  token_hash ${ID},
  grant_id ${ID},
  bucket ${BUCKET},
  created_at ${TIME},
  expires_at ${TIME},
  spent_at bigint,
  primary key (realm, token_hash, bucket)
);
create index oidc_refresh_tokens_of_grant on oidc_refresh_tokens (realm, grant_id, created_at);

-- Deletes at most "batch" expired grants with their codes and tokens, from "since" on; "reached" is the expiry of the last.
-- "of_realm" is null for all realms. A function, because each of its statements sees what was committed before it: once the
-- grants are locked, no token can be added to them, and tokens that were added before are seen. The generic plan assumes an
-- array of unknown length and uses the index; a plan for 1,000 ids would read a table of medium size from end to end.
create function oidc_purge_grants(
  since bigint, until bigint, batch integer, of_realm text, out count integer, out reached bigint
) language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  doomed record;
begin
  count := 0;
  for doomed in
    select expired.realm, array_agg(expired.grant_id) as ids, max(expired.expires_at) as last from (
      select realm, grant_id, expires_at from oidc_grants
      where expires_at between since and until and (of_realm is null or realm = of_realm)
      order by expires_at limit batch for update skip locked
    ) as expired
    group by expired.realm
  loop
    delete from oidc_authorization_codes where realm = doomed.realm and grant_id = any(doomed.ids);
    delete from oidc_refresh_tokens where realm = doomed.realm and grant_id = any(doomed.ids);
    delete from oidc_grants where realm = doomed.realm and grant_id = any(doomed.ids);
    count := count + cardinality(doomed.ids);
    reached := greatest(reached, doomed.last);
  end loop;
end
$$;

-- "ends_until" is null while the session lives. The server that ends a session sets it to the end of its lease, and
-- deletes the row when it is done; after the lease, another server may do so.
create table oidc_sessions (
  realm ${ID},
  sid ${ID},
  session_hash ${ID},
  sub ${ID},
  bucket ${BUCKET},
  auth_time bigint,
  amr jsonb not null,
  acr text,
  created_at ${TIME},
  expires_at ${TIME},
  last_used_at bigint,
  ends_until bigint,
  raised_at bigint,
  primary key (realm, sid, bucket),
  unique (realm, session_hash, bucket)
);
create index oidc_sessions_of_user on oidc_sessions (realm, sub);
create index oidc_sessions_due on oidc_sessions (realm, coalesce(ends_until, expires_at));

-- The browser that started a session. A table of its own: with wider sessions, and before the first analyze, the planner
-- expects so few of them that it searches them by any index that begins with the realm.
create table oidc_session_browsers (
  realm ${ID},
  sid ${ID},
  user_agent text not null,
  bucket ${BUCKET},
  primary key (realm, sid, bucket)
);

create table oidc_session_clients (
  realm ${ID},
  sid ${ID},
  client_id ${ID},
  bucket ${BUCKET},
  primary key (realm, sid, client_id, bucket)
);

-- A function, because one statement would not see the clients that it has waited for: the first statement waits for
-- clients that are joining at this moment, the second reads all clients.
create function oidc_end_session(of_realm text, in_bucket smallint, of_sid text, now bigint, lease bigint)
returns table (session oidc_sessions, client_ids json)
language sql volatile as $$
  select from oidc_sessions where realm = $1 and bucket = $2 and sid = $3 for update;
  with ended as (
    update oidc_sessions s set ends_until = $4 + $5
    where s.realm = $1 and s.bucket = $2 and s.sid = $3 and (s.ends_until is null or s.ends_until <= $4)
    returning s as session
  )
  select ended.session, (
    select coalesce(json_agg(client_id order by client_id), '[]') from oidc_session_clients c
    where c.realm = $1 and c.bucket = $2 and c.sid = $3
  ) from ended
$$;

create table oidc_users (
  realm ${ID},
  sub ${ID},
  username text not null,
  username_key ${ID},
  password_hash text,
  claims json not null,
  bucket ${BUCKET},
  created_at ${TIME},
  updated_at ${TIME},
  disabled_at bigint,
  primary key (realm, sub, bucket)
);

-- Which user has a name: the only rule about several people. The table is divided by the names, and those of people by their "sub". Where
-- the name and its user are in two databases, "created_at" says since when the name waits for its user.
create table oidc_usernames (
  realm ${ID},
  username_key ${ID},
  sub ${ID},
  bucket ${BUCKET},
  created_at ${TIME} default oidc_clock(),
  primary key (realm, username_key, bucket)
);
`
