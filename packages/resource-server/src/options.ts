/** What createResourceServer takes, and the rules for it. All times are in seconds. */

import type { AccessToken } from './access-token.js'
import type { BearerError } from './bearer.js'
import { isLoopback } from './issuer.js'
import { type Algorithm, isAlgorithm } from './keys.js'
import { metadataUrl } from './metadata.js'
import type { IssuerUnavailableError } from './unavailable.js'

/** How a token is checked: by the issuer's keys, by asking the issuer, or first the one and then the other. */
export type Mode = 'jwks' | 'introspection' | 'both'

/** Who asks at the introspection endpoint (RFC 7662), and for how long an answer counts. Times are in seconds. */
export interface IntrospectionOptions {
  /** This service's own client at the issuer. It may ask about tokens whose `aud` names it. */
  client_id: string
  /** In clear, as the issuer gave it. */
  client_secret: string
  /** As the client is registered; `client_secret_basic` by default. */
  token_endpoint_auth_method?: 'client_secret_basic' | 'client_secret_post'
  /** For how long an active answer counts: a revocation is seen this much later. 0 (off) by default, at most 300. */
  cache_seconds?: number
  /** 1,000 by default. */
  cache_entries?: number
}

/** What `createResourceServer` takes. `issuer` and `resource` are needed. Times are in seconds. */
export interface ResourceServerOptions<User, Client> {
  /** Exactly as the issuer writes itself. https, or http on this machine. */
  issuer: string
  /** The URL that this API is known by to the issuer: a token's `aud` must name it. */
  resource: string
  /** `both` when there is `introspection`, otherwise `jwks`. */
  mode?: Mode
  /** Needed for the modes `introspection` and `both`. */
  introspection?: IntrospectionOptions
  /** `['RS256']` by default. */
  algorithms?: readonly Algorithm[]
  /** Between the issuer's clock and this one; 5 by default, at most 300. */
  clock_tolerance?: number
  /** Of the challenges. The issuer's realm id by default: `default`, or the last part of `…/realms/<id>`. */
  realm?: string
  /** Where this API's RFC 9728 document is; by default at the well-known address of `resource`. */
  resource_metadata?: string
  /** For the RFC 9728 document. */
  scopes_supported?: readonly string[]
  /** Keys and discovery document: fresh for `max_age` (3600), served for `stale_if_error` (3600) more when the
   * issuer is down, and asked for at most every `refetch_interval` (30) because of an unknown `kid`. */
  jwks?: { max_age?: number; stale_if_error?: number; refetch_interval?: number }
  /** Off by default. For `seconds` (60, at most 300) a token's signature is not verified again; 1,000 `entries`. */
  token_cache?: { seconds?: number; entries?: number }
  /** For each answer of the issuer; 5 by default. */
  timeout_seconds?: number
  /** What `principal.user` is, `{ sub }` by default. Null refuses the token: nobody is behind it. */
  user?(token: AccessToken): Promise<User | null> | User | null
  /** What `principal.client` is, `{ client_id }` by default. Null refuses the token. */
  client?(token: AccessToken): Promise<Client | null> | Client | null
  /** Told why a token was refused; the client is not. */
  on_refused?(error: BearerError, request: Request): void
  /** Told why a request was answered with 503. */
  on_unavailable?(error: IssuerUnavailableError, request: Request): void
  /** How the issuer is asked; the global `fetch` by default. */
  fetch?: typeof fetch
  /** Epoch seconds. */
  now?(): number
}

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

const KNOWN = [
  'issuer',
  'resource',
  'mode',
  'introspection',
  'algorithms',
  'clock_tolerance',
  'realm',
  'jwks',
  'resource_metadata',
  'scopes_supported',
  'token_cache',
  'timeout_seconds',
  'user',
  'client',
  'on_refused',
  'on_unavailable',
  'fetch',
  'now',
]

/** @throws TypeError that names every fault. */
export function settingsOf<User, Client>(options: ResourceServerOptions<User, Client>): Settings {
  const faults: string[] = []
  const must = (holds: boolean, fault: string): void => void (holds || faults.push(fault))
  const seconds = (name: string, value: unknown, [least, most]: readonly [number, number]): void =>
    must(
      Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
      `${name}: give a whole number from ${least} to ${most}`,
    )

  const { issuer, resource, introspection, token_cache } = options
  const mode = options.mode ?? (introspection ? 'both' : 'jwks')
  for (const name of Object.keys(options)) must(KNOWN.includes(name), `${name}: there is no such option`)
  must(
    isAddress(issuer),
    'issuer: give the URL of the issuer, https (http on this machine only), without query',
  )
  must(isAddress(resource, true), 'resource: give the URL of this API, https (http on this machine only)')
  must(['jwks', 'introspection', 'both'].includes(mode), "mode: give 'jwks', 'introspection' or 'both'")
  if (mode === 'jwks') must(!introspection, "introspection: leave it out where mode is 'jwks'")
  else must(introspection !== undefined, `introspection: mode '${mode}' needs client_id and client_secret`)
  if (mode === 'introspection') {
    must(
      !token_cache,
      "token_cache: is for local verification; with mode 'introspection' use introspection.cache_seconds",
    )
    must(!options.algorithms, "algorithms: are the issuer's own matter with mode 'introspection'")
  }

  const settings: Settings = {
    issuer,
    resource,
    mode,
    introspection: introspection
      ? {
          token_endpoint_auth_method: 'client_secret_basic',
          cache_seconds: 0,
          cache_entries: 1000,
          ...introspection,
        }
      : null,
    algorithms: options.algorithms ?? ['RS256'],
    clock_tolerance: options.clock_tolerance ?? 5,
    realm: options.realm ?? /\/realms\/([\w.-]+)\/?$/.exec(issuer)?.[1] ?? 'default',
    resource_metadata: options.resource_metadata ?? (isAddress(resource, true) ? metadataUrl(resource) : ''),
    scopes_supported: options.scopes_supported ?? [],
    jwks: { max_age: 3600, stale_if_error: 3600, refetch_interval: 30, ...options.jwks },
    token_cache: token_cache ? { seconds: 60, entries: 1000, ...token_cache } : null,
    timeout_seconds: options.timeout_seconds ?? 5,
    // Looked up at each call, as a worker must call it and a test may replace it.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    now: options.now ?? (() => Math.floor(Date.now() / 1000)),
  }
  const { algorithms, realm, scopes_supported } = settings
  must(
    Array.isArray(algorithms) && algorithms.length > 0 && algorithms.every(isAlgorithm),
    'algorithms: list RS256, PS256, ES256 or EdDSA',
  )
  must(typeof realm === 'string' && /^[\x20-\x7e]+$/.test(realm), 'realm: give printable ASCII')
  must(
    Array.isArray(scopes_supported) && scopes_supported.every(isScope),
    'scopes_supported: give a list of scopes',
  )
  if (options.resource_metadata !== undefined)
    must(isAddress(options.resource_metadata, true), 'resource_metadata: give the URL of the document')
  if (settings.introspection) {
    const { client_id, client_secret, token_endpoint_auth_method: method } = settings.introspection
    must(isText(client_id), 'introspection.client_id: give the client_id of this service at the issuer')
    must(isText(client_secret), 'introspection.client_secret: give the secret of this service at the issuer')
    must(
      method === 'client_secret_basic' || method === 'client_secret_post',
      'introspection.token_endpoint_auth_method: give client_secret_basic or client_secret_post',
    )
    seconds('introspection.cache_seconds', settings.introspection.cache_seconds, [0, 300])
    seconds('introspection.cache_entries', settings.introspection.cache_entries, [1, 100_000])
  }
  if (settings.token_cache) {
    seconds('token_cache.seconds', settings.token_cache.seconds, [1, 300])
    seconds('token_cache.entries', settings.token_cache.entries, [1, 100_000])
  }
  seconds('clock_tolerance', settings.clock_tolerance, [0, 300])
  seconds('timeout_seconds', settings.timeout_seconds, [1, 60])
  seconds('jwks.max_age', settings.jwks.max_age, [1, 86_400])
  seconds('jwks.stale_if_error', settings.jwks.stale_if_error, [0, 86_400])
  seconds('jwks.refetch_interval', settings.jwks.refetch_interval, [1, 3600])
  if (faults.length > 0) throw new TypeError(`createResourceServer:\n  ${faults.join('\n  ')}`)
  return settings
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''

/** RFC 6749 §3.3. */
const isScope = (value: unknown): boolean =>
  typeof value === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(value)

/** RFC 8414 §2, RFC 9728 §1.2: no fragment, and an issuer has no query. */
function isAddress(value: unknown, query = false): boolean {
  if (typeof value !== 'string' || !URL.canParse(value) || /[\s"\\]/.test(value)) return false
  const url = new URL(value)
  const secure = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))
  const plain = !value.includes('#') && url.username === '' && url.password === ''
  return secure && plain && (query || !value.includes('?'))
}
