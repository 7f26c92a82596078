/** How this server authenticates at the token endpoint of an upstream. */

import type { webcrypto } from 'node:crypto'
import type { ClientAuth } from 'openid-client'
import { APPLE_ISSUER, isApple } from '../known.js'
import { es256Jwt, keyAlgorithm, signingKey } from '../private-key.js'
import type { UpstreamSettings } from '../settings.js'

type Client = typeof import('openid-client')

/** Seconds for which a client secret of Apple is good: it is made anew for each request. */
const SECRET_SECONDS = 300

interface TokenEndpoint {
  /** `token_endpoint_auth_methods_supported`. */
  methods: readonly string[] | undefined
  /** Epoch seconds. */
  now: number
}

export async function clientAuth(
  client: Client,
  settings: UpstreamSettings,
  { methods = ['client_secret_basic'], now }: TokenEndpoint,
): Promise<ClientAuth> {
  const { client_secret, private_key, key_id, issuer = '' } = settings
  if (private_key === undefined) {
    const secret = client_secret ?? ''
    return methods.includes('client_secret_basic') || !methods.includes('client_secret_post')
      ? client.ClientSecretBasic(secret)
      : client.ClientSecretPost(secret)
  }
  const alg = keyAlgorithm(private_key) ?? 'ES256'
  const key = await signingKey(private_key, alg)
  if (isApple(issuer)) return client.ClientSecretPost(await appleSecret(settings, { key, now }))
  return client.PrivateKeyJwt(key_id === undefined ? key : { key, kid: key_id })
}

/** Apple takes a JWT in the place of the client secret. */
const appleSecret = (
  { client_id, key_id = '', team_id = '' }: UpstreamSettings,
  { key, now }: { key: webcrypto.CryptoKey; now: number },
): Promise<string> =>
  es256Jwt(
    { kid: key_id },
    { iss: team_id, sub: client_id, aud: APPLE_ISSUER, iat: now, exp: now + SECRET_SECONDS },
    key,
  )
