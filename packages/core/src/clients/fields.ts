/**
 * The fields of a client, one row each. The input of an operator, registration, metadata documents, import, the columns of the
 * storages, the options of the command line and the reference pages follow from it.
 */

import * as z from 'zod'
import { signingAlgorithm } from '../config/values.js'
import { NEEDS_DEVICES } from '../features/declarations.js'
import type { Client } from '../storage/records.js'
import { ASSERTION_ALGORITHMS } from '../util/assertion-algorithms.js'
import { AUTH_METHODS, SECRET_METHODS } from '../util/auth-methods.js'
import { clientNameFault } from '../util/client-name.js'
import { MAX_REFRESH_GRACE } from '../util/refresh-grace.js'
import { allowedGroups, requiredAcr } from './access-rules.js'
import { storedClientKeys } from './client-keys.js'
import type { ClientField } from './field.js'
import { NEEDS_DPOP, NEEDS_PUSHED_REQUESTS } from './field-switches.js'
import { grantTypes } from './grant-types.js'
import { pageUri, redirectTargets, uris } from './uri-schemas.js'

const NOBODY = [] as const
const OPERATOR = ['operator'] as const
const REGISTRATION = ['operator', 'registration'] as const
const EVERYONE = ['operator', 'registration', 'document'] as const

const lifetime = z.number().int().positive()

const text = { set_by: OPERATOR, stored: 'text', absent: null } as const
const choice = { set_by: OPERATOR, stored: 'boolean', absent: null } as const
const seconds = { set_by: OPERATOR, stored: 'seconds', absent: null, cli: { value: 'seconds' } } as const
const page = { ...text, cli: { value: 'uri' } } as const
const decided = { set_by: NOBODY, absent: null } as const

/** Rows of what registration answers stand in the order of its answer. */
export const CLIENT_FIELDS = {
  client_id: {
    set_by: OPERATOR,
    stored: 'text',
    absent: '',
    input: z
      .string()
      .regex(/^[\x21-\x7e]{1,255}$/, 'a client_id is 1 to 255 printable ASCII characters')
      .describe('1 to 255 printable ASCII characters'),
  },
  client_name: {
    set_by: EVERYONE,
    stored: 'text',
    absent: '',
    input: z
      .string()
      .trim()
      .min(1)
      .superRefine((name, context) => {
        const fault = clientNameFault(name)
        if (fault) context.addIssue(`a name ${fault}`)
      })
      .optional()
      .describe('What users see; the client_id when absent'),
    cli: { option: 'name', value: 'text' },
  },
  redirect_uris: {
    set_by: EVERYONE,
    stored: 'list',
    absent: [],
    input: redirectTargets.default([]).describe('Where codes may be sent; compared exactly'),
    cli: { option: 'redirect-uri', value: 'uri' },
  },
  post_logout_redirect_uris: {
    set_by: REGISTRATION,
    stored: 'list',
    absent: [],
    input: uris.default([]).describe('Where users may be redirected after signing out'),
    cli: { option: 'post-logout-redirect-uri', value: 'uri' },
  },
  grant_types: {
    set_by: EVERYONE,
    stored: 'list',
    absent: ['authorization_code', 'refresh_token'],
    input: grantTypes,
    cli: { option: 'grant', value: 'grant' },
  },
  response_types: {
    set_by: EVERYONE,
    stored: 'list',
    absent: ['code'],
    input: z
      .tuple([z.literal('code')])
      .default(['code'])
      .describe('Always ["code"]'),
  },
  token_endpoint_auth_method: {
    set_by: EVERYONE,
    stored: 'text',
    absent: 'none',
    input: z
      .enum(AUTH_METHODS)
      .optional()
      .describe(
        'How it authenticates; when absent, with its keys, or with either of the two secret methods, or none without both',
      ),
  },
  token_endpoint_auth_methods: {
    set_by: ['operator', 'document'],
    stored: 'list',
    absent: null,
    input: z
      .array(z.enum(SECRET_METHODS))
      .min(1)
      .optional()
      .describe('The methods between which a client with a secret may choose for each request'),
  },
  jwks: {
    set_by: EVERYONE,
    stored: 'json',
    absent: null,
    input: z
      .object({ keys: z.array(z.record(z.string(), z.unknown())).describe('Public keys (RFC 7517)') })
      .optional()
      .describe('The public keys of a client that authenticates with private_key_jwt'),
    record: storedClientKeys,
  },
  jwks_uri: {
    ...text,
    set_by: EVERYONE,
    input: z
      .string()
      .optional()
      .describe('The address of these keys, instead of jwks; https. They are read when they are needed'),
  },
  token_endpoint_auth_signing_alg: {
    ...text,
    set_by: EVERYONE,
    input: z
      .enum(ASSERTION_ALGORITHMS)
      .optional()
      .describe('The only algorithm of its assertions; when absent, each that fits a key'),
    cli: { option: 'auth-signing-alg', value: 'alg' },
  },
  id_token_signed_response_alg: {
    ...text,
    set_by: EVERYONE,
    input: signingAlgorithm
      .optional()
      .describe(
        'The algorithm of its ID tokens and logout tokens, one of oidc.keys.algorithms; when absent, RS256, or the first of them where RS256 is not in it',
      ),
    cli: { value: 'alg' },
  },
  dpop_bound_access_tokens: {
    ...choice,
    set_by: EVERYONE,
    input: z
      .boolean()
      .optional()
      .describe('true: each of its access tokens is bound to a key (needs oidc.dpop)'),
    needs: NEEDS_DPOP,
    cli: {},
  },
  require_pushed_authorization_requests: {
    ...choice,
    set_by: EVERYONE,
    input: z.boolean().optional().describe('true: it must push its authorization requests (needs oidc.par)'),
    needs: NEEDS_PUSHED_REQUESTS,
    cli: {},
  },
  backchannel_logout_uri: {
    ...text,
    set_by: REGISTRATION,
    input: z.string().optional().describe('Where the client is notified that a session has ended; https'),
    cli: { value: 'uri' },
  },
  backchannel_logout_session_required: {
    set_by: REGISTRATION,
    stored: 'boolean',
    absent: false,
    input: z.boolean().default(false).describe('Its logout tokens must name the session'),
    cli: { flag: 'backchannel-logout-session' },
  },
  allowed_exchange_audiences: {
    set_by: OPERATOR,
    stored: 'list',
    absent: [],
    input: z
      .array(z.string().min(1))
      .default([])
      .describe('Audiences that it may request in a token exchange'),
    cli: { option: 'exchange-audience', value: 'uri' },
  },
  consent_required: {
    set_by: OPERATOR,
    stored: 'boolean',
    absent: true,
    input: z.boolean().default(true).describe('false: users are never asked for consent, and none is stored'),
    cli: { flag: 'no-consent' },
  },
  trusted: {
    set_by: OPERATOR,
    stored: 'boolean',
    absent: false,
    input: z
      .boolean()
      .default(false)
      .describe('First-party: users are never asked for consent, not even for prompt=consent'),
    cli: {},
  },
  allowed_groups: {
    ...text,
    stored: 'list',
    input: allowedGroups,
    cli: { option: 'allowed-group', value: 'group' },
  },
  required_acr: { ...text, input: requiredAcr, cli: { value: 'acr' } },
  verification_uri_complete: {
    ...choice,
    input: z
      .boolean()
      .default(false)
      .describe(
        'true: its devices also get an address that fills in the code, for a QR code (needs oidc.clients.device_authorization)',
      ),
    record: (allowed: boolean) => allowed || null,
    needs: NEEDS_DEVICES,
    cli: {},
  },
  default_scopes: {
    set_by: OPERATOR,
    stored: 'list',
    absent: null,
    input: z
      .array(
        z
          .string()
          .min(1)
          .refine((entry) => entry !== '*', '* belongs in optional_scopes only'),
      )
      .optional()
      .describe('Scopes of every request, instead of oidc.clients.default_scopes'),
    cli: { option: 'default-scope', value: 'scope' },
  },
  optional_scopes: {
    set_by: OPERATOR,
    stored: 'list',
    absent: null,
    input: z
      .array(z.string().min(1))
      .optional()
      .describe('Scopes that a request may name, instead of oidc.clients.optional_scopes'),
    cli: { option: 'optional-scope', value: 'scope' },
  },
  require_pkce: {
    ...choice,
    input: z
      .boolean()
      .default(true)
      .describe('false, for a client with a secret that cannot send PKCE: it may leave out code_challenge'),
    record: (required: boolean) => (required ? null : false),
  },
  default_resource: {
    ...text,
    input: z
      .string()
      .min(1)
      .optional()
      .describe('The resource of a request that names none: a key of oidc.resources, or its URI'),
    cli: { value: 'uri' },
  },
  access_token_lifetime: {
    ...seconds,
    input: lifetime.optional().describe('Seconds that its access tokens are valid, instead of oidc.tokens'),
  },
  refresh_token_lifetime: {
    ...seconds,
    input: lifetime
      .optional()
      .describe('Seconds that its refresh tokens are valid, instead of oidc.tokens.refresh_token'),
  },
  refresh_token_grace: {
    ...seconds,
    input: z
      .number()
      .int()
      .nonnegative()
      .max(MAX_REFRESH_GRACE)
      .optional()
      .describe('Seconds, at most 60, instead of oidc.tokens.refresh_token_grace'),
  },
  logo_uri: { ...page, input: pageUri.optional().describe('Its logo, for the pages; https') },
  client_uri: { ...page, input: pageUri.optional().describe('Its home page; https') },
  policy_uri: { ...page, input: pageUri.optional().describe('Its privacy policy; https') },
  tos_uri: { ...page, input: pageUri.optional().describe('Its terms of service; https') },
  client_secret_hash: { ...decided, stored: 'text' },
  origin: { ...decided, stored: 'text', absent: 'operator' },
  client_id_issued_at: { ...decided, stored: 'seconds', absent: 0 },
  expires_at: { ...decided, stored: 'seconds' },
  revoked_at: { ...decided, stored: 'seconds' },
  not_before: { ...decided, stored: 'seconds' },
} satisfies { [Name in keyof Client]: ClientField<Name> }
