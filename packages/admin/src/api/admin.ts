/** createAdmin(): the admin API behind one `fetch`. */

import { type Management, type OidcEvent, type Provider, sha256, type Throttle } from '@ostiary/core'
import type { UserStore } from '@ostiary/identity'
import { ADMIN_SCOPES, adminResource, resourceKeys } from '../resource.js'
import { decide, scopeOf } from '../roles/decide.js'
import type { Area } from '../roles/rights.js'
import type { RecordsChange } from '../roles/role-changes.js'
import { isKnownRealm, type KnownRealms, type RoleStore } from '../roles/role-store.js'
import { ADMIN_PATH, type AdminSettings } from '../settings.js'
import { type AuthenticatedCaller, authenticator, realmOf } from './authenticate.js'
import { cursorKey } from './cursor.js'
import type { AuditRows } from './describedby.js'
import { problemOf } from './failure.js'
import type {
  Answer,
  Call,
  ConfiguredEntries,
  Operation,
  PasswordSettings,
  UserFunctions,
} from './operation.js'
import { allOperations, type Further } from './operations.js'
import type { OpenParts } from './parts.js'
import { HEADERS, notFound, ProblemError, problemResponse } from './problem.js'
import { readGiven } from './read-request.js'
import { notingRefusals } from './refused.js'
import { type Match, router } from './routes.js'
import { runOperation } from './run-operation.js'

/** Writes the rows of changes: `Audit` of `@ostiary/audit`. */
export interface AdminAudit {
  /** The rows: the answer to a write names its own. */
  store: AuditRows
  /** Of one caller, and of one request. */
  as(
    actor: string,
    request_id: string,
  ): RecordsChange & {
    management(realm: string, management: Management): Management
    users(realm: string): UserStore
  }
}

interface FurtherOperation {
  id: string
  path: string
  run(call: never, given: never): Promise<object>
}

/** The options of `createAdmin`. */
export interface AdminOptions {
  settings: AdminSettings
  /** The origin of the server: that of the issuer. */
  origin: string
  /** Whether realms are in the paths, so that the issuer of the admin realm has a path of its own. */
  by_path: boolean
  /** The realms that can be administered. */
  realms: KnownRealms
  /** Without an audit: `audit` writes the rows. Its `oidc` has been through `withAdminResource`. */
  provider: Provider
  roles: RoleStore
  users: (realm: string) => UserStore
  /** Of `@ostiary/identity`. */
  identity: UserFunctions
  /** Of a realm. */
  passwords: (realm: string) => Promise<PasswordSettings>
  audit: AdminAudit | null
  /** What the operations on ways to sign in, limits and the audit use. */
  parts: OpenParts
  /** Those of other packages, such as `realmOperations`. A function gets what they are made of. */
  operations?: readonly (FurtherOperation | ((kit: never) => readonly FurtherOperation[]))[]
  /** What the configuration names in a realm, and changes itself. */
  configured: (realm: string) => ConfiguredEntries
  /** The counters of the admin realm. */
  throttle: Throttle
  /** Of the server: at least 32 characters. */
  secret: string
  /** Epoch seconds. */
  now?: () => number
  /** Milliseconds after which an answer that is not ready is a 503; 5000 when absent. */
  answer_ms?: number
  on_event?: (event: OidcEvent) => void
  /** Told of each failure. */
  failed?: (cause: unknown, request_id: string) => void
  /** Whether a failure is temporary: the answer is then 503. */
  unavailable?: (cause: unknown) => boolean
}

/** What the host knows of a request. */
export interface AdminRequest {
  /** The body, read already; null for none. */
  body?: Uint8Array | null
  request_id?: string
}

/** The admin API. */
export interface Admin {
  /** Whether it answers at this path. */
  owns(pathname: string): boolean
  /** Answers a request to one of its paths. It never throws. */
  fetch(request: Request, info?: AdminRequest): Promise<Response>
}

/** Requests of a caller in a minute. */
const MAX_REQUESTS = 600
const MINUTE = 60
/** Milliseconds. */
const ANSWER_MS = 5000

const metadataPath = `/.well-known/oauth-protected-resource${ADMIN_PATH}`
const DOCUMENT_PATH = `${ADMIN_PATH}/openapi.json`

/**
 * The admin API.
 *
 * @example
 * ```ts
 * import { type AdminOptions, createAdmin } from '@ostiary/admin'
 *
 * export const administration = (options: AdminOptions) => createAdmin(options).fetch
 * ```
 */
export function createAdmin(options: AdminOptions): Admin {
  const { by_path, answer_ms = ANSWER_MS, failed, unavailable } = options
  const answer = answerer(options)
  return {
    owns: (pathname) =>
      pathname === ADMIN_PATH ||
      pathname.startsWith(`${ADMIN_PATH}/`) ||
      (by_path && pathname === metadataPath),
    async fetch(request, { body, request_id = crypto.randomUUID() } = {}) {
      try {
        return await inTime(answer(request, { body, request_id }), answer_ms)
      } catch (error) {
        const problem = problemOf(error) ?? failure(error)
        return problemResponse(problem.code, problem.details, request_id)
      }
      function failure(cause: unknown): ProblemError {
        failed?.(cause, request_id)
        if (unavailable?.(cause)) return new ProblemError('unavailable', 'Try again in a minute')
        return new ProblemError('server_error', 'Tell the operator the request_id')
      }
    },
  }
}

type Seen = { body: Uint8Array | null | undefined; request_id: string }

function answerer(options: AdminOptions): (request: Request, seen: Seen) => Promise<Response> {
  const { settings, origin, by_path, provider, roles, throttle, now = seconds } = options
  const uri = adminResource(origin)
  const key = resourceKeys(origin, by_path)[0] ?? uri
  const authenticate = authenticator({
    provider,
    settings,
    resource: { uri, key, is_external: by_path },
    metadata_url: origin + metadataPath,
  })
  // The tests compare their type.
  const operations = allOperations(options.operations as readonly Further[] | undefined)
  const route = router(operations)
  const callOf = caller(options)
  return async (request, seen) => {
    const { pathname } = new URL(request.url)
    if (pathname === metadataPath) return metadata(options, uri)
    if (pathname === DOCUMENT_PATH && request.method === 'GET') return document(operations, uri)
    const by = await authenticate(request)
    const hits = await throttle.hit(`admin:${sha256(by.holder)}`, MINUTE, now())
    if (hits > MAX_REQUESTS) throw tooMany(now())
    const matches = route(pathname.slice(ADMIN_PATH.length))
    const match = methodOf(matches, request.method)
    const held = await roles.of(settings.realm, by.holder)
    const realm = await requireRight(options, match, { by, roles: held })
    const given = await readGiven(match.operation, request, seen.body)
    const also = match.operation.also?.(given.body as never)
    if (also) await requireRight(options, { ...match, area: also }, { by, roles: held })
    const call = await callOf({ request, realm, match, caller: { holder: by.holder, roles: held } }, seen)
    const { request_id } = seen
    const run = () => runOperation(options, call, { ...match, given, request_id })
    return responseOf(await notingRefusals(call, { id: match.operation.id, throttle }, run), by)
  }
}

const seconds = (): number => Math.floor(Date.now() / 1000)

const tooMany = (now: number): ProblemError =>
  new ProblemError('too_many_requests', {
    detail: `A caller sends at most ${MAX_REQUESTS} requests a minute`,
    headers: { 'retry-after': String(MINUTE - (now % MINUTE)) },
  })

/** @throws ProblemError 404, 405 */
function methodOf(matches: readonly Match[], method: string): Match {
  const match = matches.find(({ operation }) => operation.method === method)
  if (match) return match
  if (matches.length === 0) throw notFound()
  const allow = matches.map(({ operation }) => operation.method).join(', ')
  throw new ProblemError('method_not_allowed', { detail: `Here are ${allow}`, headers: { allow } })
}

/** The realm of the operation, in which the caller may do it. @throws ProblemError 401, 403, 404 */
async function requireRight(
  { realms, settings }: AdminOptions,
  { operation, params, area = operation.area }: Match & { area?: Area },
  { by, roles }: { by: AuthenticatedCaller; roles: Call['caller']['roles'] },
): Promise<string> {
  const { access, of_server } = operation
  const realm = params.realm ?? (of_server ? null : '')
  const decision = decide({ area, access, realm }, { scopes: by.scopes, roles })
  if (decision === 'missing_role') throw notFound()
  // What is of the server says itself what is there.
  if (!(of_server || (await isKnownRealm(realms, realm ?? '')))) throw notFound()
  by.requireScope(scopeOf(area, access))
  by.requireFreshness(operation)
  return of_server ? settings.realm : (realm ?? '')
}

interface Calling {
  request: Request
  realm: string
  match: Match
  caller: Call['caller']
}

function caller(options: AdminOptions): (calling: Calling, seen: Seen) => Promise<Call> {
  const { settings, origin, by_path, provider, roles, users, identity, now = seconds } = options
  const cursor = cursorKey(options.secret)
  const resource = resourceKeys(origin, by_path)
  return async ({ request, realm, match, caller: by }, { request_id }) => {
    const plans = await provider.manage(realm, { request_id })
    const audit = options.audit?.as(by.holder, request_id) ?? null
    return {
      request,
      realm,
      admin_realm: settings.realm,
      realms: options.realms,
      resource,
      params: match.params,
      caller: by,
      plans,
      management: audit?.management(realm, plans) ?? plans,
      users: audit?.users(realm) ?? users(realm),
      identity,
      passwords: () => options.passwords(realm),
      parts: async (plan) => options.parts(realm, { actor: by.holder, request_id, ...(plan && { plan }) }),
      audit,
      roles,
      configured: options.configured(realm),
      cursor,
      is_planned: false,
      plan: null,
      now: now(),
      emit: (event) => options.on_event?.({ time: now(), realm, request_id, ...event }),
    }
  }
}

function responseOf({ status = 200, body, headers }: Answer, { dpop_nonce }: AuthenticatedCaller): Response {
  const common = { ...HEADERS, ...headers, ...(dpop_nonce !== null && { 'dpop-nonce': dpop_nonce }) }
  if (body === undefined) return new Response(null, { status, headers: common })
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...common },
  })
}

/** The metadata of the resource (RFC 9728): where realms are in the paths, the provider has no such address. */
async function metadata({ provider, settings }: AdminOptions, resource: string): Promise<Response> {
  const { issuer } = await realmOf(provider, settings.realm)
  const body = {
    resource,
    authorization_servers: [issuer],
    scopes_supported: ADMIN_SCOPES,
    bearer_methods_supported: ['header'],
  }
  return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })
}

async function document(operations: readonly Operation[], server: string): Promise<Response> {
  const { openApi } = await import('./openapi.js')
  const headers = { ...HEADERS, 'content-type': 'application/json' }
  return new Response(JSON.stringify(openApi(operations, server)), { headers })
}

/** @throws ProblemError 503; the work goes on. */
async function inTime(work: Promise<Response>, within_ms: number): Promise<Response> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    const problem = new ProblemError('unavailable', 'The answer was not ready in time: read what was done')
    timer = setTimeout(() => reject(problem), within_ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
