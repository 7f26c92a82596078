/** Credentials of a client, and a key for its tokens, that are thrown away: those of the client itself are not known here. */

import { createHash, randomBytes } from 'node:crypto'
import type { Client, TokenEndpointAuthMethod } from '@ostiary/core'

/** Proves to be the client, in one simulation. */
export interface ClientProof {
  /** The client with these credentials in the place of its own. */
  clientAs(client: Client): Client
  /** Adds what proves it to the form of a request. @returns Headers */
  authenticate(form: URLSearchParams, at: { issuer: string; now: number }): Promise<Record<string, string>>
  /** The header `DPoP` of a request (RFC 9449 §4.2). */
  dpop(request: ProofOf): Promise<string>
}

interface ProofOf {
  method: string
  url: string
  /** Epoch seconds. */
  now: number
  nonce: string | null
  access_token?: string
}

const JWT_BEARER = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

export async function clientProof(client_id: string): Promise<ClientProof> {
  const { jwk, sign } = await newKey()
  const client_secret = newSecret()
  /** That of the record, once it was read. */
  let method: TokenEndpointAuthMethod = 'none'
  const assertion = (issuer: string, now: number) => {
    // The clock of a simulation stands still.
    const times = { iat: now, exp: now + 1 }
    const claims = { iss: client_id, sub: client_id, aud: issuer, jti: newSecret(), ...times }
    return sign({ alg: 'ES256' }, claims)
  }
  return {
    clientAs(stored) {
      if (stored.client_id !== client_id) return stored
      method = methodOf(stored)
      if (method === 'none') return stored
      if (method !== 'private_key_jwt') return { ...stored, client_secret_hash: hashOf(client_secret) }
      const keys = { jwks: { keys: [jwk] }, jwks_uri: null, token_endpoint_auth_signing_alg: null }
      return { ...stored, ...keys }
    },
    async authenticate(form, { issuer, now }) {
      if (method === 'client_secret_basic') {
        const pair = [client_id, client_secret].map(encodeURIComponent).join(':')
        return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
      }
      form.set('client_id', client_id)
      if (method === 'client_secret_post') form.set('client_secret', client_secret)
      if (method !== 'private_key_jwt') return {}
      form.set('client_assertion_type', JWT_BEARER)
      form.set('client_assertion', await assertion(issuer, now))
      return {}
    },
    dpop({ method: htm, url: htu, now: iat, nonce, access_token }) {
      const ath = access_token === undefined ? {} : { ath: hashOf(access_token) }
      const claims = { jti: newSecret(), htm, htu, iat, ...ath, ...(nonce !== null && { nonce }) }
      return sign({ typ: 'dpop+jwt', alg: 'ES256', jwk }, claims)
    },
  }
}

/** A key stands before a secret, which a profile may refuse. */
export function methodOf({
  token_endpoint_auth_method: first,
  token_endpoint_auth_methods: all,
}: Client): TokenEndpointAuthMethod {
  const methods = all ?? [first]
  return methods.includes('private_key_jwt') ? 'private_key_jwt' : (methods[0] ?? first)
}

const newSecret = (): string => randomBytes(32).toString('base64url')
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

async function newKey() {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey)
  return {
    jwk: { kty, crv, x, y },
    async sign(header: object, claims: object): Promise<string> {
      const parts = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      const input = parts.join('.')
      const signature = await crypto.subtle.sign(
        { name: 'ECDSA', hash: 'SHA-256' },
        privateKey,
        Buffer.from(input),
      )
      return `${input}.${Buffer.from(signature).toString('base64url')}`
    },
  }
}
