import { ID, type Migration, TIME } from './migration.js'

/** The realms that were made at run time, for `@ostiary/realms`. In the home database of several. `settings` is JSON. */
export const realms: Migration = {
  id: 14,
  name: 'realms',
  sql: `create table oidc_realms (
  realm ${ID},
  settings text not null,
  created_at ${TIME},
  updated_at ${TIME},
  disabled_at bigint,
  purged_at bigint,
  version integer not null,
  change bigint not null,
  primary key (realm)
);
create unique index oidc_realms_change on oidc_realms (change);`,
}
