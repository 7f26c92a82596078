import { ID, type Migration, TIME } from './migration.js'

/**
 * The rows of `@ostiary/audit` and their seals. What a row says beside its columns is in `data`; `private` can be erased, and
 * its hash stays. They are in the home database of several.
 */
export const audit: Migration = {
  id: 10,
  name: 'audit',
  sql: `create table oidc_audit (
  realm ${ID},
  audit_id ${ID},
  time ${TIME},
  type ${ID},
  outcome text not null,
  actor ${ID},
  sub text collate "C",
  client_id text collate "C",
  flow text,
  refs text[] not null,
  count integer not null,
  data text not null,
  private text,
  salt text,
  private_hash text,
  seal bigint,
  place integer,
  hash text,
  primary key (realm, audit_id)
);
create index oidc_audit_type on oidc_audit (realm, type);
create index oidc_audit_actor on oidc_audit (realm, actor);
create index oidc_audit_sub on oidc_audit (realm, sub);
create index oidc_audit_client on oidc_audit (realm, client_id, audit_id) where client_id is not null;
create index oidc_audit_flow on oidc_audit (realm, flow);
create index oidc_audit_refs on oidc_audit using gin (refs);
create index oidc_audit_open on oidc_audit (realm, audit_id) where seal is null;
create index oidc_audit_sealed on oidc_audit (realm, seal) where seal is not null;
create table oidc_audit_seals (
  realm ${ID},
  number bigint not null,
  last_time ${TIME},
  jws text not null,
  expired boolean not null,
  primary key (realm, number)
);
create index oidc_audit_due on oidc_audit_seals (last_time) where not expired;`,
}
