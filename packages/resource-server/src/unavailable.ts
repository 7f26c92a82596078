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

/** How long the guard writes nothing after a line: requests of strangers do not fill a log. */
const REPORT_INTERVAL_SECONDS = 60
/** What an issuer has sent may be in a reason. */
const MAX_REASON_CHARACTERS = 500

/**
 * What happens without the option `on_unavailable`: the reason is written to standard error, at most once a minute.
 * @param now The time in epoch seconds.
 */
export function unavailableReport(now: () => number): (error: IssuerUnavailableError) => void {
  let last = Number.NEGATIVE_INFINITY
  return ({ reason }) => {
    // Also after a clock that was set back.
    if (Math.abs(now() - last) < REPORT_INTERVAL_SECONDS) return
    last = now()
    const line = reason.slice(0, MAX_REASON_CHARACTERS).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
    console.error(`@ostiary/resource-server: requests get 503. ${line}`)
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
