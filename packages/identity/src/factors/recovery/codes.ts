/** Recovery codes: ten codes, each good once, in the place of a lost factor. */

import { createHash, randomBytes } from 'node:crypto'
import { personTag } from '@ostiary/core'
import type { Factor } from '../../users/factor-store.js'
import { constantTimeEqual } from '../../web/keyed-hash.js'

/** How many codes a set has. */
const RECOVERY_CODES = 10
/** 16 characters of 5 bits: 80 bits. */
const CODE_LENGTH = 16
/** Base32 of Crockford in lower case, without i, l, o and u. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const READ_AS: Readonly<Record<string, string>> = { o: '0', i: '1', l: '1' }
/** With the spaces and dashes that users type. */
const MAX_TYPED_LENGTH = 64
const TYPED_CODE = /^[0-9A-Za-z](?:[\s-]*[0-9A-Za-z]){15}$/

export interface NewRecoveryCodes {
  /** Of the kind `recovery`. Its `state` is the JSON of the hashes of the codes that are left. */
  factor: Factor
  /** `xxxx-xxxx-xxxx-xxxx`, shown once: they cannot be read from the factor. */
  codes: string[]
}

/** A new set of codes of a user. @param now Epoch seconds. */
export function newRecoveryCodes(sub: string, now: number): NewRecoveryCodes {
  const factor_id = randomBytes(16).toString('base64url') + personTag(sub)
  const codes = Array.from({ length: RECOVERY_CODES }, newCode)
  const factor: Factor = {
    factor_id,
    sub,
    kind: 'recovery',
    label: '',
    created_at: now,
    last_used_at: null,
    state: JSON.stringify(codes.map((code) => hashOf(factor_id, code))),
    data: {},
  }
  return { factor, codes: codes.map(shown) }
}

/**
 * The state after the use of this code, for `FactorStore.use` with `factor.state` as the expected one, which lets one of several parallel
 * uses succeed; and how many codes are left then. Null for a code that is wrong or used. Letters may be large or small, spaces and dashes
 * are ignored, o is read as 0, i and l as 1. The comparison takes the same time whichever code matches.
 */
export function useRecoveryCode(factor: Factor, typed: string): { next_state: string; left: number } | null {
  const code = typedCode(typed)
  if (code === null) return null
  const hash = hashOf(factor.factor_id, code)
  const hashes = hashesOf(factor)
  // `filter` compares all of them.
  const others = hashes.filter((one) => !constantTimeEqual(one, hash))
  return others.length === hashes.length ? null : { next_state: JSON.stringify(others), left: others.length }
}

/** How many codes of the set are left. */
export const codesLeft = (factor: Factor): number => hashesOf(factor).length

function hashesOf({ kind, state }: Factor): string[] {
  return kind === 'recovery' ? (JSON.parse(state) as string[]) : []
}

/** Each byte gives 5 random bits, because 256 is a multiple of 32. */
const newCode = (): string =>
  Array.from(randomBytes(CODE_LENGTH), (byte) => ALPHABET.charAt(byte % 32)).join('')

const shown = (code: string): string =>
  [code.slice(0, 4), code.slice(4, 8), code.slice(8, 12), code.slice(12)].join('-')

/**
 * SHA-256 with the factor's id as the salt, base64url. A slow hash is not needed: the codes are random and have 80 bits, so that who
 * reads the hashes needs 2^76 attempts for one of the ten.
 */
const hashOf = (factor_id: string, code: string): string =>
  createHash('sha256')
    .update(JSON.stringify([factor_id, code]))
    .digest('base64url')

/** The 16 characters of a typed code as they were hashed; null for another text. */
function typedCode(text: string): string | null {
  const trimmed = text.length <= MAX_TYPED_LENGTH ? text.trim() : ''
  if (!TYPED_CODE.test(trimmed)) return null
  const characters = trimmed.replace(/[^0-9A-Za-z]/g, '').toLowerCase()
  return Array.from(characters, (character) => READ_AS[character] ?? character).join('')
}
