/** The host's own answers. */

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

/** The host refuses a request itself, before or instead of the endpoint that it was for. */
export class RefusedRequest extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.error_description)
    this.name = 'RefusedRequest'
    this.refusal = refusal
  }
}

/** The headers that errors of the provider have (packages/core/src/responses.ts). */
const LIKE_AN_ENDPOINT = { 'x-content-type-options': 'nosniff', pragma: 'no-cache' }
const CORS = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'WWW-Authenticate' }

/** @param cors The request was for an endpoint whose answers pages of any origin may read. */
export function refused({ status, headers, ...body }: Refusal, cors: boolean): Response {
  return json(status, body, { ...LIKE_AN_ENDPOINT, ...(cors && CORS), ...headers })
}

const SERVER_ERROR: Refusal = {
  status: 500,
  error: 'server_error',
  error_description: 'Something went wrong on our side. Try again later.',
}

/** Says nothing about what happened: that is for the log. */
export const serverError = (cors = false): Response => refused(SERVER_ERROR, cors)

/** To what is no HTTP request: a bad request line, target or Host header. */
export const malformed = (): Response =>
  json(400, {
    error: 'invalid_request',
    error_description: 'The request line or the Host header is malformed',
  })

/** As the provider answers an unknown path. */
export const notFound = (): Response =>
  refused({ status: 404, error: 'not_found', error_description: 'There is nothing at this address' }, false)

/** The answer to GET, without its body to HEAD, and 405 to everything else. */
export async function readOnly(request: Request, answer: () => Promise<Response>): Promise<Response> {
  if (request.method === 'GET') return answer()
  if (request.method === 'HEAD') return new Response(null, await answer())
  const error_description = 'This address takes GET and HEAD'
  return json(405, { error: 'method_not_allowed', error_description }, { allow: 'GET, HEAD' })
}
