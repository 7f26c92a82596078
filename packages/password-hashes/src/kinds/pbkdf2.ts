/** PBKDF2: passlib, Django, Keycloak, and what names its parameters as PHC strings do. */

import { pbkdf2 as derive, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import {
  bytesOfBase64,
  bytesOfPadded,
  costFault,
  type HashReader,
  notOfForm,
  numberOf,
} from '../older-hash.js'

/** Iterations, times the blocks of the key. One of SHA-512 takes two and a half times as long. */
const MAX_PBKDF2_SHA1 = 1_250_000
const MAX_PBKDF2_SHA256 = 1_250_000
const MAX_PBKDF2_SHA512 = 500_000

/** The lengths that a key has: the hash function's own, and Keycloak's 64 bytes. A start of a longer key is none. */
const DIGESTS = {
  sha1: { lengths: [20, 64], most: MAX_PBKDF2_SHA1 },
  sha256: { lengths: [32, 64], most: MAX_PBKDF2_SHA256 },
  sha512: { lengths: [64], most: MAX_PBKDF2_SHA512 },
} as const
type Digest = keyof typeof DIGESTS

const FORM =
  '$pbkdf2-sha256$iterations$salt$hash, or -sha1 or -sha512, with salt and hash in base64 without ='
/** passlib writes `.` instead of `+`, and no digest for SHA-1; other systems write the parameters as PHC strings do. */
const PATTERN =
  /^\$pbkdf2(?:-(sha1|sha256|sha512))?\$(?:i=)?(\d{1,10})(?:,l=(\d{1,3}))?\$([A-Za-z0-9+/.]{0,172})\$([A-Za-z0-9+/.]{27,86})$/

export const pbkdf2: HashReader = (text) => {
  const [whole, digest = 'sha1', iterations, length, salt = '', key = ''] = PATTERN.exec(text) ?? []
  const hash = bytesOfBase64(key.replaceAll('.', '+'))
  const salt_bytes = bytesOfBase64(salt.replaceAll('.', '+'))
  if (whole === undefined || hash === null || salt_bytes === null) return notOfForm(FORM)
  if (length !== undefined && length !== String(hash.length)) return notOfForm(FORM)
  const found = { digest: digest as Digest, iterations: numberOf(iterations), salt: salt_bytes, hash }
  return checked(found, FORM)
}

const DJANGO_FORM = 'pbkdf2_sha256$iterations$salt$hash, or pbkdf2_sha1, as Django writes it'
const DJANGO_PATTERN = /^pbkdf2_(sha1|sha256)\$(\d{1,10})\$([^$]{1,128})\$([A-Za-z0-9+/]{27,43}=)$/

/** The salt of Django is a text, not base64. */
export const django: HashReader = (text) => {
  const [, digest, iterations, salt = '', key = ''] = DJANGO_PATTERN.exec(text) ?? []
  const hash = bytesOfPadded(key)
  if (digest === undefined || hash === null) return notOfForm(DJANGO_FORM)
  const found = {
    digest: digest as Digest,
    iterations: numberOf(iterations),
    salt: Buffer.from(salt),
    hash,
  }
  return checked(found, DJANGO_FORM)
}

interface Pbkdf2Hash {
  digest: Digest
  iterations: number
  salt: Buffer
  hash: Buffer
}

function checked({ digest, iterations, salt, hash }: Pbkdf2Hash, form: string): ReturnType<HashReader> {
  const { lengths, most } = DIGESTS[digest]
  const isLength = lengths.some((length) => length === hash.length)
  if (!isLength || !(iterations >= 1)) return notOfForm(form)
  const blocks = Math.ceil(hash.length / lengths[0])
  const of =
    blocks === 1
      ? `pbkdf2-${digest}: the number of iterations`
      : `pbkdf2-${digest}: the number of iterations, times ${blocks} for a hash of ${hash.length} bytes,`
  const fault = costFault([{ of, value: iterations * blocks, most }])
  if (fault !== null) return fault
  return {
    verify: async (password) =>
      timingSafeEqual(await derived(password, salt, iterations, hash.length, digest), hash),
  }
}

const derived = promisify(derive)
