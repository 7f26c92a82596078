/** Which access tokens must be bound to a key: RFC 9449 §5. */

import type { DpopProof } from '@ostiary/resource-server'
import { OAuthError } from '../http/errors.js'
import type { Realm } from '../realm/realm.js'
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
  { policy, resources }: Realm,
  client: Client,
  audience: string,
): keyof typeof DEMANDS | null {
  if (policy.proofs === null) return null
  if (policy.proofs.every_token) return 'profile_requires_proof'
  if (client.dpop_bound_access_tokens === true) return 'client_requires_proof'
  const resource = resources.find(({ uri }) => uri === audience)
  return resource?.bound_tokens_only ? 'resource_requires_proof' : null
}
