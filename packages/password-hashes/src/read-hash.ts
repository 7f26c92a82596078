/** Finds the kind of a hash by the start of its text. */

import { argon2 } from './kinds/argon2.js'
import { bcrypt } from './kinds/bcrypt.js'
import { ldap } from './kinds/ldap.js'
import { django, pbkdf2 } from './kinds/pbkdf2.js'
import { firebaseScrypt, scrypt } from './kinds/scrypt.js'
import type { HashReader } from './older-hash.js'

/** The longest text that is read. */
const MAX_HASH_CHARACTERS = 500

const READERS: readonly [start: string, reader: HashReader][] = [
  ['$argon2', argon2],
  ['$2', bcrypt],
  ['$scrypt', scrypt],
  ['$firebase-scrypt$', firebaseScrypt],
  ['$pbkdf2', pbkdf2],
  ['pbkdf2_', django],
  ['{SSHA', ldap],
]

const KINDS = 'argon2, bcrypt, scrypt, firebase-scrypt, pbkdf2, {SSHA}, {SSHA256}, {SSHA512}'

/** Reads a hash of another system. Takes linear time, and does no work of a verification. */
export const readHash: HashReader = (text) => {
  if (text.length > MAX_HASH_CHARACTERS)
    return { fault: `it is longer than ${MAX_HASH_CHARACTERS} characters` }
  const found = READERS.find(([start]) => text.startsWith(start))
  if (found === undefined) return { fault: `it is of no kind that is verified here: ${KINDS}` }
  const [, read] = found
  return read(text)
}
