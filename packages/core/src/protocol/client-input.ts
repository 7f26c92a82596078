/** A client as an operator describes it: the metadata of RFC 7591 §2, and fields that only an operator may set. */

import * as z from 'zod'
import { signingAlgorithm } from '../config-values.js'
import { assignmentFault, resourceNameFault } from '../create-realm.js'
import { longestTokenLifetime, type Realm } from '../realm.js'
import type { Client } from '../storage.js'
import { ASSERTION_ALGORITHMS, storedClientKeys } from './client-keys.js'
import { AUTH_METHODS, backchannelUriFault, MAX_URIS, SECRET_METHODS } from './client-metadata.js'
import { apiFaults, type ClientFault, hasKeys, methodFaults, profileFaults } from './client-method.js'
import { clientNameFault } from './client-name.js'
import { switchFaults } from './client-switches.js'
import { operatorUriFault, pageUriFault, redirectQueryFault } from './redirect-uri.js'
import { MAX_REFRESH_GRACE } from './refresh-grace.js'

const uris = z
  .array(
    z.string().superRefine((uri, context) => {
      const fault = operatorUriFault(uri)
      if (fault) context.addIssue(`${JSON.stringify(uri)} ${fault}`)
    }),
  )
  .max(MAX_URIS)

const redirectTargets = uris.superRefine((targets, context) => {
  targets.forEach((uri, index) => {
    const fault = operatorUriFault(uri) === null ? redirectQueryFault(uri) : null
    if (fault) context.addIssue({ code: 'custom', path: [index], message: `${JSON.stringify(uri)} ${fault}` })
  })
})

const pageUri = z.string().superRefine((uri, context) => {
  const fault = pageUriFault(uri)
  if (fault) context.addIssue(`${JSON.stringify(uri)} ${fault}`)
})

const lifetime = z.number().int().positive()

/** A client as an operator writes it down: registration's names, and those that registration can never set. */
export const clientInput = z.strictObject({
  client_id: z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'a client_id is 1 to 255 printable ASCII characters')
    .describe('1 to 255 printable ASCII characters'),
  client_name: z
    .string()
    .trim()
    .min(1)
    .superRefine((name, context) => {
      const fault = clientNameFault(name)
      if (fault) context.addIssue(`a name ${fault}`)
    })
    .optional()
    .describe('What users see; the client_id when absent'),
  token_endpoint_auth_method: z
    .enum(AUTH_METHODS)
    .optional()
    .describe(
      'How it authenticates; when absent, with its keys, or with either of the two secret methods, or none without both',
    ),
  token_endpoint_auth_methods: z
    .array(z.enum(SECRET_METHODS))
    .min(1)
    .optional()
    .describe('The methods between which a client with a secret may choose for each request'),
  jwks: z
    .object({ keys: z.array(z.record(z.string(), z.unknown())).describe('Public keys (RFC 7517)') })
    .optional()
    .describe('The public keys of a client that authenticates with private_key_jwt'),
  jwks_uri: z
    .string()
    .optional()
    .describe('The address of these keys, instead of jwks; https. They are read when they are needed'),
  token_endpoint_auth_signing_alg: z
    .enum(ASSERTION_ALGORITHMS)
    .optional()
    .describe('The only algorithm of its assertions; when absent, each that fits a key'),
  id_token_signed_response_alg: signingAlgorithm
    .optional()
    .describe(
      'The algorithm of its ID tokens and logout tokens, one of oidc.keys.algorithms; when absent, RS256, or the first of them where RS256 is not in it',
    ),
  dpop_bound_access_tokens: z
    .boolean()
    .optional()
    .describe('true: each of its access tokens is bound to a key (needs oidc.dpop.enabled)'),
  require_pushed_authorization_requests: z
    .boolean()
    .optional()
    .describe('true: it must push its authorization requests (needs oidc.par.enabled)'),
  redirect_uris: redirectTargets.default([]).describe('Where codes may be sent; compared exactly'),
  post_logout_redirect_uris: uris.default([]).describe('Where users may be redirected after signing out'),
  grant_types: z
    .array(
      z.enum([
        'authorization_code',
        'refresh_token',
        'client_credentials',
        'urn:ietf:params:oauth:grant-type:token-exchange',
      ]),
    )
    .default(['authorization_code', 'refresh_token'])
    .describe('The grants that it may use'),
  response_types: z
    .tuple([z.literal('code')])
    .default(['code'])
    .describe('Always ["code"]'),
  backchannel_logout_uri: z
    .string()
    .optional()
    .describe('Where the client is notified that a session has ended; https'),
  backchannel_logout_session_required: z
    .boolean()
    .default(false)
    .describe('Its logout tokens must name the session'),
  allowed_exchange_audiences: z
    .array(z.string().min(1))
    .default([])
    .describe('Audiences that it may request in a token exchange'),
  consent_required: z
    .boolean()
    .default(true)
    .describe('false: users are never asked for consent, and none is stored'),
  trusted: z
    .boolean()
    .default(false)
    .describe('First-party: users are never asked for consent, not even for prompt=consent'),
  default_scopes: z
    .array(
      z
        .string()
        .min(1)
        .refine((entry) => entry !== '*', '* belongs in optional_scopes only'),
    )
    .optional()
    .describe('Instead of oidc.clients.default_scopes'),
  optional_scopes: z.array(z.string().min(1)).optional().describe('Instead of oidc.clients.optional_scopes'),
  require_pkce: z
    .boolean()
    .default(true)
    .describe('false, for a client with a secret that cannot send PKCE: it may leave out code_challenge'),
  default_resource: z
    .string()
    .min(1)
    .optional()
    .describe('The resource of a request that names none: a key of oidc.resources, or its URI'),
  access_token_lifetime: lifetime
    .optional()
    .describe('Seconds that its access tokens are valid, instead of oidc.tokens'),
  refresh_token_lifetime: lifetime
    .optional()
    .describe('Seconds that its refresh tokens are valid, instead of oidc.tokens.refresh_token'),
  refresh_token_grace: z
    .number()
    .int()
    .nonnegative()
    .max(MAX_REFRESH_GRACE)
    .optional()
    .describe('Seconds, at most 60, instead of oidc.tokens.refresh_token_grace'),
  logo_uri: pageUri.optional().describe('Its logo, for the pages; https'),
  client_uri: pageUri.optional().describe('Its home page; https'),
  policy_uri: pageUri.optional().describe('Its privacy policy; https'),
  tos_uri: pageUri.optional().describe('Its terms of service; https'),
})

/** A `ClientInput` after the schema has checked it and filled in the defaults. */
export type CheckedClientInput = z.output<typeof clientInput>

/**
 * The rules that the schema of the single fields cannot hold.
 * @param confidential Whether the client has a secret.
 */
export function clientFaults(realm: Realm, input: CheckedClientInput, confidential: boolean): ClientFault[] {
  const faults = methodFaults(realm, input, confidential)
  faults.push(...profileFaults(realm, input), ...apiFaults(realm, input, confidential))
  faults.push(...switchFaults(realm.settings, input).map(([field, fault]) => ({ field, fault })))
  const { redirect_uris, grant_types, backchannel_logout_uri: uri } = input
  const add = (field: string, fault: string | null) => fault !== null && faults.push({ field, fault })
  if (grant_types.includes('authorization_code') && redirect_uris.length === 0)
    add('redirect_uris', 'the authorization_code grant needs at least one')
  if (uri !== undefined)
    add('backchannel_logout_uri', backchannelUriFault(uri, realm.settings.backchannel.allow_insecure))
  for (const field of ['default_scopes', 'optional_scopes'] as const)
    add(field, assignmentFault(realm, input[field] ?? []))
  const { default_resource, access_token_lifetime = 0 } = input
  const longest = longestTokenLifetime(realm.settings)
  if (access_token_lifetime > longest)
    add(
      'access_token_lifetime',
      `more than ${longest} seconds: set oidc.tokens.client_access_token_max, for which signing keys stay published`,
    )
  add('default_resource', resourceNameFault(realm, default_resource))
  return faults
}

/** The record of a checked input. */
export function clientRecord(
  input: CheckedClientInput,
  { client_secret_hash, now }: { client_secret_hash: string | null; now: number },
): Client {
  return {
    ...input,
    client_secret_hash,
    client_name: input.client_name ?? input.client_id,
    ...authenticationMethods(input, client_secret_hash !== null),
    token_endpoint_auth_signing_alg: input.token_endpoint_auth_signing_alg ?? null,
    jwks: input.jwks ? storedClientKeys(input.jwks) : null,
    jwks_uri: input.jwks_uri ?? null,
    id_token_signed_response_alg: input.id_token_signed_response_alg ?? null,
    dpop_bound_access_tokens: input.dpop_bound_access_tokens ?? null,
    require_pushed_authorization_requests: input.require_pushed_authorization_requests ?? null,
    backchannel_logout_uri: input.backchannel_logout_uri ?? null,
    default_scopes: input.default_scopes ?? null,
    optional_scopes: input.optional_scopes ?? null,
    require_pkce: input.require_pkce ? null : false,
    default_resource: input.default_resource ?? null,
    logo_uri: input.logo_uri ?? null,
    client_uri: input.client_uri ?? null,
    policy_uri: input.policy_uri ?? null,
    tos_uri: input.tos_uri ?? null,
    access_token_lifetime: input.access_token_lifetime ?? null,
    refresh_token_lifetime: input.refresh_token_lifetime ?? null,
    refresh_token_grace: input.refresh_token_grace ?? null,
    origin: 'operator',
    client_id_issued_at: now,
    expires_at: null,
    revoked_at: null,
  }
}

/** A client that has a secret and names no method may use both secret methods; libraries differ in their default. */
function authenticationMethods(
  input: CheckedClientInput,
  confidential: boolean,
): Pick<Client, 'token_endpoint_auth_method' | 'token_endpoint_auth_methods'> {
  const { token_endpoint_auth_method: method, token_endpoint_auth_methods: named } = input
  if (hasKeys(input))
    return { token_endpoint_auth_method: 'private_key_jwt', token_endpoint_auth_methods: null }
  if (!confidential) return { token_endpoint_auth_method: 'none', token_endpoint_auth_methods: null }
  const single = method === undefined ? SECRET_METHODS : [method]
  const methods = SECRET_METHODS.filter((known) => (named ?? single).includes(known))
  const first = method ?? methods.find((known) => known === 'client_secret_post') ?? methods[0] ?? 'none'
  return {
    token_endpoint_auth_method: first,
    token_endpoint_auth_methods: methods.length > 1 ? methods : null,
  }
}
