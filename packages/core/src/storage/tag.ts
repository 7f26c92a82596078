/**
 * The tag of a person: two base64url characters at the end of each id, secret and hash of that person's records. It names one of 4,096
 * buckets, so that a storage that is divided by people finds a record in one part of it (bucket.ts). This file alone makes and reads tags.
 *
 * A tag is neither a secret nor a check. It follows from the `sub`, so that no client and no user can choose one; and a record is found by its whole id
 * or hash, so that a text with another tag is not found.
 */

import { type Hashes, newSecret, newTimedId, type Random, sha256 } from '../util/secret.js'

export const TAG_WIDTH = 2

/** The tag of the person: the first 12 bits of the SHA-256 of `sub`, base64url. */
export const personTag = (sub: string, hash: Hashes['sha256'] = sha256): string =>
  hash(sub).slice(0, TAG_WIDTH)

/** The tag at the end of an id, a secret or a hash of a person's record. */
export const tagOf = (id: string): string => id.slice(-TAG_WIDTH)

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
