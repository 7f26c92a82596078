/** The defaults and the rules of the options. All times are in seconds. */

import { type Algorithm, isAlgorithm } from './keys.js'
import { isLoopback } from './loopback.js'
import { metadataUrl } from './metadata.js'
import type { IntrospectionOptions, Mode, ResourceServerOptions } from './options.js'

/** The options with every default. */
export interface Settings {
  issuer: string
  resource: string
  mode: Mode
  introspection: Required<IntrospectionOptions> | null
  algorithms: readonly Algorithm[]
  clock_tolerance: number
  realm: string
  resource_metadata: string
  scopes_supported: readonly string[]
  jwks: { max_age: number; stale_if_error: number; refetch_interval: number }
  token_cache: { seconds: number; entries: number } | null
  timeout_seconds: number
  fetch: typeof fetch
  now(): number
}

type Options = ResourceServerOptions<unknown, unknown>

interface Rule {
  isValid(value: unknown): boolean
  /** What to do when the value is not valid. */
  advice: string
}
/** A rule for each name. */
type Rules<T> = { [Name in keyof T]-?: Rule }

const ANY: Rule = { isValid: () => true, advice: '' }
const wholeNumber = (least: number, most: number): Rule => ({
  isValid: (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
  advice: `give a whole number from ${least} to ${most}`,
})

const OPTION_RULES: Rules<Omit<Options, 'introspection' | 'jwks' | 'token_cache'>> = {
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
  timeout_seconds: wholeNumber(1, 60),
  user: ANY,
  client: ANY,
  on_refused: ANY,
  on_unavailable: ANY,
  fetch: ANY,
  now: ANY,
}

/** The options that have options of their own. */
const GROUP_RULES: {
  introspection: Rules<IntrospectionOptions>
  jwks: Rules<Settings['jwks']>
  token_cache: Rules<NonNullable<Settings['token_cache']>>
} = {
  introspection: {
    client_id: { isValid: isNotEmpty, advice: 'give the client_id of this service at the issuer' },
    client_secret: { isValid: isNotEmpty, advice: 'give the secret of this service at the issuer' },
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
}

const ALL_RULES = { ...OPTION_RULES, ...GROUP_RULES }

/** Options that must not, or must, be given in a mode. */
const MODE_RULES: readonly { fault: string; applies(mode: Mode, options: Options): boolean }[] = [
  {
    fault: "introspection: leave it out where mode is 'jwks'",
    applies: (mode, { introspection }) => mode === 'jwks' && Boolean(introspection),
  },
  {
    fault: 'introspection: this mode needs client_id and client_secret',
    applies: (mode, { introspection }) => mode !== 'jwks' && !introspection,
  },
  {
    fault:
      "token_cache: is for local verification; with mode 'introspection' use introspection.cache_seconds",
    applies: (mode, { token_cache }) => mode === 'introspection' && Boolean(token_cache),
  },
  {
    fault: "algorithms: leave it out where mode is 'introspection', as the issuer verifies the signature",
    applies: (mode, { algorithms }) => mode === 'introspection' && Boolean(algorithms),
  },
]

/** @throws TypeError that names every fault. */
export function settingsOf<User, Client>(options: ResourceServerOptions<User, Client>): Settings {
  const settings = withDefaults(options)
  const faults = [
    ...Object.keys(options)
      .filter((name) => !Object.hasOwn(ALL_RULES, name))
      .map((name) => `${name}: there is no such option`),
    ...faultsOf(settings, OPTION_RULES),
    ...MODE_RULES.filter(({ applies }) => applies(settings.mode, options)).map(({ fault }) => fault),
    ...faultsOf(settings.introspection, GROUP_RULES.introspection, 'introspection.'),
    ...faultsOf(settings.jwks, GROUP_RULES.jwks, 'jwks.'),
    ...faultsOf(settings.token_cache, GROUP_RULES.token_cache, 'token_cache.'),
  ]
  if (faults.length > 0) throw new TypeError(`createResourceServer:\n  ${faults.join('\n  ')}`)
  return { ...settings, resource_metadata: settings.resource_metadata ?? metadataUrl(settings.resource) }
}

function faultsOf(values: object | null, rules: Record<string, Rule>, prefix = ''): string[] {
  if (values === null) return []
  const named = values as Record<string, unknown>
  return Object.entries(rules)
    .filter(([name, { isValid }]) => !isValid(named[name]))
    .map(([name, { advice }]) => `${prefix}${name}: ${advice}`)
}

/** `resource_metadata` has no default yet: it needs a valid `resource`. */
type Draft = Omit<Settings, 'resource_metadata'> & { resource_metadata: string | undefined }

const INTROSPECTION_DEFAULTS = {
  token_endpoint_auth_method: 'client_secret_basic',
  cache_seconds: 0,
  cache_entries: 1000,
} as const

function withDefaults(options: Options): Draft {
  const { issuer, introspection, token_cache } = options
  return {
    issuer,
    resource: options.resource,
    mode: options.mode ?? (introspection ? 'both' : 'jwks'),
    introspection: introspection ? { ...INTROSPECTION_DEFAULTS, ...introspection } : null,
    algorithms: options.algorithms ?? ['RS256'],
    clock_tolerance: options.clock_tolerance ?? 5,
    realm: options.realm ?? /\/realms\/([\w.-]+)\/?$/.exec(issuer)?.[1] ?? 'default',
    resource_metadata: options.resource_metadata ?? undefined,
    scopes_supported: options.scopes_supported ?? [],
    jwks: { max_age: 3600, stale_if_error: 3600, refetch_interval: 30, ...options.jwks },
    token_cache: token_cache ? { seconds: 60, entries: 1000, ...token_cache } : null,
    timeout_seconds: options.timeout_seconds ?? 5,
    // The global is looked up at each call: it must be called as a global, and tests may replace it.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    now: options.now ?? (() => Math.floor(Date.now() / 1000)),
  }
}

function isNotEmpty(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

/** RFC 6749 §3.3. */
function isScope(value: unknown): boolean {
  return typeof value === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(value)
}

/** A URL without fragment (RFC 8414 §2, RFC 9728 §1.2), credentials, or characters that a challenge must escape. */
function isUrl(value: unknown): value is string {
  if (typeof value !== 'string' || !URL.canParse(value) || /[\s"\\#]/.test(value)) return false
  const url = new URL(value)
  const secure = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))
  return secure && url.username === '' && url.password === ''
}
