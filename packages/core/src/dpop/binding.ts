/** Which access tokens must be bound to a key: RFC 9449 §5. */

import type { AccessToken, DpopProof } from '@ostiary/resource-server'
import type { OidcSettings } from '../config/config.js'
import { OAuthError } from '../http/errors.js'
import type { Realm, RealmRules } from '../realm/realm.js'
import type { Client } from '../storage/storage.js'

interface BoundToken {
  client: Client
  audience: string
  proof: DpopProof | null
}

/**
 * The thumbprint of the key that an access token is bound to: the key of the request's proof. Null for a bearer token.
 * @throws OAuthError `invalid_dpop_proof` when there is no proof, and the client or the resource takes bound tokens alone.
 */
export function bindingKey(realm: Realm, { client, audience, proof }: BoundToken): string | null {
  if (proof !== null) return proof.jkt
  const demand = proofDemand(realm, client, audience)
  if (demand === null) return null
  throw new OAuthError(
    'invalid_dpop_proof',
    `${DEMANDS[demand]}: send a proof of the key in the header DPoP`,
    {
      reason: demand,
    },
  )
}

const DEMANDS = {
  profile_requires_proof: 'Access tokens of this server must be bound to a key',
  client_requires_proof: 'Access tokens of this client must be bound to a key',
  resource_requires_proof: 'Access tokens for this resource must be bound to a key',
}

/** Why the token must be bound, or null. */
function proofDemand(
  { settings, policy, resources }: Realm,
  client: Client,
  audience: string,
): keyof typeof DEMANDS | null {
  if (policy.proofs === null) return null
  if (policy.proofs.every_token) return 'profile_requires_proof'
  if (client.dpop_bound_access_tokens === true) return 'client_requires_proof'
  const key = resources.find(({ uri }) => uri === audience)?.key
  return key !== undefined && isBoundResource(settings, key) ? 'resource_requires_proof' : null
}

/** @param key Of `oidc.resources`. */
const isBoundResource = ({ resources }: OidcSettings, key: string): boolean =>
  resources[key]?.dpop === 'required'

/**
 * Whether a resource takes only access tokens that are bound to a key, where DPoP is on: `dpop_bound_access_tokens_required`
 * (RFC 9728 §2).
 * @param key Of `oidc.resources`; undefined for the issuer.
 */
export const takesBoundTokensOnly = ({ settings, policy }: RealmRules, key: string | undefined): boolean =>
  policy.proofs?.every_token === true || (key !== undefined && isBoundResource(settings, key))

/** Whether a verified token is a bearer token, and one of its resources takes bound tokens alone. */
export function lacksBinding(realm: Realm, { audience, claims }: AccessToken): boolean {
  const { settings, policy, resources } = realm
  if (policy.proofs === null || claims.cnf !== undefined) return false
  const named = resources.filter(({ uri }) => audience.includes(uri))
  return policy.proofs.every_token || named.some(({ key }) => isBoundResource(settings, key))
}

/** The thumbprint of the key that a verified access token is bound to; null for a bearer token. */
export const boundKeyOf = ({ claims }: AccessToken): string | null =>
  (claims.cnf as { jkt: string } | undefined)?.jkt ?? null

/**
 * Why a code or a token that is bound to a key cannot be used by this request, or null.
 * @param jkt The thumbprint of the key; null for a code or a token that is not bound.
 */
export function keyFault(
  jkt: string | null,
  proof: DpopProof | null,
): 'missing_proof' | 'proof_of_another_key' | null {
  if (jkt === null) return null
  if (proof === null) return 'missing_proof'
  return proof.jkt === jkt ? null : 'proof_of_another_key'
}
