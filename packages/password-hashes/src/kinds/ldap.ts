/** Salted hashes of LDAP directories (OpenLDAP's slapd-sha2, RFC 2307): one call of a hash function. */

import { createHash, timingSafeEqual } from 'node:crypto'
import { bytesOfPadded, type HashReader, notOfForm } from '../older-hash.js'

const MIN_SALT_BYTES = 4
const MAX_SALT_BYTES = 64

const DIGESTS: ReadonlyMap<string, { name: string; bytes: number }> = new Map([
  ['SSHA', { name: 'sha1', bytes: 20 }],
  ['SSHA256', { name: 'sha256', bytes: 32 }],
  ['SSHA512', { name: 'sha512', bytes: 64 }],
])

const FORM = '{SSHA}, {SSHA256} or {SSHA512}, and the base64 of the hash and 4 to 64 bytes of salt'
const PATTERN = /^\{(SSHA(?:256|512)?)\}([A-Za-z0-9+/]{1,200}={0,2})$/

export const ldap: HashReader = (text) => {
  const [, scheme = '', base64 = ''] = PATTERN.exec(text) ?? []
  const digest = DIGESTS.get(scheme)
  const bytes = bytesOfPadded(base64)
  if (digest === undefined || bytes === null) return notOfForm(FORM)
  const salt = bytes.subarray(digest.bytes)
  if (salt.length < MIN_SALT_BYTES || salt.length > MAX_SALT_BYTES) return notOfForm(FORM)
  const hash = bytes.subarray(0, digest.bytes)
  return {
    async verify(password) {
      const found = createHash(digest.name).update(password).update(salt).digest()
      return timingSafeEqual(found, hash)
    },
  }
}
