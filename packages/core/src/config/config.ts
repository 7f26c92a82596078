/** The `oidc.*` keys: their shapes, defaults and rules. parse-config.ts checks a configuration with them. */

import * as z from 'zod'
import { isLoopbackHost } from '../util/loopback.js'
import { isResourceUri } from '../util/resource-uri.js'
import { clientSettings } from './client-settings.js'
import type { RealmConfig } from './realm-config.js'
import { PROVIDED_CLAIM_NAMES } from './standard-claims.js'
import { tokenSettings } from './token-settings.js'
import { assignment, group, seconds, signingAlgorithm } from './values.js'

const scopeToken = z
  .string()
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'a scope is printable ASCII without spaces, quotes and backslashes')

const resourceKey = z
  .string()
  .refine(
    (key) =>
      isResourceUri(key) ||
      /^(?:\/?[A-Za-z0-9._~!$&'()*+,;=:@%-]+(?:\/[A-Za-z0-9._~!$&'()*+,;=:@%-]+)*\/?)?$/.test(key),
    'a resource is a path relative to the issuer, an absolute URI without fragment, or the empty string',
  )

const issuer = z.string().transform((value, context) => {
  const origin = parseIssuer(value)
  if (origin === null) {
    context.addIssue(
      `${JSON.stringify(value)} is not a valid issuer: give an origin without a path, such as https://id.example.com (http is for localhost only)`,
    )
    return z.NEVER
  }
  return origin
})

/** RFC 8414 §2: https. Plain http is allowed for this machine, for development. */
function parseIssuer(value: string): string | null {
  const url = URL.canParse(value) ? new URL(value) : null
  if (url?.pathname !== '/' || url.search || url.hash || url.username || url.password) return null
  const is_secure = url.protocol === 'https:' || (url.protocol === 'http:' && isLocal(url))
  return is_secure ? url.origin : null
}

const isLocal = ({ hostname }: URL): boolean => isLoopbackHost(hostname) || /.\.localhost$/.test(hostname)

/** Whether the issuer can be reached on this computer only. */
export const isLoopbackIssuer = (issuer: string): boolean => isLocal(new URL(issuer))

/**
 * Seconds. Servers reload their keys every 30 seconds; with less time, one server would sign with a key that another does not
 * publish yet. 0 is for an emergency.
 */
export const MIN_PUBLISH_BEFORE = 60
const publishBefore = z
  .number()
  .int()
  .nonnegative()
  .refine(isPublishBefore, `give 0, or ${MIN_PUBLISH_BEFORE} and more`)

/** Whether this is a valid number of seconds between the publication of a signing key and its first use. */
export function isPublishBefore(seconds: number): boolean {
  return seconds === 0 || seconds >= MIN_PUBLISH_BEFORE
}

/** The descriptions appear in docs/configuration.md and in editors. They say what a key is for, and its unit. */
export const oidcSchema = z.strictObject({
  issuer: issuer
    .optional()
    .describe(
      'The public origin, such as https://id.example.com. Every URL derives from it, never from a request',
    ),
  preset: z
    .enum(['mcp'])
    .optional()
    .describe(
      'Sets other keys, unless they are given: mcp is what MCP clients need (docs/connect-an-mcp-client.md)',
    ),
  profile: z
    .enum(['fapi2'])
    .optional()
    .describe(
      'Sets and restricts other keys: fapi2 is the FAPI 2.0 Security Profile (docs/sender-constrained.md)',
    ),
  resources: z
    .record(
      resourceKey,
      z.strictObject({
        scopes: z.array(scopeToken).default([]).describe('Scopes that this resource owns'),
        clients: z
          .array(z.string().min(1))
          .default([])
          .describe(
            'client_ids of the API itself, which may introspect and exchange the access tokens that are addressed to it; those of the key "" also tokens of requests that name no resource',
          ),
        dpop: z
          .enum(['optional', 'required'])
          .default('optional')
          .describe('required: every access token for this resource is bound to a key (needs oidc.dpop)'),
        closed: z
          .boolean()
          .default(false)
          .describe(
            'true: only clients that the operator made, and whose own default_scopes or optional_scopes name a scope of it, may request it; "*" does not stand for its scopes',
          ),
        token_signing_alg: signingAlgorithm
          .optional()
          .describe('The algorithm of its access tokens; when absent, oidc.keys.access_token_alg'),
      }),
    )
    .default({})
    .describe('Protected resources, by path relative to the issuer; an absolute URI names an external one'),
  scopes: z
    .record(
      scopeToken,
      z.strictObject({
        description: z.string().optional().describe('What the consent page says'),
        hidden: z
          .boolean()
          .optional()
          .describe(
            'Neither advertised nor shown at consent; when absent: true for offline_access, false for others',
          ),
        severity: z
          .enum(['normal', 'high'])
          .default('normal')
          .describe('high: the consent page shows it first, as sensitive'),
      }),
    )
    .default({})
    .describe('Adds to the scope catalog, by name'),
  clients: clientSettings,
  auth: group('The check of bearer tokens', {
    api_guard: z.string().min(1).default('oidc').describe('The guard that checks bearer tokens at UserInfo'),
  }),
  routes: group('The paths of the endpoints', {
    realms: z
      .enum(['single', 'path'])
      .default('single')
      .describe('path: each realm has its endpoints below /realms/<id>'),
  }),
  claims: z
    .record(
      z.string(),
      z.strictObject({
        attribute: z
          .string()
          .min(1)
          .optional()
          .describe('The attribute of the user; when absent, the one with the name of the claim'),
        scopes: z
          .array(assignment)
          .min(1, 'name at least one scope')
          .describe('Each of these scopes gives the claim. An entry is a scope, or "<resource> <scope>"'),
        targets: z
          .array(z.enum(['id_token', 'userinfo', 'access_token']))
          .min(1, 'name at least one target')
          .default(['id_token', 'userinfo'])
          .describe('Where the claim is: id_token, userinfo, access_token'),
      }),
    )
    .default({})
    .describe('Claims that are attributes of the user, by the name of the claim'),
  claims_supported: z
    .array(z.string().min(1))
    .default(PROVIDED_CLAIM_NAMES)
    .describe('The claims that discovery names; when absent, those of oidc.claims are added'),
  acr_values_supported: z
    .tuple([z.string().min(1), z.string().min(1)])
    .default(['1', '2'])
    .describe('The acr of a login with one authentication method, and with two or more'),
  acr: z
    .enum(['off', 'tell', 'require'])
    .default('off')
    .describe(
      'tell: access tokens of users say when and how the user signed in (auth_time, acr; RFC 9470). require: also, a sign-in must satisfy the acr_values of the request; otherwise the client gets an error',
    ),
  dpop: z
    .enum(['off', 'on', 'nonce'])
    .default('off')
    .describe(
      'on: a client that sends a proof of a key gets access tokens, and a public client refresh tokens, that only this key can use (DPoP, RFC 9449). nonce: also, a proof must have a nonce of the last five minutes, which the server sends; so none can be made long in advance',
    ),
  par: z
    .enum(['off', 'allowed', 'required'])
    .default('off')
    .describe(
      'allowed: clients may push their authorization requests (RFC 9126). required: every authorization request must be pushed',
    ),
  tokens: tokenSettings,
  session: group('The sessions of signed-in users', {
    absolute_lifetime: seconds.default(2_592_000).describe('Seconds that a sign-in lasts; never extended'),
  }),
  handlers: group(
    'Endpoints that can be switched off: an endpoint with false is neither routed nor advertised',
    {
      userinfo: z.boolean().default(true).describe('The UserInfo endpoint'),
      logout: z.boolean().default(true).describe('The end-session endpoint'),
      introspect: z.boolean().default(true).describe('The introspection endpoint (RFC 7662)'),
      revoke: z.boolean().default(true).describe('The revocation endpoint (RFC 7009)'),
    },
  ),
  throttle: group('Limits of what one address may send', {
    register: z.number().int().positive().default(60).describe('Registrations per minute and client address'),
    registrations_per_day: z
      .number()
      .int()
      .positive()
      .default(10_000)
      .describe('Registrations of a realm per day, from all addresses; one address may use 5%, at least one'),
    authorize: z
      .number()
      .int()
      .positive()
      .default(60)
      .describe(
        'Authorization requests per minute and client address that are too long for a URL, or that a public or self-registered client pushes',
      ),
    client_secret: z
      .number()
      .int()
      .positive()
      .default(100)
      .describe('Wrong secrets per client and client address in 15 minutes; after that it has to wait'),
  }),
  keys: group('The signing keys', {
    algorithms: z
      .array(signingAlgorithm)
      .min(1, 'name at least one algorithm')
      .refine((list) => new Set(list).size === list.length, 'name each algorithm once')
      .default(['RS256'])
      .describe('The realm has a key of each: RS256, PS256, ES256, EdDSA'),
    access_token_alg: signingAlgorithm
      .optional()
      .describe(
        'The algorithm of access tokens; when absent, RS256, or the first of oidc.keys.algorithms where RS256 is not in it',
      ),
    publish_before: publishBefore
      .default(3600)
      .describe(
        'Seconds that a new signing key is published before it signs: the time that a JWKS is cached',
      ),
  }),
})

/** The `oidc.*` keys with all defaults: the settings of a realm. */
export type OidcSettings = z.output<typeof oidcSchema> & {
  issuer: string
  clients: { private_key_jwt: boolean }
}
/** The `oidc.*` keys; `realms` maps a realm id to its overrides. */
export interface OidcConfig extends RealmConfig {
  /** Realms by id, each with the keys that differ in it (all but `issuer` and `routes`); needs `routes.realms: 'path'`. */
  realms?: Record<string, RealmConfig> | undefined
}
