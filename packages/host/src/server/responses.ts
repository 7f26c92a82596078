/** The answers that the host gives itself. */

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  })
}

export interface Refusal {
  status: number
  error: string
  error_description: string
  headers?: Record<string, string>
}

/** The host refuses a request before, or instead of, the endpoint that it was sent to. */
export class RefusedRequest extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.error_description)
    this.name = 'RefusedRequest'
    this.refusal = refusal
  }
}

/** As core's error responses (packages/core/src/http/responses.ts). */
const ERROR_HEADERS = { 'x-content-type-options': 'nosniff', pragma: 'no-cache' }
const CORS = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'WWW-Authenticate' }

/** @param cors Whether pages of any origin may read the answers of the endpoint. */
export function refused({ status, headers, ...body }: Refusal, cors: boolean): Response {
  return json(status, body, { ...ERROR_HEADERS, ...(cors && CORS), ...headers })
}

const SERVER_ERROR: Refusal = {
  status: 500,
  error: 'server_error',
  error_description: 'Something went wrong on our side. Try again later.',
}

/** Nothing is answered from a database that was restored. */
export const RESTORED: Refusal = {
  status: 503,
  error: 'temporarily_unavailable',
  error_description: 'The server is not available at the moment. Try again in a minute.',
  headers: { 'retry-after': '60' },
}

/** A 500 that does not name the cause: the caller logs it. */
export const serverError = (cors = false): Response => refused(SERVER_ERROR, cors)

/** The answer to a bad request line, target or Host header. */
export const malformed = (): Response =>
  json(400, {
    error: 'invalid_request',
    error_description: 'The request line or the Host header is malformed',
  })

/** The same answer as the provider's to an unknown path. */
export const notFound = (): Response =>
  refused({ status: 404, error: 'not_found', error_description: 'There is nothing at this address' }, false)

/** The answer to GET, without its body to HEAD, and 405 to everything else. */
export async function readOnly(request: Request, answer: () => Promise<Response>): Promise<Response> {
  if (request.method === 'GET') return answer()
  if (request.method === 'HEAD') return new Response(null, await answer())
  const error_description = 'This address takes GET and HEAD'
  return json(405, { error: 'method_not_allowed', error_description }, { allow: 'GET, HEAD' })
}
