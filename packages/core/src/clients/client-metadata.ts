/** Client metadata as a client registers it: RFC 7591 §2, §3.1. */

import { OAuthError } from '../http/errors.js'
import type { RealmPolicy } from '../realm/policy.js'
import type { RealmRules } from '../realm/realm.js'
import type { Client, TokenEndpointAuthMethod } from '../storage/storage.js'
import { AUTH_METHODS } from '../util/auth-methods.js'
import { clientNameFault } from '../util/client-name.js'
import { isLoopbackHost } from '../util/loopback.js'
import { shownUri } from '../util/shown-uri.js'
import { type ClientKeyFields, clientKeyFieldsFault, storedClientKeys } from './client-keys.js'
import { type SwitchedFields, sentFields } from './client-switches.js'
import type { SetBy } from './field-lists.js'
import { redirectUriFault, registeredRedirectFault, registrationUriFault } from './redirect-uri.js'
import { MAX_URIS } from './uri-schemas.js'

/** What a registration stores; all other members of the request are ignored. */
export type RegisteredMetadata = Pick<Client, SetBy<'registration'>>

const invalid = (description: string) => new OAuthError('invalid_client_metadata', description)

/** A refusal that repeats the URI; the event has it without the parts that may be secret. */
function badUri(
  code: 'invalid_client_metadata' | 'invalid_redirect_uri',
  name: string,
  [uri, fault]: [string, string],
) {
  const event_description = `The ${name} ${shownUri(uri) ?? 'that was sent'} ${fault}`
  return new OAuthError(code, `The ${name} ${shown(uri)} ${fault}`, { event_description })
}

/** @throws OAuthError `invalid_redirect_uri` for a bad element of `redirect_uris`, otherwise `invalid_client_metadata`. */
export function parseRegistration(body: unknown, realm: RealmRules): RegisteredMetadata {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalid('The body must be a JSON object')
  const fields = new Map(Object.entries(body).filter(([, value]) => value !== null))
  const { settings } = realm
  const redirect_uris = redirectUris(fields, realm)
  const first = redirect_uris[0] as string
  const post_logout_redirect_uris = stringList(fields, 'post_logout_redirect_uris')
  for (const uri of post_logout_redirect_uris) {
    const fault = registrationUriFault(uri, settings.clients.registration)
    if (fault) throw badUri('invalid_client_metadata', 'post-logout redirect URI', [uri, fault])
  }
  return {
    redirect_uris,
    post_logout_redirect_uris,
    client_name: clientName(fields.get('client_name')) ?? defaultName(first),
    ...authentication(fields, realm),
    ...switchedFields(fields, realm),
    grant_types: grantTypes(fields),
    response_types: responseTypes(fields),
    ...backchannel(fields, realm.policy.reaches_loopback),
  }
}

/** At least one. Not a list: `invalid_client_metadata`; a bad element: `invalid_redirect_uri` (RFC 7591 §3.2.2). */
function redirectUris(fields: ReadonlyMap<string, unknown>, rules: RealmRules): string[] {
  const elements = list(fields, 'redirect_uris')
  if (elements.length === 0) throw invalid('redirect_uris must name at least one URI')
  return elements.map((uri) => {
    if (typeof uri !== 'string')
      throw new OAuthError('invalid_redirect_uri', 'An element of redirect_uris is not a string')
    const fault = registeredRedirectFault(uri, rules)
    if (fault) throw badUri('invalid_redirect_uri', 'redirect URI', [uri, fault])
    return uri
  })
}

const shown = (uri: string): string => (uri.length > 200 ? `${uri.slice(0, 200)}...` : uri)

function list(fields: ReadonlyMap<string, unknown>, name: string): unknown[] {
  const value = fields.get(name) ?? []
  if (!Array.isArray(value)) throw invalid(`${name} must be a list of strings`)
  if (value.length > MAX_URIS) throw invalid(`${name} has more than ${MAX_URIS} entries`)
  return value
}

function stringList(fields: ReadonlyMap<string, unknown>, name: string): string[] {
  const values = list(fields, name)
  if (!values.every((item) => typeof item === 'string')) throw invalid(`${name} must be a list of strings`)
  return values
}

function clientName(value: unknown): string | null {
  if (value === undefined) return null
  if (typeof value !== 'string') throw invalid('client_name must be a string')
  const name = value.trim()
  if (name === '') return null
  const fault = clientNameFault(name)
  if (fault) throw invalid(`client_name ${fault}`)
  return name
}

/** The host without its port; the scheme of a URI without a host. */
function defaultName(uri: string): string {
  const { hostname, host, protocol } = new URL(uri)
  return hostname || host || protocol.slice(0, -1)
}

type Authentication = Pick<
  RegisteredMetadata,
  'token_endpoint_auth_method' | 'token_endpoint_auth_signing_alg' | 'jwks' | 'jwks_uri'
>

/** The keys of a client with another method, and all keys where private_key_jwt is off, are ignored. */
function authentication(fields: ReadonlyMap<string, unknown>, { policy }: RealmRules): Authentication {
  const token_endpoint_auth_method = authMethod(fields.get('token_endpoint_auth_method'), policy)
  const none = { token_endpoint_auth_signing_alg: null, jwks: null, jwks_uri: null }
  if (token_endpoint_auth_method !== 'private_key_jwt') return { token_endpoint_auth_method, ...none }
  const given = Object.fromEntries(fields) as ClientKeyFields
  const wrong = clientKeyFieldsFault(given, {
    algorithms: policy.assertions?.algorithms ?? [],
    allow_loopback: policy.reaches_loopback,
  })
  if (wrong !== null) throw invalid(`${wrong.field} ${wrong.fault}`)
  const { jwks, jwks_uri, token_endpoint_auth_signing_alg } = { ...none, ...given } as Authentication
  return {
    token_endpoint_auth_method,
    token_endpoint_auth_signing_alg,
    jwks: jwks && storedClientKeys(jwks),
    jwks_uri,
  }
}

/** @throws OAuthError `invalid_client_metadata` */
function switchedFields(fields: ReadonlyMap<string, unknown>, realm: RealmRules): SwitchedFields {
  const sent = sentFields(fields, 'registration', realm)
  const values = Object.entries(sent).map(([name, field]) => {
    if ('fault' in field) throw invalid(`${name} ${field.fault}`)
    return [name, field.value]
  })
  return Object.fromEntries(values)
}

function authMethod(
  value: unknown = 'none',
  { auth_methods, assertions }: RealmPolicy,
): TokenEndpointAuthMethod {
  const methods = AUTH_METHODS.filter((method) => auth_methods.includes(method))
  const method = methods.find((known) => known === value)
  if (method) return method
  const names = `token_endpoint_auth_method must be one of ${methods.join(', ')}`
  if (assertions === null || value !== 'client_secret_jwt') throw invalid(names)
  throw invalid('client_secret_jwt is not supported, since secrets are stored hashed: use private_key_jwt')
}

function grantTypes(fields: ReadonlyMap<string, unknown>): string[] {
  if (!fields.has('grant_types')) return ['authorization_code', 'refresh_token']
  const types = stringList(fields, 'grant_types')
  if (!types.includes('authorization_code')) throw invalid('grant_types must include authorization_code')
  if (!types.every((type) => type === 'authorization_code' || type === 'refresh_token'))
    throw invalid('grant_types may add only refresh_token to authorization_code')
  return [...new Set(types)]
}

function responseTypes(fields: ReadonlyMap<string, unknown>): string[] {
  const types = fields.has('response_types') ? stringList(fields, 'response_types') : ['code']
  if (types.length !== 1 || types[0] !== 'code') throw invalid('response_types must be exactly code')
  return types
}

function backchannel(fields: ReadonlyMap<string, unknown>, allow_loopback: boolean) {
  const uri = fields.get('backchannel_logout_uri') ?? null
  const required = fields.get('backchannel_logout_session_required') ?? false
  if (typeof required !== 'boolean')
    throw invalid('backchannel_logout_session_required must be true or false')
  if (uri !== null) {
    if (typeof uri !== 'string') throw invalid('backchannel_logout_uri must be a string')
    const fault = backchannelUriFault(uri, allow_loopback)
    if (fault) throw badUri('invalid_client_metadata', 'backchannel_logout_uri', [uri, fault])
  }
  return { backchannel_logout_uri: uri, backchannel_logout_session_required: required }
}

/**
 * Why a URI cannot receive logout tokens, or null.
 * @param allow_loopback Whether it may be http at hosts of this computer.
 */
export function backchannelUriFault(uri: string, allow_loopback: boolean): string | null {
  const fault = redirectUriFault(uri)
  if (fault) return fault
  const { protocol, hostname } = new URL(uri)
  const loopback = isLoopbackHost(hostname)
  return protocol === 'https:' || (protocol === 'http:' && loopback && allow_loopback) ? null : 'is not https'
}
