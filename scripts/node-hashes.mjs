/**
 * What our packages use of `@noble/hashes`, by the module of Node, which Bun has too. A server is a program for these two: it needs no
 * hashes in JavaScript.
 */

import { createHash, createHmac } from 'node:crypto'

/** Bytes that no other Buffer shares. */
const bytes = (digest) => new Uint8Array(digest)

const hash = (name) =>
  Object.assign((message) => bytes(createHash(name).update(message).digest()), { digest: name })

export const sha256 = hash('sha256')
export const sha512 = hash('sha512')

export const hmac = (by, key, message) => bytes(createHmac(by.digest, key).update(message).digest())
