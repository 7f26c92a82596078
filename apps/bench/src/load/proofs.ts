/** DPoP proofs of one client (RFC 9449 §4.2), ES256, made by hand: as little work as possible for each request. */

import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** Makes a new proof for a POST to this URL. */
export type MakeProof = (url: string) => string

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

export function proofsOfNewKey(): MakeProof {
  const { privateKey: key, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const header = encode({ typ: 'dpop+jwt', alg: 'ES256', jwk: publicKey.export({ format: 'jwk' }) })
  const prefix = randomBytes(16).toString('base64url')
  let count = 0
  return (htu) => {
    const iat = Math.floor(Date.now() / 1000)
    const input = `${header}.${encode({ jti: `${prefix}${count++}`, htm: 'POST', htu, iat })}`
    const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
    return `${input}.${signature.toString('base64url')}`
  }
}
