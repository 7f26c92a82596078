/**
 * A round trip to another provider. It is no stored record: the browser keeps it in sealed cookies, so that what a stranger begins and
 * never ends takes no storage.
 */

import { randomBytes } from 'node:crypto'
import { sha256 } from '@ostiary/core'
import { pageCookie } from '../../web/cookies.js'
import { constantTimeEqual } from '../../web/keyed-hash.js'
import type { UpstreamContext } from '../context.js'
import type { UpstreamSecrets } from './seam.js'

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
  secrets: UpstreamSecrets
  purpose: TripPurpose
  /** Epoch seconds. */
  expires_at: number
}

/** What the first cookie holds. */
interface Sealed extends Trip {
  /** The SHA-256 of the `return_to`: the second cookie is not sealed. Null without one. */
  return_to_hash: string | null
}

const cookie = pageCookie('ostiary_upstream', /^[\w-]+$/)
/** The `return_to` of a request can be as long as a cookie may be: it has one of its own, and the rest is sealed. */
const target = pageCookie('ostiary_upstream_to', /^[\w./?=&%~:+-]+$/)
const MAX_TARGET_CHARACTERS = 3_500

/** The cookies to set. */
export function writeTrip(
  { upstreams, realm, now }: UpstreamContext,
  trip: Pick<Trip, 'upstream' | 'secrets' | 'purpose'>,
): string[] {
  const id = randomBytes(16).toString('base64url')
  const { purpose } = trip
  const return_to_hash = purpose.kind === 'sign_in' ? sha256(purpose.return_to) : null
  const sealed: Sealed = { ...trip, id, return_to_hash, expires_at: now() + TRIP_SECONDS }
  if (purpose.kind !== 'sign_in')
    return [cookie.write(realm, upstreams.sealer.seal(sealed, [realm.id]), TRIP_SECONDS)]
  const beginning = purpose.return_to.slice(0, MAX_TARGET_CHARACTERS)
  const return_to = purpose.return_to.slice(MAX_TARGET_CHARACTERS)
  const value = upstreams.sealer.seal({ ...sealed, purpose: { ...purpose, return_to } }, [realm.id])
  return [cookie.write(realm, value, TRIP_SECONDS), target.write(realm, beginning, TRIP_SECONDS)]
}

/** The round trip that this browser has begun to this provider, and that the answer belongs to; null for each other answer. */
export function readTrip(c: UpstreamContext, upstream: string): Trip | null {
  const { realm, request, upstreams } = c
  const text = cookie.read(request, realm)
  const opened = text === null ? null : upstreams.sealer.open(text, [realm.id])
  if (opened === null) return null
  const { return_to_hash, ...trip } = opened.value as Sealed
  const states = new URL(request.url).searchParams.getAll('state')
  const is_answered = states.length === 1 && constantTimeEqual(states[0] ?? '', trip.secrets.state)
  if (trip.upstream !== upstream || !is_answered || c.now() >= trip.expires_at) return null
  if (trip.purpose.kind !== 'sign_in') return trip
  const return_to = (target.read(request, realm) ?? '') + trip.purpose.return_to
  return sha256(return_to) === return_to_hash ? { ...trip, purpose: { ...trip.purpose, return_to } } : null
}

/** The cookies that end it. */
export const endTrip = ({ realm }: UpstreamContext): string[] => [
  cookie.write(realm, '', 0),
  target.write(realm, '', 0),
]
