/** Provider metadata: OpenID Connect Discovery §3, RFC 8414 §2. The same document at both well-known paths. */

import type { Context } from '../context.js'
import { advertisedAcrValues } from '../protocol/acr.js'
import type { Realm } from '../realm.js'
import type { RealmPolicy } from '../realm-policy.js'
import { type StaticDocument, serveStatic, staticJson } from '../static-document.js'

const documents = new WeakMap<Realm, StaticDocument>()

export async function discovery(c: Context): Promise<Response> {
  return serveStatic(c.request, discoveryDocument(c))
}

type MetadataContext = Pick<Context, 'realm' | 'interactions'>

export function discoveryDocument(c: MetadataContext): StaticDocument {
  const { realm } = c
  const document = documents.get(realm) ?? staticJson(providerMetadata(c))
  documents.set(realm, document)
  return document
}

function providerMetadata({ realm, interactions }: MetadataContext) {
  const { issuer, urls, settings, policy, scopes, resources } = realm
  const { handlers, clients } = settings
  const advertised = new Set([...scopes.realm, ...resources.flatMap((resource) => resource.scopes)])
  const permitted = policy.auth_methods
  const confidential = permitted.filter((method) => method !== 'none')
  return {
    issuer,
    authorization_endpoint: urls.authorization_endpoint,
    token_endpoint: urls.token_endpoint,
    ...(policy.pushed !== 'off' && {
      pushed_authorization_request_endpoint: urls.pushed_authorization_request_endpoint,
      ...(policy.pushed === 'required' && { require_pushed_authorization_requests: true }),
    }),
    jwks_uri: urls.jwks_uri,
    ...(clients.registration.enabled && { registration_endpoint: urls.registration_endpoint }),
    ...(handlers.userinfo && { userinfo_endpoint: urls.userinfo_endpoint }),
    ...(handlers.logout && { end_session_endpoint: urls.end_session_endpoint }),
    ...(handlers.introspect && {
      introspection_endpoint: urls.introspection_endpoint,
      introspection_endpoint_auth_methods_supported: confidential,
      ...assertionAlgorithms(policy, 'introspection'),
    }),
    ...(handlers.revoke && {
      revocation_endpoint: urls.revocation_endpoint,
      revocation_endpoint_auth_methods_supported: permitted,
      ...assertionAlgorithms(policy, 'revocation'),
    }),
    scopes_supported: [...advertised].filter((scope) => !scopes.hidden.has(scope)),
    claims_supported: settings.claims_supported,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: [
      'authorization_code',
      'refresh_token',
      'client_credentials',
      ...(clients.token_exchange ? ['urn:ietf:params:oauth:grant-type:token-exchange'] : []),
    ],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: settings.keys.algorithms,
    acr_values_supported: advertisedAcrValues(settings, interactions.reachableAcr?.(realm)),
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: permitted,
    ...assertionAlgorithms(policy, 'token'),
    ...(policy.proofs && { dpop_signing_alg_values_supported: policy.proofs.algorithms }),
    ...(clients.metadata_documents.enabled && { client_id_metadata_document_supported: true }),
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    authorization_response_iss_parameter_supported: true,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
  }
}

/** Required beside private_key_jwt (RFC 8414 §2). */
const assertionAlgorithms = ({ assertions }: RealmPolicy, endpoint: string) =>
  assertions && { [`${endpoint}_endpoint_auth_signing_alg_values_supported`]: assertions.algorithms }
