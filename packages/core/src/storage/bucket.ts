/** The number of a tag: for storages that are divided by people, such as partitions of a table or slots of a cluster. */

import { LETTERS } from '../util/base64url.js'
import type { Hashes } from '../util/secret.js'
import { personTag, TAG_WIDTH, tagOf } from './tag.js'

/** The number of buckets: it never changes. */
export const BUCKETS = LETTERS.length ** TAG_WIDTH

/** The bucket of an id or hash that ends with a tag, 0 to 4095. For any other text it is some bucket, in which nothing has that id. */
export const bucketByTag = (id: string): number => bucketOfTag(tagOf(id))

/**
 * The bucket of a person by `sub`, and of a record of the realm by its own key, 0 to 4095.
 * @param hash A faster SHA-256 of the runtime, in base64url.
 */
export const bucketByHash = (key: string, hash?: Hashes['sha256']): number =>
  bucketOfTag(personTag(key, hash))

/** The tag of a bucket, 0 to 4095. */
export const tagOfBucket = (bucket: number): string =>
  LETTERS.charAt(Math.floor(bucket / LETTERS.length)) + LETTERS.charAt(bucket % LETTERS.length)

/** The grant that the `jti` of a token names. Null for one that names none. */
export function grantOfJti(jti: string): string | null {
  const [grant_id = '', random] = jti.split('.', 2)
  return random === undefined ? null : grant_id
}

/** The bucket of a revoked token: that of the grant which its `jti` names, else {@link bucketByHash} of the `jti`. */
export function bucketOfJti(jti: string, hash?: Hashes['sha256']): number {
  const grant_id = grantOfJti(jti)
  return grant_id === null ? bucketByHash(jti, hash) : bucketByTag(grant_id)
}

function bucketOfTag(tag: string): number {
  let bucket = 0
  for (const character of tag) bucket = bucket * LETTERS.length + Math.max(0, LETTERS.indexOf(character))
  return bucket
}
