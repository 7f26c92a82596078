/** The offer of a passkey to a user who has signed in with the password: on a device that can make one, and seldom. */

import type { User } from '../users/user-store.js'
import { pageCookie } from '../web/cookies.js'
import type { FactorContext } from './context.js'
import { isAsked, mayAdd } from './enrolment.js'

/** The time from one offer to the next, in seconds: 30 days. */
const OFFER_SECONDS = 2_592_000
/** 400 days, the longest time for which browsers keep a cookie. */
const NEVER_SECONDS = 34_560_000

/** It belongs to the device, and is not secret: who removes it is asked again. */
const cookie = pageCookie('ostiary_offer', /^(?:later|never)$/)

/** The fields of the form of the password. The script adds one where the device has a passkey authenticator of its own. */
type Sent = Pick<URLSearchParams, 'get'>

/** The cookie of a device to which a passkey is offered now; null where none is offered. */
export async function offerCookie(c: FactorContext, user: User, sent: Sent): Promise<string | null> {
  if (sent.get('can_add_passkey') !== '1' || !mayOffer(c)) return null
  if (cookie.read(c.request, c.realm) !== null) return null
  const factors = await c.factors.store.list(user.sub)
  return factors.some(isAsked) ? null : cookie.write(c.realm, 'later', OFFER_SECONDS)
}

/** Whether the realm lets users add passkeys to accounts without a factor. */
export const mayOffer = ({ factors }: FactorContext): boolean =>
  mayAdd(factors, []) &&
  factors.methods.some(({ kind, enrolment }) => kind === 'passkey' && enrolment !== null)

/** The cookies of the answer to the offer. */
export const offerAnswer = ({ realm }: FactorContext, sent: Sent): string[] =>
  sent.get('offer') === 'never' ? [cookie.write(realm, 'never', NEVER_SECONDS)] : []
