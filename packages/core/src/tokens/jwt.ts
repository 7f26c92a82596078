/** Compact JWS with RS256: RFC 7515 §7.1. Verification is jose's and the resource-server package's. */

import { base64url } from '../protocol/base64url.js'
import type { OpenKey } from './keys.js'

export type JwtType = 'at+jwt' | 'JWT' | 'logout+jwt'

/** A header is the same for every token of one key and type: encoded once. */
const headers = new WeakMap<OpenKey, Map<JwtType, string>>()

export async function signJwt(key: OpenKey, typ: JwtType, claims: object): Promise<string> {
  const input = `${encodedHeader(key, typ)}.${base64url(JSON.stringify(claims))}`
  return `${input}.${await key.sign(input)}`
}

function encodedHeader(key: OpenKey, typ: JwtType): string {
  const known = headers.get(key) ?? new Map<JwtType, string>()
  headers.set(key, known)
  const encoded = known.get(typ) ?? base64url(JSON.stringify({ alg: 'RS256', typ, kid: key.kid }))
  known.set(typ, encoded)
  return encoded
}
