import { ID, type Migration, TIME } from './migration.js'

/**
 * The mails of all realms that wait to be sent. First attempts are claimed before repeated ones: each group has an index of its own, in
 * which a realm with many mails hides no other.
 */
export const mails: Migration = {
  id: 7,
  name: 'mails',
  sql: `create table oidc_mails (
  realm ${ID},
  mail_id ${ID},
  data text not null,
  attempts integer not null,
  created_at ${TIME},
  next_attempt_at ${TIME},
  expires_at ${TIME},
  primary key (realm, mail_id)
);
create unique index oidc_mails_id on oidc_mails (mail_id);
create index oidc_mails_first on oidc_mails (realm, next_attempt_at) where attempts = 0;
create index oidc_mails_again on oidc_mails (realm, next_attempt_at) where attempts > 0;
create index oidc_mails_expiry on oidc_mails (expires_at, realm);`,
}
