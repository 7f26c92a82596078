/** Checks a user's password within the limits. No other code verifies passwords at sign-in or on the account page. */

import { addressKeys } from '@ostiary/core'
import { BusyError, type PasswordCaller } from '../users/gate.js'
import { MAX_PASSWORD_LENGTH } from '../users/passwords.js'
import type { LimitReached } from './attempts.js'
import type { PageContext } from './context.js'
import type { Proof } from './login-limits.js'

export interface PasswordCheck {
  /** Empty when no account can have this username. */
  username_key: string
  /** Null when there is no hash to compare with; the check takes the same time then. */
  password_hash: string | null
  password: string
  proof: Proof | null
}

export type PasswordAnswer = 'right' | 'wrong' | 'busy' | LimitReached

/** Checks the password. The attempt stays counted only when the password is wrong. */
export async function checkPassword(c: PageContext, check: PasswordCheck): Promise<PasswordAnswer> {
  const { username_key, password_hash, password, proof } = check
  const attempt = { realm: c.realm.id, username_key, address: c.address, peer: c.peer, proof }
  const reservation = await c.attempts.reserve(attempt, c.now())
  if ('limit' in reservation) return reservation
  const hash = password.length <= MAX_PASSWORD_LENGTH ? password_hash : null
  const right = await unlessBusy(() => c.passwords.verify(hash, password, callerOf(c, proof)))
  if (right !== false) await reservation.release()
  if (right === BUSY) return 'busy'
  return right ? 'right' : 'wrong'
}

/** An IPv6 /48 is one group, and so is a peer, so that a client does not get more turns by changing its address. */
export function callerOf({ address, peer }: PageContext, proof: Proof | null): PasswordCaller {
  const keys = addressKeys(peer ?? address)
  return { group: keys.site ?? keys.address, known: proof !== null }
}

export const BUSY = Symbol('busy')
export const BUSY_RETRY_AFTER_SECONDS = 5

export const unlessBusy = <T>(task: () => Promise<T>): Promise<T | typeof BUSY> =>
  task().catch((cause: unknown) => {
    if (cause instanceof BusyError) return BUSY
    throw cause
  })
