/** Client data: WebAuthn Level 3 §5.8.1. */

import { timingSafeEqual } from 'node:crypto'
import type { PasskeyFault } from './passkey.js'

export const MAX_CLIENT_DATA_BYTES = 4096

export interface ExpectedClientData {
  type: 'webauthn.create' | 'webauthn.get'
  /** Base64url. */
  challenge: string
  /** Exact: scheme, host, and the port if it is not that of the scheme. */
  origin: string
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** The checks of the client data in §7.1 and §7.2. */
export function clientDataFault(bytes: Buffer, expected: ExpectedClientData): PasskeyFault | null {
  const data = membersOf(bytes)
  if (data === null || typeof data.challenge !== 'string') return 'passkey_malformed'
  if (data.type !== expected.type) return 'passkey_type'
  if (!isSame(data.challenge, expected.challenge)) return 'passkey_challenge'
  if (data.origin !== expected.origin) return 'passkey_origin'
  // A frame of another origin: a page that shows ours could lead the user to confirm what the user does not see.
  const is_top_level =
    (data.crossOrigin === undefined || data.crossOrigin === false) && data.topOrigin === undefined
  return is_top_level ? null : 'passkey_origin'
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}

function membersOf(bytes: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(UTF8.decode(bytes))
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null
  } catch {
    return null
  }
}
