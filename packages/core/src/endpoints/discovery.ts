/** Provider metadata: OpenID Connect Discovery §3, RFC 8414 §2. The same document at both well-known paths. */

import type { OidcSettings } from '../config.js'
import type { Context } from '../context.js'
import { advertisedAcrValues } from '../protocol/acr.js'
import { ASSERTION_ALGORITHMS } from '../protocol/client-keys.js'
import { SECRET_METHODS } from '../protocol/client-metadata.js'
import { proofAlgorithms } from '../protocol/dpop.js'
import { isPermittedMethod, permittedAlgorithms } from '../protocol/profile-rules.js'
import type { Realm } from '../realm.js'
import { type StaticDocument, serveStatic, staticJson } from '../static-document.js'
import type { TokenEndpointAuthMethod } from '../storage.js'

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
  const { issuer, urls, settings, scopes, resources } = realm
  const { handlers, clients, par } = settings
  const advertised = new Set([...scopes.realm, ...resources.flatMap((resource) => resource.scopes)])
  const permitted = permittedMethods(settings)
  const confidential = permitted.filter((method) => method !== 'none')
  return {
    issuer,
    authorization_endpoint: urls.authorization_endpoint,
    token_endpoint: urls.token_endpoint,
    ...(par.enabled && {
      pushed_authorization_request_endpoint: urls.pushed_authorization_request_endpoint,
      ...(par.required && { require_pushed_authorization_requests: true }),
    }),
    jwks_uri: urls.jwks_uri,
    ...(clients.registration.enabled && { registration_endpoint: urls.registration_endpoint }),
    ...(handlers.userinfo && { userinfo_endpoint: urls.userinfo_endpoint }),
    ...(handlers.logout && { end_session_endpoint: urls.end_session_endpoint }),
    ...(handlers.introspect && {
      introspection_endpoint: urls.introspection_endpoint,
      introspection_endpoint_auth_methods_supported: confidential,
      ...assertionAlgorithms(settings, 'introspection'),
    }),
    ...(handlers.revoke && {
      revocation_endpoint: urls.revocation_endpoint,
      revocation_endpoint_auth_methods_supported: permitted,
      ...assertionAlgorithms(settings, 'revocation'),
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
    ...assertionAlgorithms(settings, 'token'),
    ...(settings.dpop.enabled && { dpop_signing_alg_values_supported: proofAlgorithms(settings) }),
    ...(clients.metadata_documents.enabled && { client_id_metadata_document_supported: true }),
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    authorization_response_iss_parameter_supported: true,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
  }
}

/** How clients may authenticate; `none` comes last. */
const permittedMethods = (settings: OidcSettings): TokenEndpointAuthMethod[] =>
  [...SECRET_METHODS, ...(settings.clients.private_key_jwt ? KEY_METHODS : []), ...PUBLIC_METHODS].filter(
    (method) => isPermittedMethod(settings, method),
  )
const KEY_METHODS = ['private_key_jwt'] as const
const PUBLIC_METHODS = ['none'] as const

/** Required beside private_key_jwt (RFC 8414 §2). */
const assertionAlgorithms = (settings: OidcSettings, endpoint: string) =>
  settings.clients.private_key_jwt && {
    [`${endpoint}_endpoint_auth_signing_alg_values_supported`]: permittedAlgorithms(
      settings,
      ASSERTION_ALGORITHMS,
    ),
  }
