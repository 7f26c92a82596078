/** How a resource server authenticates at the introspection endpoint (RFC 7662 §2.1): by a secret, or by a signed assertion. */

import { importJWK, type JWK, SignJWT } from 'jose'
import type { Settings } from './settings.js'

/** What a request has besides its own parameters. */
export interface ClientCredentials {
  headers: Record<string, string>
  form: Record<string, string>
}

const ASSERTION_SECONDS = 60
const JWT_BEARER = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

type IntrospectionSettings = NonNullable<Settings['introspection']>

/** The credentials of a new request. */
export function clientCredentials(
  { client_id, client_secret = '', private_key, token_endpoint_auth_method }: IntrospectionSettings,
  { issuer, now }: Pick<Settings, 'issuer' | 'now'>,
): () => Promise<ClientCredentials> {
  if (private_key !== undefined) {
    const sign = assertionSigner(client_id, private_key)
    return async () => {
      const client_assertion = await sign(issuer, now())
      return { headers: {}, form: { client_id, client_assertion_type: JWT_BEARER, client_assertion } }
    }
  }
  const by_secret: ClientCredentials =
    token_endpoint_auth_method === 'client_secret_post'
      ? { headers: {}, form: { client_id, client_secret } }
      : { headers: { authorization: basic(client_id, client_secret) }, form: {} }
  return async () => by_secret
}

/** RFC 7523 §3: each assertion has a `jti` of its own, and is for the issuer alone. */
function assertionSigner(client_id: string, jwk: JWK): (issuer: string, now: number) => Promise<string> {
  const { alg = '', kid } = jwk
  const imported = importJWK(jwk, alg)
  // The first request reports it.
  imported.catch(() => {})
  return async (issuer, now) =>
    new SignJWT()
      .setProtectedHeader({ alg, typ: 'client-authentication+jwt', ...(kid !== undefined && { kid }) })
      .setIssuer(client_id)
      .setSubject(client_id)
      .setAudience(issuer)
      .setJti(crypto.randomUUID())
      .setIssuedAt(now)
      .setExpirationTime(now + ASSERTION_SECONDS)
      .sign(await imported)
}

/** RFC 6749 §2.3.1: both parts are form-encoded, so the id may contain a colon. */
function basic(client_id: string, client_secret: string): string {
  const encoded = [client_id, client_secret].map((value) =>
    new URLSearchParams({ '': value }).toString().slice(1),
  )
  return `Basic ${btoa(encoded.join(':'))}`
}
