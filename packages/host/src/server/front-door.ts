/** What every request goes through, whoever answers it: id, limits, log, metrics, trace. */

import { requestTarget } from '@ostiary/core'
import { errorFields, type Log } from '../log/log.js'
import type { HostMetrics } from '../metrics/host-metrics.js'
import type { Proxies } from '../network/client-address.js'
import { type Body, boundAnswer, type RequestLimits, readBody } from './limits.js'
import { notFound, RefusedRequest, refused, serverError } from './responses.js'
import { CORS_ROUTES, methodName, type NamedRoute } from './route-names.js'
import type { Connection } from './runtime.js'
import type { Tracing } from './tracing.js'

export type FrontDoor = (request: Request, connection?: Connection) => Promise<Response>

/** A request as whoever answers it is given it. */
export interface Entered {
  request: Request
  /** The path of its URL. */
  path: string
  /** The client's. */
  address: string | undefined
  body: Body
}

export interface DoorOptions {
  log: Log
  metrics: HostMetrics
  limits: RequestLimits
  proxies: Proxies
  routeOf: (pathname: string) => NamedRoute
  tracing: Tracing | null
  stopping: () => boolean
  /** The issuer is https. */
  secure: boolean
  answer: (entered: Entered) => Promise<Response>
}

/** RFC 6797, for a year. Without subdomains: those are not ours. */
const HSTS = 'max-age=31536000'

export function frontDoor(options: DoorOptions): FrontDoor {
  const { log, metrics, proxies, routeOf, tracing, stopping, secure } = options
  return async (request, connection = {}) => {
    const started = performance.now()
    const { headers } = request
    const method = methodName(request.method)
    const trusted = proxies.trusts(connection.address)
    const request_id = (trusted && saneRequestId(headers.get('x-request-id'))) || crypto.randomUUID()
    const ambiguous = connection.ambiguous_path === true
    const path = ambiguous ? '' : pathOf(request.url)
    const { route, path: shown } = routeOf(path)
    const run = async () => {
      if (ambiguous) return notFound()
      return answerSafely(options, { request, path, route, address: connection.address }, request_id)
    }
    const traced = { method, path: shown, route, request_id, headers: trusted ? headers : null }
    const response = await (tracing ? tracing(traced, run) : run())
    const header = connection.header ?? ((name, value) => response.headers.set(name, value))
    header('x-request-id', request_id)
    if (secure) header('strict-transport-security', HSTS)
    // The next request of this connection would come when nobody takes it any more.
    if (stopping()) header('connection', 'close')
    const ms = performance.now() - started
    const { status } = response
    metrics.countRequest({ route, method, status, seconds: ms / 1000 })
    const duration_ms = Math.round(ms * 100) / 100
    // No spread here: it costs a fifth of the introspections per second. A line leaves out what is undefined.
    log.info('request', { method, route, path: shown ?? undefined, status, duration_ms, request_id })
    return response
  }
}

interface Incoming {
  request: Request
  path: string
  route: string
  /** Of the connection's other end. */
  address: string | undefined
}

async function answerSafely(
  { log, metrics, limits, proxies, answer }: DoorOptions,
  { request, path, route, address }: Incoming,
  request_id: string,
): Promise<Response> {
  try {
    const client = proxies.clientOf(address, request.headers)
    const body = await readBody(request, limits)
    const response = await boundAnswer(answer({ request, path, address: client, body }), limits)
    if (route === 'oidc.token' && response.status >= 400) await metrics.countTokenError(body, response)
    return response
  } catch (error) {
    if (error instanceof RefusedRequest) return refused(error.refusal, CORS_ROUTES.has(route))
    log.error('request failed', { request_id, route, ...errorFields(error) })
    return serverError(CORS_ROUTES.has(route))
  }
}

/** Empty for what is no URL: then it is not looked at, but answered and logged like any other request. */
function pathOf(url: string): string {
  try {
    return requestTarget(url).pathname
  } catch {
    return ''
  }
}

/** A proxy's id for the request, when it is one that cannot upset a log or a header. */
const saneRequestId = (given: string | null): string | null =>
  given !== null && /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(given) ? given : null
