/** The host's own answers. */

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  })
}

/** Says nothing about what happened: that is for the log. */
export const serverError = (): Response =>
  json(500, {
    error: 'server_error',
    error_description: 'Something went wrong on our side. Try again later.',
  })

/** To what is no HTTP request: a bad request line, target or Host header. */
export const malformed = (): Response =>
  json(400, {
    error: 'invalid_request',
    error_description: 'The request line or the Host header is malformed',
  })

/** The answer to GET, without its body to HEAD, and 405 to everything else. */
export async function readOnly(request: Request, answer: () => Promise<Response>): Promise<Response> {
  if (request.method === 'GET') return answer()
  if (request.method === 'HEAD') return new Response(null, await answer())
  const error_description = 'This address takes GET and HEAD'
  return json(405, { error: 'method_not_allowed', error_description }, { allow: 'GET, HEAD' })
}
