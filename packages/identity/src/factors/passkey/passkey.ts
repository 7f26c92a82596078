/** The record of a passkey. */

import { createHash } from 'node:crypto'
import { isAlgorithm, type PasskeyData } from '@ostiary/webauthn'
import type { Factor } from '../../users/factor-store.js'

const TEXTS = ['credential_id', 'public_key', 'aaguid', 'rp_id', 'user_handle'] as const

/** The data of a stored factor. Null for a factor of another kind and for data of another form. */
export function passkeyDataOf({ kind, data }: Pick<Factor, 'kind' | 'data'>): PasskeyData | null {
  const is_whole =
    kind === 'passkey' &&
    TEXTS.every((name) => typeof data[name] === 'string') &&
    isAlgorithm(data.algorithm) &&
    typeof data.backup_eligible === 'boolean' &&
    Array.isArray(data.transports)
  return is_whole ? (data as PasskeyData) : null
}

/**
 * The `factor_id` of a passkey: the SHA-256 of the text of its credential id, base64url, and the tag of its user's `sub`. So a passkey is
 * found by what the browser sends: the credential id, and the tag in the user handle.
 */
export const passkeyFactorId = (credential_id: string, sub_tag: string): string =>
  createHash('sha256').update(credential_id).digest('base64url') + sub_tag

/** Those that work in a realm with these settings: a passkey of another RP ID does not. */
export const passkeysFor = (passkeys: { rp_id: string } | null, factors: readonly Factor[]): Factor[] =>
  passkeys === null ? [] : factors.filter((one) => passkeyDataOf(one)?.rp_id === passkeys.rp_id)
