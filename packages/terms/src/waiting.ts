/** A sign-in that waits until its user has accepted the terms. A cookie of the browser holds it, sealed: one that never ends takes no storage. */

import { hash, randomBytes } from 'node:crypto'
import type { Interruption, SignInVisit, User, Visit } from '@ostiary/identity'

/** In seconds. */
const WAITING_SECONDS = 600

/** What the cookie seals. */
interface Waiting extends Pick<Interruption, 'proofs'> {
  /** Claimed at the end, so that a copied cookie finishes nothing twice. */
  id: string
  sub: string
  /** Of the user, when the sign-in was interrupted: a change of the account's credentials ends it. */
  credential_version: number
  /** The SHA-256 of the `return_to`: a sign-in for one request does not continue another. */
  return_to_hash: string
  /** Epoch seconds. */
  expires_at: number
}

/** A sign-in of this browser, and its account as it is now. */
export interface WaitingSignIn {
  waiting: Waiting
  user: User
}

/** As base64url. */
const sha256 = (text: string): string => hash('sha256', text, 'base64url')

const cookieOf = (c: Visit) => c.cookie('ostiary_terms', /^[\w-]+$/)

/** The cookie of a sign-in that begins to wait. */
export function beginWaiting(c: Interruption): string {
  const { proofs, return_to, user } = c
  const waiting: Waiting = {
    id: randomBytes(16).toString('base64url'),
    sub: user.sub,
    credential_version: user.credential_version,
    proofs,
    return_to_hash: sha256(return_to),
    expires_at: c.now() + WAITING_SECONDS,
  }
  return cookieOf(c).write(c.seal(waiting), WAITING_SECONDS)
}

/** The cookie that ends it. */
export const endWaiting = (c: Visit): string => cookieOf(c).write('', 0)

/** Null without a cookie, after its time, for another `return_to`, and when the account has changed since. */
export async function findWaiting(c: SignInVisit): Promise<WaitingSignIn | null> {
  const text = cookieOf(c).read()
  const waiting = text === null ? null : (c.open(text) as Waiting | null)
  if (waiting === null || waiting.return_to_hash !== sha256(c.return_to) || c.now() >= waiting.expires_at)
    return null
  const user = await currentUser(c, waiting)
  return user && { waiting, user }
}

/** Null when the account was deleted or disabled, or its credentials have changed. */
export async function currentUser(
  { users }: Visit,
  { sub, credential_version }: Pick<Waiting, 'sub' | 'credential_version'>,
): Promise<User | null> {
  const user = await users.find(sub)
  return user?.credential_version === credential_version && user.disabled_at === null ? user : null
}
