/** scrypt: passlib, better-auth, and Firebase's own scheme on top of it. */

import { createCipheriv, scrypt as derive, type ScryptOptions, timingSafeEqual } from 'node:crypto'
import {
  bytesOfBase64,
  costFault,
  type HashFault,
  type HashReader,
  notOfForm,
  numberOf,
} from '../older-hash.js'

/** N × r × p: the time depends on this product, and the memory is 128 bytes for each N × r: 96 MiB. */
const MAX_SCRYPT_WORK = 786_432
/** What the function may take: more than MAX_SCRYPT_WORK needs. */
const MAX_SCRYPT_BYTES = 134_217_728

/** The lengths of a key. A start of a longer key is none. */
const KEY_LENGTHS = [32, 64]

const FORM = '$scrypt$ln=…,r=…,p=…$salt$hash, with salt and hash in base64 without ='
/** `scrypt-nfkc`: the password is in Unicode's form NFKC, as better-auth hashes it. */
const PATTERN =
  /^\$scrypt(-nfkc)?\$ln=(\d{1,2}),r=(\d{1,4}),p=(\d{1,4})\$([A-Za-z0-9+/]{0,172})\$([A-Za-z0-9+/]{43,86})$/

export const scrypt: HashReader = (text) => {
  const [, nfkc, ln, r, p, salt = '', key = ''] = PATTERN.exec(text) ?? []
  const salt_bytes = bytesOfBase64(salt)
  const hash = bytesOfBase64(key)
  if (salt_bytes === null || hash === null || !KEY_LENGTHS.includes(hash.length)) return notOfForm(FORM)
  const costs = costsOf({ ln, r, p }, { kind: 'scrypt', form: FORM })
  if ('fault' in costs) return costs
  return {
    async verify(password) {
      const typed = nfkc === undefined ? password : password.normalize('NFKC')
      return timingSafeEqual(await derived(typed, salt_bytes, { ...costs, bytes: hash.length }), hash)
    },
  }
}

const FIREBASE_FORM =
  '$firebase-scrypt$ln=…,r=…$salt$salt separator$signer key$hash, each in base64 without ='
const FIREBASE_PATTERN =
  /^\$firebase-scrypt\$ln=(\d{1,2}),r=(\d{1,4})\$([A-Za-z0-9+/]{0,86})\$([A-Za-z0-9+/]{0,22})\$([A-Za-z0-9+/]{86})\$([A-Za-z0-9+/]{86})$/
/** A key of AES-256. */
const FIREBASE_KEY_BYTES = 32

/** The hash is the signer key of the project, encrypted with what scrypt derives of the password, the salt and the separator. */
export const firebaseScrypt: HashReader = (text) => {
  const [, ln, r, ...parts] = FIREBASE_PATTERN.exec(text) ?? []
  const [salt = null, separator = null, signer_key = null, hash = null] = parts.map(bytesOfBase64)
  if (salt === null || separator === null || signer_key === null || hash === null)
    return notOfForm(FIREBASE_FORM)
  const costs = costsOf({ ln, r, p: '1' }, { kind: 'firebase-scrypt', form: FIREBASE_FORM })
  if ('fault' in costs) return costs
  const salted = Buffer.concat([salt, separator])
  return {
    async verify(password) {
      const key = await derived(password, salted, { ...costs, bytes: FIREBASE_KEY_BYTES })
      const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
      return timingSafeEqual(Buffer.concat([cipher.update(signer_key), cipher.final()]), hash)
    },
  }
}

interface Costs {
  N: number
  r: number
  p: number
}

function costsOf(
  texts: Record<'ln' | 'r' | 'p', string | undefined>,
  { kind, form }: { kind: string; form: string },
): Costs | HashFault {
  const [ln = 0, r = 0, p = 0] = [texts.ln, texts.r, texts.p].map(numberOf)
  if (!(ln >= 1 && r >= 1 && p >= 1)) return notOfForm(form)
  const N = 2 ** ln
  const of = `${kind}: 2^ln × r × p`
  return costFault([{ of, value: N * r * p, most: MAX_SCRYPT_WORK }]) ?? { N, r, p }
}

const derived = (password: string, salt: Buffer, { bytes, ...costs }: Costs & { bytes: number }) =>
  new Promise<Buffer>((resolve, reject) => {
    const options: ScryptOptions = { ...costs, maxmem: MAX_SCRYPT_BYTES }
    derive(password, salt, bytes, options, (error, key) => (error ? reject(error) : resolve(key)))
  })
