import { BUCKET, ID, type Migration, TIME } from './migration.js'

/**
 * The factors of users, with the bucket of their user. In a row of a user that an earlier release has stored, `credential_version` and
 * `second_step` are null, which means 0 and false.
 */
export const factors: Migration = {
  id: 4,
  name: 'factors',
  sql: `alter table oidc_users add column credential_version integer, add column second_step boolean;
create table oidc_factors (
  realm ${ID},
  factor_id ${ID},
  sub ${ID},
  kind text not null,
  label text not null,
  state text not null,
  data jsonb not null,
  bucket ${BUCKET},
  created_at ${TIME},
  last_used_at bigint,
  primary key (realm, factor_id, bucket)
);
create index oidc_factors_of_user on oidc_factors (realm, sub);`,
}
