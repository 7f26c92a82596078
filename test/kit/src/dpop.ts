/** Keys and proofs of DPoP clients (RFC 9449 §4.2), made by hand so that each part can be wrong. */

import { constants, createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'

export type Json = Record<string, unknown>

/** A client's key, with the algorithm of its proofs. */
export interface DpopKey {
  alg: string
  private_key: KeyObject
  /** The public half. */
  jwk: Json
  /** RFC 7638. */
  jkt: string
}

const GENERATORS: Record<string, () => { privateKey: KeyObject; publicKey: KeyObject }> = {
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES384: () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  EdDSA: () => generateKeyPairSync('ed25519'),
  Ed25519: () => generateKeyPairSync('ed25519'),
  PS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
}

export function dpopKey(alg = 'ES256', make = GENERATORS[alg]): DpopKey {
  if (!make) throw new Error(`dpopKey: no generator for ${alg}`)
  const { privateKey, publicKey } = make()
  const jwk = { ...publicKey.export({ format: 'jwk' }) }
  return { alg, private_key: privateKey, jwk, jkt: thumbprint(jwk) }
}

export function thumbprint({ crv, e, kty, n, x, y }: Json): string {
  return base64url(createHash('sha256').update(JSON.stringify({ crv, e, kty, n, x, y })).digest())
}

export const base64url = (bytes: string | Uint8Array): string => Buffer.from(bytes).toString('base64url')

/** The value of `ath`. */
export const tokenHash = (access_token: string): string =>
  base64url(createHash('sha256').update(access_token).digest())

/** The request that a proof is for. */
export interface ProvenRequest {
  method: string
  /** Without query and fragment. */
  url: string
  /** Epoch seconds. */
  now: number
  access_token?: string
  nonce?: string
}

export const proofHeader = ({ alg, jwk }: DpopKey): Json => ({ typ: 'dpop+jwt', alg, jwk })
export const proofClaims = ({ method, url, now, access_token, nonce }: ProvenRequest): Json => ({
  jti: randomUUID(),
  htm: method,
  htu: url,
  iat: now,
  ath: access_token === undefined ? undefined : tokenHash(access_token),
  nonce,
})

/** A good proof, changed before it is signed; undefined leaves a member out. */
export const dpopProof = (
  key: DpopKey,
  request: ProvenRequest,
  change: { header?: Json; claims?: Json } = {},
): string =>
  signedProof(
    { ...proofHeader(key), ...change.header },
    { ...proofClaims(request), ...change.claims },
    key.private_key,
  )

/** Signed as the header says, with any key. A text as claims is the payload's text. */
export function signedProof(header: unknown, claims: unknown, key: KeyObject): string {
  const input = `${part(header)}.${part(claims)}`
  return `${input}.${base64url(signature((header as Json | null)?.alg, Buffer.from(input), key))}`
}

const part = (value: unknown): string => base64url(typeof value === 'string' ? value : JSON.stringify(value))

function signature(alg: unknown, input: Buffer, key: KeyObject): Uint8Array {
  if (key.asymmetricKeyType === 'ed25519') return sign(null, input, key)
  const digest = `sha${/\d{3}$/.exec(String(alg))?.[0] ?? '256'}`
  if (key.asymmetricKeyType === 'ec') return sign(digest, input, { key, dsaEncoding: 'ieee-p1363' })
  const pss = alg === 'PS256' && { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
  return sign(digest, input, { key, ...pss })
}
