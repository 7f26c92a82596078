/** Provider metadata: OpenID Connect Discovery §3, RFC 8414 §2. The same document at both well-known paths. */

import { promptsOf } from '../authorize/parse-request.js'
import { type StaticDocument, serveStatic, staticJson } from '../http/static-document.js'
import { advertisedAcrValues } from '../realm/acr.js'
import type { Context } from '../realm/context.js'
import { assertionMetadata } from '../realm/policy.js'
import type { Realm } from '../realm/realm.js'

const documents = new WeakMap<Realm, StaticDocument>()

export async function discovery(c: Context): Promise<Response> {
  return serveStatic(c.request, discoveryDocument(c))
}

type MetadataContext = Pick<Context, 'realm' | 'interactions' | 'grants' | 'metadata'>

export function discoveryDocument(c: MetadataContext): StaticDocument {
  const { realm } = c
  const document = documents.get(realm) ?? staticJson(providerMetadata(c))
  documents.set(realm, document)
  return document
}

/** The order of the members in the document. Others of optional capabilities come last. */
const ORDER = [
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'pushed_authorization_request_endpoint',
  'require_pushed_authorization_requests',
  'jwks_uri',
  'registration_endpoint',
  'userinfo_endpoint',
  'end_session_endpoint',
  'introspection_endpoint',
  'introspection_endpoint_auth_methods_supported',
  'introspection_endpoint_auth_signing_alg_values_supported',
  'revocation_endpoint',
  'revocation_endpoint_auth_methods_supported',
  'revocation_endpoint_auth_signing_alg_values_supported',
  'scopes_supported',
  'claims_supported',
  'response_types_supported',
  'response_modes_supported',
  'grant_types_supported',
  'subject_types_supported',
  'id_token_signing_alg_values_supported',
  'acr_values_supported',
  'prompt_values_supported',
  'code_challenge_methods_supported',
  'token_endpoint_auth_methods_supported',
  'token_endpoint_auth_signing_alg_values_supported',
  'dpop_signing_alg_values_supported',
  'client_id_metadata_document_supported',
  'claims_parameter_supported',
  'request_parameter_supported',
  'request_uri_parameter_supported',
  'authorization_response_iss_parameter_supported',
  'backchannel_logout_supported',
  'backchannel_logout_session_supported',
]

/** JSON leaves out a member that is undefined. */
function providerMetadata(c: MetadataContext): Record<string, unknown> {
  const first = Object.fromEntries(ORDER.map((name) => [name, undefined]))
  return { ...first, ...members(c) }
}

function members({ realm, interactions, grants, metadata }: MetadataContext): Record<string, unknown> {
  const { issuer, urls, settings, policy, scopes, resources } = realm
  const advertised = new Set([...scopes.realm, ...resources.flatMap((resource) => resource.scopes)])
  return {
    issuer,
    authorization_endpoint: urls.authorization_endpoint,
    token_endpoint: urls.token_endpoint,
    jwks_uri: urls.jwks_uri,
    scopes_supported: [...advertised].filter((scope) => !scopes.hidden.has(scope)),
    claims_supported: settings.claims_supported,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials', ...grants.keys()],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: settings.keys.algorithms,
    acr_values_supported: advertisedAcrValues(settings, interactions.reachableAcr?.(realm)),
    prompt_values_supported: promptsOf(interactions.signsUp?.(realm) === true),
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: policy.auth_methods,
    ...assertionMetadata(policy, 'token'),
    ...(policy.proofs && { dpop_signing_alg_values_supported: policy.proofs.algorithms }),
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    authorization_response_iss_parameter_supported: true,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    ...metadata,
  }
}
