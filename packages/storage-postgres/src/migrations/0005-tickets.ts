import { BUCKET, ID, type Migration, TIME } from './migration.js'

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
  bucket ${BUCKET},
  created_at ${TIME},
  expires_at ${TIME},
  primary key (realm, sub, purpose, bucket)
);
create unique index oidc_tickets_of_hash on oidc_tickets (realm, ticket_hash, bucket);
create index oidc_tickets_expiry on oidc_tickets (expires_at);`,
}
