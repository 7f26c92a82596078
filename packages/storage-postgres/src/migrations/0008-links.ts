import { BUCKET, ID, type Migration, TIME } from './migration.js'

/**
 * The links of users to accounts at other providers, with the bucket of their user; and which user an account elsewhere is linked to, with a
 * bucket of its own, as for names: the account says nothing about the `sub`.
 */
export const links: Migration = {
  id: 8,
  name: 'links',
  sql: `create table oidc_links (
  realm ${ID},
  sub ${ID},
  issuer ${ID},
  subject ${ID},
  upstream text not null,
  label text not null,
  bucket ${BUCKET},
  linked_at ${TIME},
  last_used_at bigint,
  primary key (realm, sub, issuer, subject, bucket)
);
create table oidc_link_keys (
  realm ${ID},
  link_key ${ID},
  sub ${ID},
  claim text not null,
  bucket ${BUCKET},
  claimed_at ${TIME} default oidc_clock(),
  primary key (realm, link_key, bucket)
);`,
}
