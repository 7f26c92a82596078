/** What every request goes through before and after it is answered: id, limits, log, metrics, trace. */

import { requestTarget } from '@ostiary/core'
import { type AddressForm, loggedAddress } from '../log/addresses.js'
import { errorFields, type Log } from '../log/log.js'
import type { HostMetrics } from '../metrics/host-metrics.js'
import type { Proxies } from '../network/client-address.js'
import { type Body, boundAnswer, type OpenAnswers, type RequestLimits, readBody } from './limits.js'
import type { RequestScopes } from './request-scope.js'
import { notFound, RefusedRequest, refused, serverError } from './responses.js'
import { CORS_ROUTES, methodLabel, type RouteLabel } from './route-labels.js'
import type { Connection } from './runtime.js'
import { type Tracing, traceIdOf } from './tracing.js'

export type RequestHandler = (request: Request, connection?: Connection) => Promise<Response>

/** A request whose body has arrived within the limits. */
export interface CheckedRequest {
  request: Request
  /** The path of its URL. */
  path: string
  /** The client's address, when it is known. */
  address: string | undefined
  body: Body
  request_id: string
}

export interface RequestHandlerOptions {
  log: Log
  metrics: HostMetrics
  scopes: RequestScopes
  /** How addresses are logged at this moment. */
  addresses: () => AddressForm
  limits: RequestLimits
  /** Takes each request for as long as it has no answer. */
  open: OpenAnswers
  proxies: Proxies
  routeOf: (pathname: string) => RouteLabel
  tracing: Tracing | null
  isStopping: () => boolean
  /** The issuer is https. */
  secure: boolean
  answer: (request: CheckedRequest) => Promise<Response>
  /** The host's own error as a page, for a browser that navigates. */
  errorPage: (request: Request, answer: Response) => Promise<Response>
}

/** RFC 6797, for a year. Without `includeSubDomains`: the server does not own the subdomains. */
const HSTS = 'max-age=31536000'

export function requestHandler(options: RequestHandlerOptions): RequestHandler {
  const { log, metrics, scopes, addresses, proxies, routeOf, tracing, isStopping, secure } = options
  return async (request, connection = {}) => {
    const started = performance.now()
    const { headers } = request
    const method = methodLabel(request.method)
    const trusted = proxies.trusts(connection.address)
    const request_id = (trusted && acceptableRequestId(headers.get('x-request-id'))) || crypto.randomUUID()
    const ambiguous = connection.ambiguous_path === true
    const path = ambiguous ? '' : pathOf(request.url)
    const { route, path: knownPath } = routeOf(path)
    const address = proxies.clientOf(connection.address, headers)
    let trace_id = traceIdOf(trusted ? headers : null)
    const run = async () => {
      if (ambiguous) return options.errorPage(request, notFound())
      return answerWithinLimits(options, { request, path, route, address, request_id })
    }
    const spanInput = { method, path: knownPath, route, request_id, headers: trusted ? headers : null }
    const traced = (id: string | null) => {
      trace_id = id ?? trace_id
      return run()
    }
    const response = await scopes.run({ request_id, route }, () =>
      tracing ? tracing(spanInput, traced) : run(),
    )
    const setHeader = connection.header ?? ((name, value) => response.headers.set(name, value))
    setHeader('x-request-id', request_id)
    if (secure) setHeader('strict-transport-security', HSTS)
    // The server closes the connection soon: the client must not send another request on it.
    if (isStopping()) setHeader('connection', 'close')
    const milliseconds = performance.now() - started
    const { status } = response
    metrics.countRequest({ route, method, status, seconds: milliseconds / 1000 })
    const duration_ms = Math.round(milliseconds * 100) / 100
    // No spread here: it costs a fifth of the introspections per second. A log line leaves out what is undefined.
    log.info('request', {
      method,
      route,
      path: knownPath ?? undefined,
      status,
      duration_ms,
      request_id,
      address: loggedAddress(address, addresses()),
      trace_id,
    })
    return response
  }
}

interface RoutedRequest {
  request: Request
  path: string
  route: string
  address: string | undefined
  request_id: string
}

async function answerWithinLimits(
  { log, metrics, limits, open, answer, errorPage }: RequestHandlerOptions,
  { request, path, route, address, request_id }: RoutedRequest,
): Promise<Response> {
  try {
    const body = await readBody(request, limits)
    const response = await boundAnswer(answer({ request, path, address, body, request_id }), {
      answer_ms: limits.answer_ms,
      open,
    })
    if (route === 'oidc.token' && response.status >= 400) await metrics.countTokenError(body, response)
    return response
  } catch (error) {
    if (error instanceof RefusedRequest)
      return errorPage(request, refused(error.refusal, CORS_ROUTES.has(route)))
    log.error('request failed', { request_id, route, ...errorFields(error) })
    return errorPage(request, serverError(CORS_ROUTES.has(route)))
  }
}

/** Empty for an invalid URL, which is then answered and logged like any other request to an unknown path. */
function pathOf(url: string): string {
  try {
    return requestTarget(url).pathname
  } catch {
    return ''
  }
}

/** The request id that a proxy sent, when it is safe in a log line and in a header. */
const acceptableRequestId = (id: string | null): string | null =>
  id !== null && /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(id) ? id : null
