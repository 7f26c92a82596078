import { ID, type Migration } from './migration.js'

/** The tickets of users, with the bucket of their user: one for each user and purpose. */
export const tickets: Migration = {
  id: 5,
  name: 'tickets',
  sql: `create table oidc_tickets (
  realm ${ID},
  ticket_hash ${ID},
  purpose text not null,
  sub ${ID},
  credential_version integer not null,
  bucket smallint not null,
  created_at bigint not null,
  expires_at bigint not null,
  primary key (realm, sub, purpose, bucket)
);
create unique index oidc_tickets_of_hash on oidc_tickets (realm, ticket_hash, bucket);
create index oidc_tickets_expiry on oidc_tickets (expires_at);`,
}
