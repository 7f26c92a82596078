/** The defaults and the rules of the options. Durations are in seconds. */

import { algorithmNamed, isAlgorithm, SIGNATURE_ALGORITHMS, type SignatureAlgorithm } from './algorithms.js'
import { ACR_ORDER_RULE } from './authentication.js'
import { DPOP_ALGORITHMS } from './dpop/proof.js'
import { isLoopback } from './loopback.js'
import { metadataUrl } from './metadata.js'
import type { DpopOptions, IntrospectionOptions, ResourceServerOptions, ValidationMode } from './options.js'
import { FAPI2_DEFAULTS, fapi2Faults } from './profile.js'
import { isScope, SCOPE_RULES } from './scopes.js'
import { unknownOptions } from './unknown-option.js'

/** The options, with the defaults for absent ones. */
export interface Settings {
  issuer: string
  resource: string
  mode: ValidationMode
  introspection: IntrospectionSettings | null
  algorithms: readonly SignatureAlgorithm[]
  clock_tolerance: number
  realm: string
  resource_metadata: string
  scopes_supported: readonly string[]
  jwks: { max_age: number; stale_if_error: number; refetch_interval: number }
  token_cache: { seconds: number; entries: number } | null
  /** Null: DPoP is off. */
  dpop: DpopSettings | null
  timeout_seconds: number
  fetch: typeof fetch
  now(): number
}

/** The options of introspection, with the defaults for absent ones: a secret, or a private key. */
type IntrospectionSettings = Required<Omit<IntrospectionOptions, 'client_secret' | 'private_key'>> &
  Pick<IntrospectionOptions, 'client_secret' | 'private_key'>

/** The options of DPoP, with the defaults for absent ones. */
export type DpopSettings = Required<Omit<DpopOptions, 'nonce_secret' | 'replay' | 'public_url'>> &
  Pick<DpopOptions, 'nonce_secret' | 'replay' | 'public_url'>

type Options = ResourceServerOptions<unknown, unknown>

interface Rule {
  isValid(value: unknown): boolean
  /** What the user must do when the value is not valid: a part of the error's message. */
  advice: string
}
/** A rule for each name. */
type Rules<T> = { [Name in keyof T]-?: Rule }

const OPTIONAL_FUNCTION: Rule = {
  isValid: (value) => value === undefined || typeof value === 'function',
  advice: 'give a function',
}
const wholeNumber = (minimum: number, maximum: number): Rule => ({
  isValid: (value) => Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum,
  advice: `give a whole number from ${minimum} to ${maximum}`,
})

const OPTION_RULES: Rules<Omit<Options, 'introspection' | 'jwks' | 'token_cache' | 'dpop'>> = {
  issuer: {
    isValid: (value) => isUrl(value) && !value.includes('?'),
    advice: 'give the URL of the issuer, https (http on this machine only), without query',
  },
  resource: {
    isValid: isUrl,
    advice: 'give the URL of this API, https (http on this machine only)',
  },
  mode: {
    isValid: (value) => value === 'jwks' || value === 'introspection' || value === 'both',
    advice: "give 'jwks', 'introspection' or 'both'",
  },
  profile: {
    isValid: (value) => value === undefined || value === 'fapi2',
    advice: "give 'fapi2', or leave it out",
  },
  algorithms: {
    isValid: (value) => Array.isArray(value) && value.length > 0 && value.every(isAlgorithm),
    advice: 'list RS256, PS256, ES256 or EdDSA',
  },
  clock_tolerance: wholeNumber(0, 300),
  realm: {
    isValid: (value) => typeof value === 'string' && /^[\x20-\x7e]+$/.test(value),
    advice: 'give printable ASCII',
  },
  resource_metadata: {
    isValid: (value) => value === undefined || isUrl(value),
    advice: 'give the URL of the document',
  },
  scopes_supported: {
    isValid: (value) => Array.isArray(value) && value.every(isScope),
    advice: 'give a list of scopes',
  },
  ...SCOPE_RULES,
  acr_order: ACR_ORDER_RULE,
  timeout_seconds: wholeNumber(1, 60),
  user: OPTIONAL_FUNCTION,
  client: OPTIONAL_FUNCTION,
  on_refused: OPTIONAL_FUNCTION,
  on_unavailable: OPTIONAL_FUNCTION,
  fetch: OPTIONAL_FUNCTION,
  now: OPTIONAL_FUNCTION,
}

/** The rules of the options that are objects, for each of their members. */
const GROUP_RULES: {
  introspection: Rules<IntrospectionOptions>
  jwks: Rules<Settings['jwks']>
  token_cache: Rules<NonNullable<Settings['token_cache']>>
  dpop: Rules<DpopOptions>
} = {
  introspection: {
    client_id: { isValid: isNotEmpty, advice: 'give the client_id of this service at the issuer' },
    client_secret: {
      isValid: (value) => value === undefined || isNotEmpty(value),
      advice: 'give the secret of this service at the issuer',
    },
    private_key: {
      isValid: (value) => value === undefined || isPrivateKey(value),
      advice: 'give a private JWK with alg, for example ES256',
    },
    token_endpoint_auth_method: {
      isValid: (value) => value === 'client_secret_basic' || value === 'client_secret_post',
      advice: 'give client_secret_basic or client_secret_post',
    },
    cache_seconds: wholeNumber(0, 300),
    cache_entries: wholeNumber(1, 100_000),
  },
  jwks: {
    max_age: wholeNumber(1, 86_400),
    stale_if_error: wholeNumber(0, 86_400),
    refetch_interval: wholeNumber(1, 3600),
  },
  token_cache: {
    seconds: wholeNumber(1, 300),
    entries: wholeNumber(1, 100_000),
  },
  dpop: {
    required: { isValid: (value) => typeof value === 'boolean', advice: 'give true or false' },
    algorithms: {
      isValid: (value) => Array.isArray(value) && value.length > 0 && value.every(isProofAlgorithm),
      advice: `list ${DPOP_ALGORITHMS.join(', ')}, or some of them`,
    },
    max_age: wholeNumber(1, 3600),
    max_future: wholeNumber(0, 300),
    nonce_secret: {
      isValid: (value) => value === undefined || (typeof value === 'string' && value.length >= 32),
      advice: 'give 32 characters or more',
    },
    replay: {
      isValid: (value) =>
        value === undefined || typeof (value as { claim?: unknown } | null)?.claim === 'function',
      advice: 'give an object with the function claim',
    },
    public_url: OPTIONAL_FUNCTION,
  },
}

function isProofAlgorithm(value: unknown): boolean {
  return DPOP_ALGORITHMS.some((name) => name === value)
}

const ALL_RULES = { ...OPTION_RULES, ...GROUP_RULES }

/** Which options a mode requires or forbids. */
const MODE_RULES: readonly { fault: string; applies(mode: ValidationMode, options: Options): boolean }[] = [
  {
    fault: "introspection: leave it out when mode is 'jwks'",
    applies: (mode, { introspection }) => mode === 'jwks' && Boolean(introspection),
  },
  {
    fault: 'introspection: this mode needs client_id and client_secret, or private_key',
    applies: (mode, { introspection }) => mode !== 'jwks' && !introspection,
  },
  {
    fault: 'introspection: give client_secret or private_key, one of them',
    applies: (_mode, { introspection }) =>
      introspection !== undefined &&
      (introspection.client_secret === undefined) === (introspection.private_key === undefined),
  },
  {
    fault: "token_cache: leave it out when mode is 'introspection', and use introspection.cache_seconds",
    applies: (mode, { token_cache }) => mode === 'introspection' && Boolean(token_cache),
  },
  {
    fault: "algorithms: leave it out when mode is 'introspection', because the issuer verifies the signature",
    applies: (mode, { algorithms }) => mode === 'introspection' && Boolean(algorithms),
  },
]

/** Checks the options and adds the defaults. @throws TypeError that names every fault. */
export function settingsOf<User, Client>(options: ResourceServerOptions<User, Client>): Settings {
  const settings = withDefaults(options)
  const faults = [
    ...unknownOptions(options, ALL_RULES),
    ...faultsOf({ ...options, ...settings }, OPTION_RULES),
    ...MODE_RULES.filter(({ applies }) => applies(settings.mode, options)).map(({ fault }) => fault),
    ...fapi2Faults(options),
    ...faultsOf(settings.introspection, GROUP_RULES.introspection, 'introspection.'),
    ...faultsOf(settings.jwks, GROUP_RULES.jwks, 'jwks.'),
    ...faultsOf(settings.token_cache, GROUP_RULES.token_cache, 'token_cache.'),
    ...faultsOf(settings.dpop, GROUP_RULES.dpop, 'dpop.'),
    ...unknownMembers(options),
  ]
  if (faults.length > 0) throw new TypeError(`createResourceServer:\n  ${faults.join('\n  ')}`)
  return { ...settings, resource_metadata: settings.resource_metadata ?? metadataUrl(settings.resource) }
}

function unknownMembers(options: Options): string[] {
  return Object.entries(GROUP_RULES).flatMap(([group, rules]) =>
    unknownOptions(
      (options as object as Record<string, object | undefined>)[group] ?? {},
      rules,
      `${group}.`,
    ),
  )
}

function faultsOf(values: object | null, rules: Record<string, Rule>, prefix = ''): string[] {
  if (values === null) return []
  const byName = values as Record<string, unknown>
  return Object.entries(rules)
    .filter(([name, { isValid }]) => !isValid(byName[name]))
    .map(([name, { advice }]) => `${prefix}${name}: ${advice}`)
}

/** The settings before `resource` is checked: the default of `resource_metadata` is made from it. */
type Draft = Omit<Settings, 'resource_metadata'> & { resource_metadata: string | undefined }

const INTROSPECTION_DEFAULTS = {
  token_endpoint_auth_method: 'client_secret_basic',
  cache_seconds: 0,
  cache_entries: 1000,
} as const

const DPOP_DEFAULTS = {
  required: false,
  algorithms: DPOP_ALGORITHMS,
  max_age: 300,
  max_future: 60,
}

function withDefaults(options: Options): Draft {
  const { issuer, introspection, token_cache, dpop, profile } = options
  const defaults = profile === 'fapi2' ? FAPI2_DEFAULTS : null
  return {
    issuer,
    resource: options.resource,
    mode: options.mode ?? (introspection ? 'both' : 'jwks'),
    introspection: introspection ? { ...INTROSPECTION_DEFAULTS, ...introspection } : null,
    algorithms: options.algorithms ?? defaults?.algorithms ?? SIGNATURE_ALGORITHMS,
    clock_tolerance: options.clock_tolerance ?? 5,
    realm: options.realm ?? /\/realms\/([\w.-]+)\/?$/.exec(issuer)?.[1] ?? 'default',
    resource_metadata: options.resource_metadata ?? undefined,
    scopes_supported: options.scopes_supported ?? [],
    jwks: { max_age: 3600, stale_if_error: 3600, refetch_interval: 30, ...options.jwks },
    token_cache: token_cache ? { seconds: 60, entries: 1000, ...token_cache } : null,
    dpop: dpop || defaults ? { ...DPOP_DEFAULTS, ...defaults?.dpop, ...dpop } : null,
    timeout_seconds: options.timeout_seconds ?? 5,
    // The global is read at each call, because tests may replace it; browsers require that it is not called as a method.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    now: options.now ?? (() => Math.floor(Date.now() / 1000)),
  }
}

function isNotEmpty(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

/** A key that can sign assertions: RSA, EC or OKP (RFC 7518 §6, RFC 8037). */
function isPrivateKey(value: unknown): boolean {
  const { alg, d } = (value ?? {}) as { alg?: unknown; d?: unknown }
  return isAlgorithm(algorithmNamed(alg)) && isNotEmpty(d)
}

/** A URL without fragment (RFC 8414 §2, RFC 9728 §1.2), credentials, or characters that a challenge must escape. */
function isUrl(value: unknown): value is string {
  if (typeof value !== 'string' || !URL.canParse(value) || /[\s"\\#]/.test(value)) return false
  const url = new URL(value)
  const secure = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))
  return secure && url.username === '' && url.password === ''
}
