/** The response while the issuer is unavailable: the token is neither accepted nor refused. */

/** How long no request is sent after a failed one to the issuer; also the `Retry-After` of the 503 response. */
export const RETRY_AFTER_SECONDS = 5

/** The issuer did not respond as needed. `reason` is for logs; it is not sent to the client. */
export class IssuerUnavailableError extends Error {
  readonly reason: string

  constructor(reason: string, cause?: unknown) {
    super(`The issuer is unavailable: ${reason}`, cause === undefined ? undefined : { cause })
    this.name = 'IssuerUnavailableError'
    this.reason = reason
  }
}

/** 503 with `Retry-After`: the same request may succeed later. */
export const unavailable = (): Response =>
  new Response('{"error":"temporarily_unavailable"}', {
    status: 503,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'retry-after': String(RETRY_AFTER_SECONDS),
    },
  })
