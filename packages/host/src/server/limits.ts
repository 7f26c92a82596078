/** Every request is bounded: so much body, so soon, and an answer in time. */

import { readBodyBytes } from '@ostiary/core'
import { RefusedRequest } from './responses.js'
import { LIMITS } from './runtime.js'

/** What a request may take. */
export interface RequestLimits {
  /** The most that a body may have; more is 413. */
  body_bytes: number
  /** Milliseconds. */
  body_ms: number
  /** Milliseconds until an answer must be there; then 503 stands in for it. */
  answer_ms: number
}

export const REQUEST_LIMITS: RequestLimits = LIMITS

/** Null: there is none. */
export type Body = Uint8Array<ArrayBuffer> | null

/** Reads the body ahead. @throws RefusedRequest: it is too large, too slow or incomplete. */
export async function readBody(request: Request, limits: RequestLimits): Promise<Body> {
  if (request.method === 'GET' || request.method === 'HEAD') return null
  const reading = readBodyBytes(request, limits.body_bytes).catch((): typeof GONE => GONE)
  const body = await timed(limits.body_ms, reading)
  // The client has left in the middle of it, and reads this only if a proxy stands between.
  if (body === GONE) throw refusedBody(400, 'The body of the request is incomplete')
  if (body === LATE) throw refusedBody(408, 'The body of the request came too slowly')
  if (body === 'too_large') throw refusedBody(413, 'The body of the request is too large')
  return body
}

/** The answer. What comes of a later one is dropped. @throws RefusedRequest (503): there is none in time. */
export async function boundAnswer(
  answer: Promise<Response>,
  { answer_ms }: RequestLimits,
): Promise<Response> {
  const found = await timed(answer_ms, answer)
  if (found !== LATE) return found
  throw new RefusedRequest({
    status: 503,
    error: 'temporarily_unavailable',
    error_description: 'The server did not get an answer ready in time. Try again later.',
    headers: { 'retry-after': '10' },
  })
}

const LATE = Symbol('late')
const GONE = Symbol('gone')

interface Wait {
  /** On the clock of `performance`. */
  until: number
  late: () => void
}

/** By their milliseconds, oldest first: those of one length become late in the order in which they came. */
const waits = new Map<number, Set<Wait>>()

/** What comes of the work, or LATE. All waits of one length share a timer: one for each costs more than many a request. */
function timed<T>(ms: number, work: Promise<T>): Promise<T | typeof LATE> {
  const known = waits.get(ms)
  const waiting = known ?? new Set<Wait>()
  if (!known) {
    waits.set(ms, waiting)
    look(ms, waiting, ms)
  }
  return new Promise((resolve, reject) => {
    const wait = { until: performance.now() + ms, late: () => resolve(LATE) }
    waiting.add(wait)
    work.then(
      (value) => {
        waiting.delete(wait)
        resolve(value)
      },
      (cause: unknown) => {
        waiting.delete(wait)
        reject(cause)
      },
    )
  })
}

/** Later, who is late; as long as there is anybody. */
function look(ms: number, waiting: Set<Wait>, after: number): void {
  setTimeout(() => {
    const now = performance.now()
    for (const wait of waiting) {
      if (wait.until > now) return look(ms, waiting, wait.until - now)
      waiting.delete(wait)
      wait.late()
    }
    waits.delete(ms)
  }, after).unref()
}

/** What is left of the body is not read, so the connection is of no use any more. */
const CLOSE = { connection: 'close' }
const refusedBody = (status: number, error_description: string) =>
  new RefusedRequest({ status, error: 'invalid_request', error_description, headers: CLOSE })
