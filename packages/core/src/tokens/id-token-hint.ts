/** The `id_token_hint` parameter: OpenID Connect Core §3.1.2.1, RP-Initiated Logout §2. */

import { headerAlgorithms } from '@ostiary/resource-server'
import { compactVerify, decodeProtectedHeader, base64url as decoder } from 'jose'
import type { OpenKey } from '../crypto/keys.js'
import { OAuthError } from '../http/errors.js'
import { base64url, utf8Text } from '../util/base64url.js'

/** What a verified hint says. */
export interface IdTokenHint {
  sub: string
  aud: string[]
  /** The session in which the ID token was issued; null when the token has no `sid`. */
  sid: string | null
}

const invalidHint = (cause?: unknown) =>
  new OAuthError('invalid_request', 'The id_token_hint is not an ID token of this issuer', {
    reason: 'bad_id_token_hint',
    cause,
  })

/**
 * Verifies that the hint is an ID token of this issuer, signed with a published key and its algorithm. Its age and audience are not checked.
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
    algorithms: headerAlgorithms([key.alg]),
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

/** RFC 4648 §3.5: decoders ignore unused bits of the last letter, so that several texts stand for one signature. */
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
    const value: unknown = JSON.parse(utf8Text(payload))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
