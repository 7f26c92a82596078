/** Limits of every request: the size of its body, the time for the body, and the time to the answer. */

import { readBodyBytes } from '@ostiary/core'
import { inTurns } from '@ostiary/resource-server/turns'
import type { OpenList } from '../values/open-list.js'
import { TIMED_OUT, withDeadline } from './deadline.js'
import { RefusedRequest } from './responses.js'
import { LIMITS } from './runtime.js'

/** What a request may take. */
export interface RequestLimits {
  /** The largest body; a larger one is refused with 413. */
  body_bytes: number
  /** Milliseconds until the body must have arrived; then 408. */
  body_ms: number
  /** Milliseconds until the request must be answered; then 503. */
  answer_ms: number
}

export const REQUEST_LIMITS: RequestLimits = LIMITS

/** The largest body of which several are handled in one turn of the event loop. */
const LARGE_BODY_BYTES = 8 * 1024

// Otherwise 12 connections that send forms of 64 KiB would quadruple the median time of all other requests.
const inTurnOfItsOwn = inTurns((body: Uint8Array<ArrayBuffer>) => body, 0)

/** Null where the request has none. */
export type Body = Uint8Array<ArrayBuffer> | null

/**
 * Reads the body before the request is handled.
 * @throws RefusedRequest when it is too large, too slow or incomplete.
 */
export async function readBody(request: Request, limits: RequestLimits): Promise<Body> {
  if (request.method === 'GET' || request.method === 'HEAD') return null
  const reading = readBodyBytes(request, limits.body_bytes).catch(() => 'incomplete' as const)
  const body = await withDeadline(limits.body_ms, reading)
  // The client closed the connection while it sent the body: only a proxy in between reads this answer.
  if (body === 'incomplete') throw refusedBody(400, 'The body of the request is incomplete')
  if (body === TIMED_OUT) throw refusedBody(408, 'The body of the request came too slowly')
  if (body === 'too_large') throw refusedBody(413, 'The body of the request is too large')
  return body !== null && body.byteLength > LARGE_BODY_BYTES ? inTurnOfItsOwn(body) : body
}

/** The requests without an answer, each with a function that answers it with 503. */
export type OpenAnswers = OpenList<() => void>

export interface AnswerLimits extends Pick<RequestLimits, 'answer_ms'> {
  /** Takes the request for as long as it has no answer. */
  open?: OpenAnswers
}

const STOPPED = Symbol('stopped')

/**
 * The answer; one that comes after the limit is dropped.
 * @throws RefusedRequest (503) when there is none in time.
 */
export async function boundAnswer(
  answer: Promise<Response>,
  { answer_ms, open }: AnswerLimits,
): Promise<Response> {
  let stop = () => {}
  const first = new Promise<Response | typeof STOPPED>((resolve, reject) => {
    stop = () => resolve(STOPPED)
    answer.then(resolve, reject)
  })
  const close = open?.add(stop)
  try {
    const response = await withDeadline(answer_ms, first)
    if (response === STOPPED) throw unanswered('The server is stopping. Try again.', '1')
    if (response !== TIMED_OUT) return response
    throw unanswered('The server did not get an answer ready in time. Try again later.', '10')
  } finally {
    close?.()
  }
}

const unanswered = (error_description: string, retry_after: string) =>
  new RefusedRequest({
    status: 503,
    error: 'temporarily_unavailable',
    error_description,
    headers: { 'retry-after': retry_after },
  })

/** The rest of the body is not read, so the connection cannot be used for another request. */
const CLOSE_CONNECTION = { connection: 'close' }
const refusedBody = (status: number, error_description: string) =>
  new RefusedRequest({ status, error: 'invalid_request', error_description, headers: CLOSE_CONNECTION })
