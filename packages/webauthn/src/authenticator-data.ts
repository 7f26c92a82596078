/** Authenticator data: WebAuthn Level 3 §6.1. */

import { createHash, timingSafeEqual } from 'node:crypto'
import { isExtensionMap } from './extension-map.js'
import type { PasskeyFault, PasskeyState } from './passkey.js'

export const MAX_AUTHENTICATOR_DATA_BYTES = 4096
const MIN_CREDENTIAL_ID_BYTES = 16
export const MAX_CREDENTIAL_ID_BYTES = 1023

/** What every authenticator data has, in its first 37 bytes. */
export interface AuthenticatorData extends PasskeyState {
  rp_id_hash: Buffer
  /** UP. */
  user_present: boolean
  /** UV. */
  user_verified: boolean
  /** BE. */
  backup_eligible: boolean
  /** AT: a credential follows. */
  has_credential: boolean
  /** ED: extension data follows, as the last part. */
  has_extensions: boolean
  /** The bytes after the first 37. */
  rest: Buffer
}

const HEAD_BYTES = 37

/** Reads the first 37 bytes. The reserved flags (bits 1 and 5) are ignored, as §6.1 says. Null for fewer bytes. */
export function authenticatorDataOf(bytes: Buffer): AuthenticatorData | null {
  if (bytes.length < HEAD_BYTES) return null
  const flags = bytes.readUInt8(32)
  const has = (bit: number): boolean => (flags & (1 << bit)) !== 0
  return {
    rp_id_hash: bytes.subarray(0, 32),
    user_present: has(0),
    user_verified: has(2),
    backup_eligible: has(3),
    backed_up: has(4),
    has_credential: has(6),
    has_extensions: has(7),
    counter: bytes.readUInt32BE(33),
    rest: bytes.subarray(HEAD_BYTES),
  }
}

/** The credential of a registration: §6.5.1. */
export interface AttestedCredential {
  aaguid: string
  credential_id: Buffer
  /** The COSE key, and the extension data if there is any. */
  rest: Buffer
}

/** Null for bytes that end within the credential id, and for a short id. The id is compared with one of at most 1023 bytes. */
export function attestedCredentialOf(bytes: Buffer): AttestedCredential | null {
  if (bytes.length < 18) return null
  const length = bytes.readUInt16BE(16)
  const end = 18 + length
  if (length < MIN_CREDENTIAL_ID_BYTES || end > bytes.length) return null
  return {
    aaguid: uuidOf(bytes.subarray(0, 16)),
    credential_id: bytes.subarray(18, end),
    rest: bytes.subarray(end),
  }
}

function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Whether the authenticator data ends as its flag ED says: with one map of extensions, or with nothing. */
export const endsWell = ({ has_extensions }: AuthenticatorData, rest: Buffer): boolean =>
  has_extensions ? isExtensionMap(rest) : rest.length === 0

/** What the caller expects of each authenticator data. */
export interface ExpectedAuthenticator {
  rp_id: string
  /** `discouraged`: UV may be 0. */
  user_verification: 'required' | 'discouraged'
}

/** The checks of both ceremonies: §7.1 and §7.2, RP ID hash, UP, UV, BE and BS. */
export function authenticatorFault(
  data: AuthenticatorData,
  expected: ExpectedAuthenticator,
): PasskeyFault | null {
  const rp_id_hash = createHash('sha256').update(expected.rp_id).digest()
  if (!timingSafeEqual(data.rp_id_hash, rp_id_hash)) return 'passkey_rp_id'
  if (!data.user_present) return 'user_presence'
  if (!data.user_verified && expected.user_verification === 'required') return 'user_verification'
  return data.backed_up && !data.backup_eligible ? 'passkey_backup' : null
}
