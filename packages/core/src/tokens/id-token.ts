/** ID tokens: OpenID Connect Core §2, §3.1.3.6, §3.1.3.7. */

import { compactVerify, decodeProtectedHeader, base64url as decoder } from 'jose'
import { OAuthError } from '../errors.js'
import type { Claims } from '../ports.js'
import { base64url } from '../protocol/base64url.js'
import { withoutProtocolClaims } from '../protocol/claims.js'
import { sha256Bytes } from '../protocol/secret.js'
import type { OpenKey } from './keys.js'

export interface IdTokenOrder {
  issuer: string
  client_id: string
  sub: string
  sid: string
  /** Epoch seconds. */
  now: number
  expires_at: number
  auth_time: number | null
  amr: readonly string[]
  acr: string | null
  nonce: string | null
  access_token: string
  /** As the resolver gave them. */
  claims: Claims
}

export function idTokenClaims(order: IdTokenOrder) {
  return {
    iss: order.issuer,
    sub: order.sub,
    aud: order.client_id,
    exp: order.expires_at,
    iat: order.now,
    ...(order.auth_time !== null && { auth_time: order.auth_time }),
    sid: order.sid,
    azp: order.client_id,
    at_hash: atHash(order.access_token),
    ...(order.nonce !== null && { nonce: order.nonce }),
    ...(order.amr.length > 0 && { amr: order.amr }),
    ...(order.acr !== null && { acr: order.acr }),
    ...withoutProtocolClaims(order.claims),
  }
}

/** The left half of the access token's SHA-256 (Core §3.1.3.6). */
const atHash = (access_token: string): string => base64url(sha256Bytes(access_token).subarray(0, 16))

export interface IdTokenHint {
  sub: string
  aud: string[]
  /** The session that the ID token is from; null when it names none. */
  sid: string | null
}

const invalidHint = (cause?: unknown) =>
  new OAuthError('invalid_request', 'The id_token_hint is not an ID token of this issuer', {
    reason: 'bad_id_token_hint',
    cause,
  })

/**
 * Verifies an `id_token_hint`: signed by a published key, ours, and an ID token. Its age and audience do not count.
 * @throws OAuthError `invalid_request`
 */
export async function verifyIdTokenHint(
  hint: string,
  issuer: string,
  findKey: (kid: string | undefined) => Promise<OpenKey | null>,
): Promise<IdTokenHint> {
  const key = await findKey(keyIdOf(hint))
  if (!key) throw invalidHint()
  const { payload, protectedHeader } = await compactVerify(hint, key.public_key, {
    algorithms: ['RS256'],
  }).catch((cause: unknown) => {
    throw invalidHint(cause)
  })
  if (!isSignatureCanonical(hint)) throw invalidHint()
  const claims = parseObject(payload)
  const typ = protectedHeader.typ ?? 'JWT'
  if (typ.toLowerCase() !== 'jwt' || claims?.iss !== issuer || typeof claims.sub !== 'string')
    throw invalidHint()
  const aud = Array.isArray(claims.aud) ? claims.aud : [claims.aud]
  return {
    sub: claims.sub,
    aud: aud.filter((value) => typeof value === 'string'),
    sid: typeof claims.sid === 'string' ? claims.sid : null,
  }
}

/** RFC 4648 §3.5: the last letter may have bits that no byte of the signature uses, and decoders ignore them. */
function isSignatureCanonical(jws: string): boolean {
  const signature = jws.slice(jws.lastIndexOf('.') + 1)
  return base64url(decoder.decode(signature)) === signature
}

function keyIdOf(hint: string): string | undefined {
  try {
    return decodeProtectedHeader(hint).kid
  } catch (cause) {
    throw invalidHint(cause)
  }
}

function parseObject(payload: Uint8Array): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(payload))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
