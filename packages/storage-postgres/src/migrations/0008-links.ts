import type { Migration } from './migration.js'

/**
 * The links of users to accounts at other providers, with the bucket of their user; and which user an account elsewhere is linked to, with a
 * bucket of its own, as for names: the account says nothing about the `sub`.
 */
export const links: Migration = {
  id: 8,
  name: 'links',
  sql: `create table oidc_links (
  realm text collate "C" not null,
  sub text collate "C" not null,
  issuer text collate "C" not null,
  subject text collate "C" not null,
  upstream text not null,
  label text not null,
  bucket smallint not null,
  linked_at bigint not null,
  last_used_at bigint,
  primary key (realm, sub, issuer, subject, bucket)
);
create table oidc_link_keys (
  realm text collate "C" not null,
  link_key text collate "C" not null,
  sub text collate "C" not null,
  claim text not null,
  bucket smallint not null,
  claimed_at bigint not null default oidc_clock(),
  primary key (realm, link_key, bucket)
);`,
}
