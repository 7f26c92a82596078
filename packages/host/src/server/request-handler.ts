/** What every request goes through before and after it is answered: id, limits, log, metrics, trace. */

import { requestTarget } from '@ostiary/core'
import { challengesOf } from '@ostiary/resource-server'
import { type AddressForm, loggedAddress } from '../log/addresses.js'
import { errorFields, type Log } from '../log/log.js'
import type { HostMetrics } from '../metrics/host-metrics.js'
import type { Proxies, RequestSender } from '../network/client-address.js'
import { type Body, boundAnswer, type OpenAnswers, type RequestLimits, readBody } from './limits.js'
import type { RequestScopes } from './request-scope.js'
import { notFound, RefusedRequest, refused, serverError } from './responses.js'
import { methodLabel, type RouteLabel } from './route-labels.js'
import type { Connection, Handler } from './runtime.js'
import { type Tracing, traceIdOf } from './tracing.js'

export type RequestHandler = (request: Request, connection?: Connection) => ReturnType<Handler>

/** A request whose body has arrived within the limits. */
export interface CheckedRequest {
  request: Request
  /** The path of its URL. */
  path: string
  sender: RequestSender
  body: Body
  request_id: string
  /** It came to the port of `admin.listen`. */
  admin_port: boolean
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
  /** The answer with a document that is in memory; null when only `answer` can tell it. */
  documentOf: (request: Request) => Response | null
  /** The host's own error as a page, for a browser that navigates. */
  errorPage: (request: Request, answer: Response, request_id: string) => Promise<Response>
}

/** RFC 6797, for a year. Without `includeSubDomains`: the server does not own the subdomains. */
const HSTS = 'max-age=31536000'

export function requestHandler(options: RequestHandlerOptions): RequestHandler {
  return (request, connection = {}) => {
    const seen = received(options, request, connection)
    const at_once = options.tracing === null && !connection.admin_port
    const document = at_once && seen.label.document && options.documentOf(request)
    // At once: the promises on the way of other requests take as long as a document.
    return document ? finished(options, seen, document) : answered(options, seen)
  }
}

/** A request, and what is known of it before it is answered. */
interface ReceivedRequest {
  request: Request
  connection: Connection
  /** Milliseconds, on the clock of `performance`. */
  started: number
  /** Whether its headers come from a trusted proxy. */
  trusted: boolean
  request_id: string
  method: string
  label: RouteLabel
  /** Empty where it is invalid or ambiguous. */
  path: string
  sender: RequestSender
  trace_id: string | undefined
}

function received(
  { proxies, routeOf }: RequestHandlerOptions,
  request: Request,
  connection: Connection,
): ReceivedRequest {
  const started = performance.now()
  const { headers } = request
  const trusted = proxies.trusts(connection.address)
  const request_id = (trusted && acceptableRequestId(headers.get('x-request-id'))) || crypto.randomUUID()
  const path = connection.ambiguous_path === true ? '' : pathOf(request.url)
  return {
    request,
    connection,
    started,
    trusted,
    request_id,
    method: methodLabel(request.method),
    label: routeOf(path),
    path,
    sender: proxies.senderOf(connection.address, headers),
    trace_id: traceIdOf(trusted ? headers : null),
  }
}

async function answered(options: RequestHandlerOptions, seen: ReceivedRequest): Promise<Response> {
  const { scopes, tracing } = options
  const { request, request_id, trusted } = seen
  const { route, path } = seen.label
  const run = () =>
    seen.connection.ambiguous_path === true ? Promise.resolve(notFound()) : answerWithinLimits(options, seen)
  const traced = (id: string | null) => {
    seen.trace_id = id ?? seen.trace_id
    return run()
  }
  const headers = trusted ? request.headers : null
  const span = { method: seen.method, path, route, request_id, headers }
  const response = await scopes.run({ request_id, route }, () => (tracing ? tracing(span, traced) : run()))
  return finished(options, seen, response)
}

/** Adds the headers of every answer, logs the request and counts it. */
function finished(
  { log, metrics, addresses, isStopping, secure }: RequestHandlerOptions,
  seen: ReceivedRequest,
  response: Response,
): Response {
  const { method, request_id } = seen
  const { route, path } = seen.label
  const { header } = seen.connection
  if (header) separateChallenges(response, header)
  const setHeader = header ?? ((name: string, value: string) => response.headers.set(name, value))
  setHeader('x-request-id', request_id)
  if (secure) setHeader('strict-transport-security', HSTS)
  // The server closes the connection soon: the client must not send another request on it.
  if (isStopping()) setHeader('connection', 'close')
  const milliseconds = performance.now() - seen.started
  const { status } = response
  metrics.countRequest({ route, method, status, seconds: milliseconds / 1000 })
  const duration_ms = Math.round(milliseconds * 100) / 100
  // No spread here: it costs a fifth of the introspections per second. A log line leaves out what is undefined.
  log.info('request', {
    method,
    route,
    path: path ?? undefined,
    status,
    duration_ms,
    request_id,
    // What a peer claims is not logged.
    address: loggedAddress(seen.sender.peer === undefined ? seen.sender.address : null, addresses()),
    trace_id: seen.trace_id,
  })
  return response
}

/** Sends each challenge as a header of its own: simple clients read only the first scheme of one (RFC 9110 §11.6.1). */
function separateChallenges(response: Response, header: NonNullable<Connection['header']>): void {
  const challenges = response.status < 400 ? [] : challengesOf(response)
  if (challenges.length < 2) return
  response.headers.delete('www-authenticate')
  header('www-authenticate', challenges)
}

async function answerWithinLimits(
  { log, metrics, limits, open, answer, errorPage }: RequestHandlerOptions,
  { request, connection, path, label, sender, request_id }: ReceivedRequest,
): Promise<Response> {
  const { admin_port = false } = connection
  try {
    const body = await readBody(request, limits)
    const response = await boundAnswer(answer({ request, path, sender, body, request_id, admin_port }), {
      answer_ms: limits.answer_ms,
      open,
    })
    if (label.route === 'oidc.token' && response.status >= 400) await metrics.countTokenError(body, response)
    return response
  } catch (error) {
    if (error instanceof RefusedRequest)
      return errorPage(request, refused(error.refusal, label.cors), request_id)
    log.error('request failed', { request_id, route: label.route, ...errorFields(error) })
    return errorPage(request, serverError(label.cors), request_id)
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
