/** Client authentication by a signed assertion, `private_key_jwt`: OpenID Connect Core §9, RFC 7521 §4.2. */

import { authenticationError } from '../../clients/client-auth.js'
import { OAuthError } from '../../http/errors.js'
import type { Params } from '../../http/params.js'
import type { ClientAuthMethod, Context } from '../../realm/context.js'
import type { AssertionPolicy } from '../../realm/policy.js'
import { type ClientAssertion, JWT_BEARER, parseAssertion } from './assertion.js'
import { assertionFault } from './assertion-fault.js'
import type { KeySets } from './key-sets.js'

interface PrivateKeyJwtOptions {
  policy: AssertionPolicy
  /** The keys at the `jwks_uri` of the realm's clients. */
  key_sets: KeySets
}

export const privateKeyJwt =
  ({ policy, key_sets }: PrivateKeyJwtOptions): ClientAuthMethod =>
  (c, params) => {
    const assertion = sentAssertion(c, params, policy)
    if (assertion === null) return null
    const { client_id } = assertion
    const named_id = params.get('client_id')
    if (named_id !== null && named_id !== client_id)
      throw new OAuthError(
        'invalid_request',
        'The client_id is not the sub of the client_assertion',
        'client_id_differs',
      )
    return {
      client_id,
      method: 'private_key_jwt',
      guessable: false,
      fault: (client, endpoints) => assertionFault(c, client, { assertion, endpoints, key_sets, policy }),
    }
  }

function sentAssertion(c: Context, params: Params, { algorithms }: AssertionPolicy): ClientAssertion | null {
  const type = params.get('client_assertion_type')
  const token = params.get('client_assertion')
  if (type === null && token === null) return null
  if (type === null || token === null) {
    const missing = type === null ? 'client_assertion_type' : 'client_assertion'
    throw new OAuthError('invalid_request', `The parameter ${missing} is missing`, 'missing_parameter')
  }
  if (c.request.headers.has('authorization') || params.get('client_secret') !== null)
    throw new OAuthError(
      'invalid_request',
      'A client_assertion is given beside another authentication',
      'two_authentications',
    )
  const assertion = type === JWT_BEARER ? parseAssertion(token, algorithms) : 'assertion_type'
  if (typeof assertion !== 'string') return assertion
  throw authenticationError(c, null, { method: 'private_key_jwt', reason: assertion })
}
