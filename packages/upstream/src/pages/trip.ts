/**
 * A round trip to another provider. It is no stored record: the browser keeps it in sealed cookies, so that what a stranger begins and
 * never ends takes no storage.
 */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Visit } from '@ostiary/identity'
import type { TripSecrets } from '../ways.js'

/** In seconds. */
const TRIP_SECONDS = 600

/** What the round trip is for: a sign-in, a link of the signed-in user, or a proof of theirs. */
export type TripPurpose =
  | { kind: 'sign_in'; return_to: string }
  | { kind: 'link' | 'confirm'; sid: string; sub: string; credential_version: number }

export interface Trip {
  /** Claimed at the end, so that what a browser brings back counts once. */
  id: string
  upstream: string
  secrets: TripSecrets
  purpose: TripPurpose
  /** Epoch seconds. */
  expires_at: number
}

/** What the first cookie holds. */
interface Sealed extends Trip {
  /** The SHA-256 of the `return_to`: the second cookie is not sealed. Null without one. */
  return_to_hash: string | null
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()
const hashOf = (text: string): string => sha256(text).toString('base64url')

const cookieOf = ({ cookie }: Visit) => cookie('ostiary_upstream', /^[\w-]+$/)
/** The `return_to` of a request can be as long as a cookie may be: it has one of its own, and the rest is sealed. */
const targetOf = ({ cookie }: Visit) => cookie('ostiary_upstream_to', /^[\w./?=&%~:+-]+$/)
const MAX_TARGET_CHARACTERS = 3_500

/** The cookies to set. */
export function writeTrip(c: Visit, trip: Pick<Trip, 'upstream' | 'secrets' | 'purpose'>): string[] {
  const { now } = c
  const id = randomBytes(16).toString('base64url')
  const { purpose } = trip
  const return_to_hash = purpose.kind === 'sign_in' ? hashOf(purpose.return_to) : null
  const sealed: Sealed = { ...trip, id, return_to_hash, expires_at: now() + TRIP_SECONDS }
  if (purpose.kind !== 'sign_in') return [cookieOf(c).write(c.seal(sealed), TRIP_SECONDS)]
  const beginning = purpose.return_to.slice(0, MAX_TARGET_CHARACTERS)
  const return_to = purpose.return_to.slice(MAX_TARGET_CHARACTERS)
  const value = c.seal({ ...sealed, purpose: { ...purpose, return_to } })
  return [cookieOf(c).write(value, TRIP_SECONDS), targetOf(c).write(beginning, TRIP_SECONDS)]
}

/** The round trip that this browser has begun to this provider, and that the answer belongs to; null for each other answer. */
export function readTrip(c: Visit, upstream: string): Trip | null {
  const text = cookieOf(c).read()
  const opened = text === null ? null : c.open(text)
  if (opened === null) return null
  const { return_to_hash, ...trip } = opened as Sealed
  const states = new URL(c.request.url).searchParams.getAll('state')
  const is_answered =
    states.length === 1 && timingSafeEqual(sha256(states[0] ?? ''), sha256(trip.secrets.state))
  if (trip.upstream !== upstream || !is_answered || c.now() >= trip.expires_at) return null
  if (trip.purpose.kind !== 'sign_in') return trip
  const return_to = (targetOf(c).read() ?? '') + trip.purpose.return_to
  return hashOf(return_to) === return_to_hash ? { ...trip, purpose: { ...trip.purpose, return_to } } : null
}

/** The cookies that end it. */
export const endTrip = (c: Visit): string[] => [cookieOf(c).write('', 0), targetOf(c).write('', 0)]
