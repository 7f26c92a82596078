/** The issuer could not be asked: nothing is known about the token, so it is neither accepted nor refused. */

/** Seconds. As long as a failed attempt is remembered, so a client that comes back then meets a new one. */
export const RETRY_AFTER = 5

/** `reason` is for logs, never for the wire. */
export class IssuerUnavailableError extends Error {
  readonly reason: string

  constructor(reason: string, cause?: unknown) {
    super(`The issuer could not be asked: ${reason}`, cause === undefined ? undefined : { cause })
    this.name = 'IssuerUnavailableError'
    this.reason = reason
  }
}

/** 503 with `Retry-After`: the same request may pass in a moment. */
export const unavailable = (): Response =>
  new Response('{"error":"temporarily_unavailable"}', {
    status: 503,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'retry-after': String(RETRY_AFTER),
    },
  })
