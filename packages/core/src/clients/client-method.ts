/** The rules of how a client of an operator authenticates, and of `oidc.profile`. */

import { insecureRedirectFault, type RealmPolicy } from '../realm/policy.js'
import type { Realm } from '../realm/realm.js'
import { clientKeyFieldsFault } from './client-keys.js'
import type { ClientInput } from './client-options.js'

/** What is wrong with one field of a client. */
export interface ClientFault {
  field: string
  fault: string
}

/** What is wrong with how the client authenticates. @param confidential Whether it has a secret. */
export function methodFaults(realm: Realm, input: ClientInput, confidential: boolean): ClientFault[] {
  if (hasKeys(input)) return keyFaults(realm, input, confidential)
  const { policy } = realm
  return isKeysOnly(policy) ? [noKeys(policy)] : authenticationFaults(input, confidential)
}

const isKeysOnly = ({ auth_methods }: RealmPolicy): boolean =>
  auth_methods.every((method) => method === 'private_key_jwt')

const noKeys = ({ profile }: RealmPolicy): ClientFault => ({
  field: 'token_endpoint_auth_method',
  fault: `${profile} permits private_key_jwt alone: give jwks or jwks_uri, and no secret`,
})

/** A client that is an API (`oidc.resources.<key>.clients`) has to authenticate: every caller can send the id of a public one. */
export function apiFaults({ resources }: Realm, input: ClientInput, confidential: boolean): ClientFault[] {
  if (confidential || hasKeys(input)) return []
  return resources
    .filter(({ clients }) => clients.includes(input.client_id))
    .map(({ key }) => ({
      field: 'client_id',
      fault: `oidc.resources.${JSON.stringify(key)}.clients names it: give it a client_secret or keys, or take it out there`,
    }))
}

/** What `oidc.profile` forbids besides methods of authentication. */
export function clientProfileFaults(
  { policy }: Realm,
  { require_pkce = true, redirect_uris = [] }: ClientInput,
): ClientFault[] {
  const faults = redirect_uris.flatMap((uri) => {
    const fault = insecureRedirectFault(policy, uri)
    return fault === null ? [] : [{ field: 'redirect_uris', fault: `${JSON.stringify(uri)} ${fault}` }]
  })
  if (!require_pkce && !policy.pkce_optional)
    faults.push({ field: 'require_pkce', fault: `${policy.profile} requires PKCE of every client` })
  return faults
}

/** Whether the client authenticates with keys. Such a client has no secret. */
export const hasKeys = ({
  token_endpoint_auth_method: method,
  jwks,
  jwks_uri,
}: Pick<ClientInput, 'token_endpoint_auth_method' | 'jwks' | 'jwks_uri'>): boolean =>
  method === 'private_key_jwt' || jwks !== undefined || jwks_uri !== undefined

function keyFaults({ policy }: Realm, input: ClientInput, has_secret: boolean): ClientFault[] {
  const { token_endpoint_auth_method: method = 'private_key_jwt', token_endpoint_auth_methods } = input
  const is_other = method !== 'private_key_jwt' || token_endpoint_auth_methods !== undefined
  const field = is_other ? 'jwks' : 'token_endpoint_auth_method'
  if (policy.assertions === null)
    return [{ field, fault: 'private_key_jwt is off: set oidc.clients.private_key_jwt' }]
  if (is_other)
    return [{ field, fault: 'a client with keys has the token_endpoint_auth_method private_key_jwt' }]
  if (has_secret) return [{ field: 'client_secret', fault: 'a client with keys has no secret' }]
  const wrong = clientKeyFieldsFault(input, {
    algorithms: policy.assertions.algorithms,
    allow_loopback: policy.reaches_loopback,
  })
  return wrong === null ? [] : [{ field: wrong.field, fault: `it ${wrong.fault}` }]
}

function authenticationFaults(input: ClientInput, confidential: boolean): ClientFault[] {
  const { grant_types = [], require_pkce = true } = input
  const { token_endpoint_auth_method: method, token_endpoint_auth_methods: methods } = input
  const faults: ClientFault[] = []
  if (method === 'none' && confidential)
    faults.push({
      field: 'client_secret',
      fault: 'a client with token_endpoint_auth_method none has no secret',
    })
  if (method !== undefined && method !== 'none' && !confidential)
    faults.push({ field: 'client_secret', fault: `${method} needs one` })
  if (methods !== undefined && !confidential)
    faults.push({ field: 'token_endpoint_auth_methods', fault: 'these methods need a client_secret' })
  if (methods !== undefined && method !== undefined && !methods.some((named) => named === method))
    faults.push({
      field: 'token_endpoint_auth_methods',
      fault: `add ${method}, or leave out token_endpoint_auth_method`,
    })
  if (!require_pkce && !confidential)
    faults.push({
      field: 'require_pkce',
      fault: 'false needs a client_secret: PKCE alone protects the codes of a public client',
    })
  if (grant_types.includes('client_credentials') && !confidential)
    faults.push({ field: 'grant_types', fault: 'client_credentials needs a client_secret' })
  if (input.token_endpoint_auth_signing_alg !== undefined)
    faults.push({ field: 'token_endpoint_auth_signing_alg', fault: 'it needs jwks or jwks_uri' })
  return faults
}
