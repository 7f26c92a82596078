/** What every request goes through, whoever answers it: id, limits, log, metrics, trace. */

import type { Proxies } from './addresses.js'
import { boundAnswer, boundBody, type RequestLimits } from './limits.js'
import { errorFields, type Log } from './log.js'
import type { HostMetrics } from './metrics/host-metrics.js'
import { serverError } from './responses.js'
import type { Tracing } from './tracing.js'

export type FrontDoor = (request: Request, info?: { address?: string | undefined }) => Promise<Response>

export interface DoorOptions {
  log: Log
  metrics: HostMetrics
  limits: RequestLimits
  proxies: Proxies
  /** One of a fixed list of names. */
  routeOf: (pathname: string) => string
  tracing: Tracing | null
  stopping: () => boolean
  answer: (request: Request, address: string | undefined) => Promise<Response>
}

export function frontDoor(options: DoorOptions): FrontDoor {
  const { log, metrics, proxies, routeOf, tracing, stopping } = options
  return async (request, info = {}) => {
    const started = performance.now()
    const { method, headers } = request
    const trusted = proxies.trusts(info.address)
    const request_id = (trusted && saneRequestId(headers.get('x-request-id'))) || crypto.randomUUID()
    const path = pathOf(request)
    const route = routeOf(path)
    const shown = { method, path: shortened(path) }
    const run = () =>
      answerSafely(options, { request, route, address: info.address }, { request_id, ...shown })
    const traced = { ...shown, route, request_id, headers: trusted ? headers : null }
    const response = await (tracing ? tracing(traced, run) : run())
    response.headers.set('x-request-id', request_id)
    // The next request of this connection would come when nobody takes it any more.
    if (stopping()) response.headers.set('connection', 'close')
    const ms = performance.now() - started
    const { status } = response
    metrics.answered({ route, method, status, seconds: ms / 1000 })
    log.info('request', { ...shown, status, duration_ms: Math.round(ms * 100) / 100, request_id })
    return response
  }
}

interface Incoming {
  request: Request
  route: string
  /** Of the connection's other end. */
  address: string | undefined
}

async function answerSafely(
  { log, metrics, limits, proxies, answer }: DoorOptions,
  { request, route, address }: Incoming,
  shown: { request_id: string; method: string; path: string },
): Promise<Response> {
  try {
    const client = proxies.clientOf(address, request.headers.get('x-forwarded-for'))
    const bounded = await boundBody(request, limits)
    if (bounded instanceof Response) return bounded
    const response = await boundAnswer(answer(bounded.request, client), limits)
    if (route === 'oidc.token' && request.method === 'POST')
      await metrics.tokenAnswered(bounded.body, response)
    return response
  } catch (error) {
    log.error('request failed', { request_id: shown.request_id, path: shown.path, ...errorFields(error) })
    return serverError()
  }
}

/** Empty for what is no URL: then it is not looked at, but answered and logged like any other request. */
function pathOf({ url }: Request): string {
  return URL.canParse(url) ? new URL(url).pathname : ''
}

/** A proxy's id for the request, when it is one that cannot upset a log or a header. */
const saneRequestId = (given: string | null): string | null =>
  given !== null && /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(given) ? given : null

const shortened = (path: string): string => (path.length > 256 ? `${path.slice(0, 256)}…` : path)
