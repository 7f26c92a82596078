/** Signs JWTs as compact JWS: RFC 7515 §7.1. jose and the resource-server package verify. */

import { base64url } from '../util/base64url.js'
import type { OpenKey } from './keys.js'

export type JwtType = 'at+jwt' | 'JWT' | 'logout+jwt'

/** The encoded header of each key and type, which is the same for all their tokens. */
const headers = new WeakMap<OpenKey, Map<JwtType, string>>()

export async function signJwt(key: OpenKey, typ: JwtType, claims: object): Promise<string> {
  const input = `${encodedHeader(key, typ)}.${base64url(JSON.stringify(claims))}`
  return `${input}.${await key.sign(input)}`
}

function encodedHeader(key: OpenKey, typ: JwtType): string {
  const known = headers.get(key) ?? new Map<JwtType, string>()
  headers.set(key, known)
  const encoded = known.get(typ) ?? base64url(JSON.stringify({ alg: key.alg, typ, kid: key.kid }))
  known.set(typ, encoded)
  return encoded
}
