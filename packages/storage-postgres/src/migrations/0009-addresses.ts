import { BUCKET, ID, type Migration } from './migration.js'

/**
 * Which users have confirmed an address, with a bucket of its own, as for names. Several may have: what counts is in their records. A release
 * before it adds none and removes none.
 */
export const addresses: Migration = {
  id: 9,
  name: 'addresses',
  sql: `create table oidc_addresses (
  realm ${ID},
  address_key ${ID},
  sub ${ID},
  bucket ${BUCKET},
  primary key (realm, address_key, sub, bucket)
);`,
}
