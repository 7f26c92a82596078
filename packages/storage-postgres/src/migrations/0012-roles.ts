import { ID, type Migration } from './migration.js'

/** The roles of administrators, for `@ostiary/admin`. `holder` is `sub:…` or `client:…`, `realms` a JSON list. */
export const roles: Migration = {
  id: 12,
  name: 'roles',
  sql: `create table oidc_roles (
  realm ${ID},
  holder ${ID},
  role ${ID},
  realms text not null,
  primary key (realm, holder, role)
);`,
}
