/** A realm with the profile fapi2: its clients sign assertions and proofs. */

import type { Client, OidcConfig } from '@ostiary/core'
import { dpopKey } from '@ostiary/test-kit/dpop'
import { type AssertionParts, asserted, type ClientKey, clientKey, signed } from './assertions.js'
import { tokenProof, withProof } from './dpop.js'
import {
  client,
  REDIRECT_URI,
  type TokenAnswer,
  tokens,
  type World,
  type WorldOptions,
  world,
} from './support.js'

const GRANTS = ['authorization_code', 'refresh_token', 'client_credentials']

/** Of the client `bank`, for its assertions. */
export const key: ClientKey = await clientKey('ES256')
export const rsa: ClientKey = await clientKey('PS256')
/** Of its proofs. */
export const proofKey = dpopKey()

/** The record of a client that the profile permits. */
export const bank = (fields: Partial<Client> = {}): Promise<Client> =>
  client({
    client_id: 'bank',
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [key.public_jwk, rsa.public_jwk] },
    grant_types: GRANTS,
    redirect_uris: [REDIRECT_URI],
    ...fields,
  })

/** @param oidc Keys beside the profile. */
export async function fapi2World({
  oidc,
  clients,
  ...options
}: WorldOptions & { oidc?: OidcConfig } = {}): Promise<World> {
  const records = clients ?? [await bank()]
  return world({ ...options, oidc: { profile: 'fapi2', ...oidc }, clients: records, own_key: true })
}

let assertions = 0

/** An assertion of the client `bank` for the issuer, as a text. */
export const assertion = (w: World, parts: Partial<AssertionParts> = {}): Promise<string> =>
  signed({
    key: parts.key ?? key.private_key,
    header: parts.header ?? {},
    claims: {
      iss: 'bank',
      sub: 'bank',
      aud: w.issuer,
      jti: `assertion ${++assertions}`,
      iat: w.clock.now,
      exp: w.clock.now + 60,
      ...parts.claims,
    },
  })

/** The form fields of a new assertion. */
export const authenticated = async (
  w: World,
  parts?: Partial<AssertionParts>,
): Promise<Record<string, string>> => asserted(await assertion(w, parts))

/** A token request of the client `bank`, with a new assertion and a new proof. */
export const granted = async (w: World, form: Record<string, string>): Promise<TokenAnswer> =>
  tokens(w, { ...(await authenticated(w)), ...form }, withProof(tokenProof(w, proofKey)))
