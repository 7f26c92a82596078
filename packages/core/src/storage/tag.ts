/**
 * The tag of a person: two base64url characters at the end of each id, secret and hash of that person's records. It names one of 4,096
 * buckets, so that a storage that is divided by people finds a record in one part of it. This file alone makes and reads tags.
 *
 * A tag is neither a secret nor a check. It follows from the `sub`, so that nobody can choose one; and a record is found by its whole id
 * or hash, so that a text with another tag is not found.
 */

import { type Hashes, newSecret, newTimedId, type Random, sha256 } from '../util/secret.js'

const TAG_WIDTH = 2
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** The number of buckets: it never changes. */
export const BUCKETS = BASE64URL.length ** TAG_WIDTH

/** The tag of the person: the first 12 bits of the SHA-256 of `sub`, base64url. */
export const personTag = (sub: string): string => tagOfHash(sha256(sub))

const tagOfHash = (hash: string): string => hash.slice(0, TAG_WIDTH)

/** The tag at the end of an id, a secret or a hash of a person's record. */
export const tagOf = (id: string): string => id.slice(-TAG_WIDTH)

/** The bucket of an id or hash that ends with a tag, 0 to 4095. For any other text it is some bucket, in which nothing has that id. */
export const bucketByTag = (id: string): number => bucketOfTag(tagOf(id))

/** The bucket of a person by `sub`, and of a record that belongs to nobody by its own key, 0 to 4095. */
export const bucketByHash = (key: string): number => bucketOfTag(personTag(key))

/** The tag of a bucket, 0 to 4095. */
export const tagOfBucket = (bucket: number): string =>
  BASE64URL.charAt(Math.floor(bucket / BASE64URL.length)) + BASE64URL.charAt(bucket % BASE64URL.length)

/** The grant that the `jti` of a token names. Null for one that names none. */
export function grantOfJti(jti: string): string | null {
  const [grant_id = '', random] = jti.split('.', 2)
  return random === undefined ? null : grant_id
}

/** The bucket of a revoked token: that of the grant which its `jti` names, else by the hash of the `jti`. */
export function bucketOfJti(jti: string): number {
  const grant_id = grantOfJti(jti)
  return grant_id === null ? bucketByHash(jti) : bucketByTag(grant_id)
}

function bucketOfTag(tag: string): number {
  let bucket = 0
  for (const character of tag) bucket = bucket * BASE64URL.length + Math.max(0, BASE64URL.indexOf(character))
  return bucket
}

/** A secret of a person with this tag: a code, a refresh token, the value of a session's cookie. */
export const newTaggedSecret = (random: Random, tag: string): string => newSecret(random) + tag

/** The id of a session or a grant of the person with this tag, sorted by time. */
export const newTaggedId = (random: Random, now: number, tag: string): string => newTimedId(random, now) + tag

/** 43 characters for 256 bits, and the tag. */
const TAGGED_SECRET = /^[A-Za-z0-9_-]{45}$/

/** The hash under which a person's secret is stored: SHA-256, base64url, and the tag of the secret. */
export const taggedHash = (hashes: Hashes, secret: string): string => hashes.sha256(secret) + tagOf(secret)

/** {@link taggedHash} of a text that a client or a browser has sent. Null for one that is no such secret: no storage is asked for it. */
export const presentedHash = (hashes: Hashes, presented: string): string | null =>
  TAGGED_SECRET.test(presented) ? taggedHash(hashes, presented) : null
