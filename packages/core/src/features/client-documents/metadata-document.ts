/** A client's metadata document becomes a client record: OAuth Client ID Metadata Document, "Client Metadata". */

import { hasUsableKey, jwksUriFault, publishedClientKeys } from '../../clients/client-keys.js'
import { type SwitchedFields, sentFields } from '../../clients/client-switches.js'
import { ABSENT_FIELDS } from '../../clients/field-lists.js'
import { registeredRedirectFault } from '../../clients/redirect-uri.js'
import { MAX_URIS } from '../../clients/uri-schemas.js'
import type { RealmRules } from '../../realm/realm.js'
import { DocumentError, type DocumentReason } from '../../refusals/document-error.js'
import type { Client, TokenEndpointAuthMethod } from '../../storage/records.js'
import { isAllowedHost } from '../../util/client-id-url.js'
import { clientNameFault } from '../../util/client-name.js'
import { grantTypesOfDocuments } from '../declarations.js'

/** The members of a document. One that is null counts as absent. */
type Members = ReadonlyMap<string, unknown>

const DEFAULT_GRANT_TYPES = ['authorization_code', 'refresh_token']

/**
 * The client that the document at its client_id describes. Members that are not read here are ignored: what they ask for is not
 * granted to a client that any stranger can describe.
 * @throws DocumentError
 */
export function clientOfDocument(json: unknown, client_id: string, realm: RealmRules): Client {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw new DocumentError('not_json')
  const members: Members = new Map(Object.entries(json).filter(([, value]) => value !== null))
  if (members.get('client_id') !== client_id) throw new DocumentError('client_id_differs')
  for (const name of ['client_secret', 'client_secret_expires_at'])
    if (members.has(name)) throw new DocumentError('contains_secret', `it has the member ${name}`)
  const authentication = authenticationOf(members, realm)
  return frozen({
    ...ABSENT_FIELDS,
    client_id,
    client_name: clientName(members) ?? new URL(client_id).hostname,
    ...authentication,
    ...switchedFields(members, realm),
    redirect_uris: redirectUris(members, realm),
    grant_types: common(members, {
      name: 'grant_types',
      ours: [...DEFAULT_GRANT_TYPES, ...grantTypesOfDocuments(realm.settings.clients)],
      absent: DEFAULT_GRANT_TYPES,
    }),
    response_types: common(members, { name: 'response_types', ours: ['code'] }),
    origin: 'metadata_document',
  })
}

/** Frozen, because many requests share the record. */
function frozen(client: Client): Client {
  for (const value of Object.values(client)) Object.freeze(value)
  return Object.freeze(client)
}

const invalid = (fault: string, reason: DocumentReason = 'invalid_metadata') =>
  new DocumentError(reason, fault)

function strings(members: Members, name: string): string[] | null {
  const value = members.get(name)
  if (value === undefined) return null
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string'))
    throw invalid(`${name} is not a list of strings`)
  return value
}

function string(members: Members, name: string): string | null {
  const value = members.get(name) ?? null
  if (value !== null && typeof value !== 'string') throw invalid(`${name} is not a string`)
  return value
}

function clientName(members: Members): string | null {
  const name = string(members, 'client_name')?.trim() ?? null
  if (name === null) return null
  const fault = name === '' ? 'is empty' : clientNameFault(name)
  if (fault) throw invalid(`client_name ${fault}`)
  return name
}

/** The rules are those of registration. The faults contain no text of the document. */
function redirectUris(members: Members, rules: RealmRules): string[] {
  const uris = strings(members, 'redirect_uris') ?? []
  if (uris.length === 0) throw invalid('it names no redirect URI', 'invalid_redirect_uri')
  if (uris.length > MAX_URIS)
    throw invalid(`it names more than ${MAX_URIS} redirect URIs`, 'invalid_redirect_uri')
  for (const [index, uri] of uris.entries()) {
    const fault = registeredRedirectFault(uri, rules)
    if (fault) throw invalid(`redirect_uris[${index}] ${fault}`, 'invalid_redirect_uri')
  }
  return uris
}

interface Common {
  name: string
  ours: readonly string[]
  /** What a document without the member asks for. */
  absent?: readonly string[]
}

/** What the document asks for and we have; further values are ignored, and the first of ours has to remain. */
function common(members: Members, { name, ours, absent = ours }: Common): string[] {
  const asked = strings(members, name) ?? absent
  const [required] = ours
  if (required === undefined || !asked.includes(required))
    throw invalid(`${name} does not include ${required}`, 'unsupported_grant_type')
  return ours.filter((value) => asked.includes(value))
}

/**
 * Text that is no flag is refused. An algorithm that this server does not sign with is ignored: the document is the same for all
 * servers, and discovery says what this one signs with.
 */
function switchedFields(members: Members, realm: RealmRules): SwitchedFields {
  const { id_token_signed_response_alg: algorithm, ...flags } = sentFields(members, 'document', realm)
  const values = Object.entries(flags).map(([name, field]) => {
    if ('fault' in field) throw invalid(`${name} ${field.fault}`)
    return [name, field.value]
  })
  return {
    id_token_signed_response_alg: 'fault' in algorithm ? null : algorithm.value,
    ...Object.fromEntries(values),
  }
}

type Authentication = Pick<
  Client,
  | 'token_endpoint_auth_method'
  | 'token_endpoint_auth_methods'
  | 'token_endpoint_auth_signing_alg'
  | 'jwks'
  | 'jwks_uri'
>

/** Keys are taken over only for a client that can use them. */
function authenticationOf(members: Members, realm: RealmRules): Authentication {
  const { auth_methods } = realm.policy
  const jwks = publicKeys(members)
  const named = namedMethods(members)
  const wants_keys = named.methods.includes('private_key_jwt')
  const keys = wants_keys ? keySource(members, realm, jwks) : null
  const usable = named.methods.filter(
    (method): method is TokenEndpointAuthMethod =>
      (method === 'none' || (method === 'private_key_jwt' && keys !== null)) && auth_methods.includes(method),
  )
  const methods = [...new Set(usable)]
  const method = methods.find((known) => known === named.preferred) ?? methods[0]
  if (method === undefined) throw invalid('it names no supported method', 'unsupported_auth_method')
  return {
    token_endpoint_auth_method: method,
    token_endpoint_auth_methods: methods.length > 1 ? methods : null,
    ...(keys ?? { token_endpoint_auth_signing_alg: null, jwks: null, jwks_uri: null }),
  }
}

/** A document is public: a method with a shared secret can never be meant. */
const isSharedSecret = (method: string | null): boolean => method?.startsWith('client_secret') === true

/**
 * The methods that the document names. Without any it is a public client: it has no secret, so that the default of RFC 7591
 * would make it unusable. The list has the name of OpenID Connect Relying Party Metadata Choices 1.0, or that of the operator's
 * clients; the single method is then the preferred one, which need not be supported here.
 */
function namedMethods(members: Members): { methods: string[]; preferred: string | null } {
  const preferred = string(members, 'token_endpoint_auth_method')
  const methods =
    strings(members, 'token_endpoint_auth_methods_supported') ??
    strings(members, 'token_endpoint_auth_methods')
  if (isSharedSecret(preferred))
    throw invalid('token_endpoint_auth_method is one with a shared secret', 'unsupported_auth_method')
  if (methods === null) return { methods: [preferred ?? 'none'], preferred }
  if (preferred !== null && !methods.includes(preferred))
    throw invalid('token_endpoint_auth_method is not in the list of methods')
  return { methods, preferred }
}

/** Checked also where they are not used: a private key in a public document has leaked. */
function publicKeys(members: Members): Client['jwks'] {
  if (!members.has('jwks')) return null
  const jwks = publishedClientKeys(members.get('jwks'))
  if (jwks === null) throw invalid('jwks is not a set of at most 10 public keys', 'invalid_keys')
  return jwks
}

type KeySource = Pick<Authentication, 'token_endpoint_auth_signing_alg' | 'jwks' | 'jwks_uri'>

/** Null when there are no keys, or none for a supported algorithm: the client cannot authenticate then. */
function keySource(members: Members, realm: RealmRules, jwks: Client['jwks']): KeySource | null {
  const { assertions } = realm.policy
  if (assertions === null) return null
  const jwks_uri = string(members, 'jwks_uri')
  const signing_alg = string(members, 'token_endpoint_auth_signing_alg')
  const is_ambiguous = jwks !== null && jwks_uri !== null
  const fault = is_ambiguous ? 'it has both jwks and jwks_uri' : keyAddressFault(jwks_uri, realm)
  if (fault) throw invalid(fault, 'invalid_keys')
  const { algorithms } = assertions
  const is_supported = signing_alg === null || algorithms.some((alg) => alg === signing_alg)
  const has_keys = jwks_uri !== null || (jwks !== null && hasUsableKey(jwks.keys, algorithms))
  return is_supported && has_keys ? { token_endpoint_auth_signing_alg: signing_alg, jwks, jwks_uri } : null
}

/** The keys are fetched too, so that the same hosts are allowed. */
function keyAddressFault(jwks_uri: string | null, { settings, policy }: RealmRules): string | null {
  if (jwks_uri === null) return null
  const { allowed_hosts } = settings.clients.metadata_documents
  const fault = jwksUriFault(jwks_uri, policy.reaches_loopback)
  if (fault) return `jwks_uri ${fault}`
  return isAllowedHost(new URL(jwks_uri).hostname, allowed_hosts)
    ? null
    : 'jwks_uri has a host that is not in oidc.clients.metadata_documents.allowed_hosts'
}
