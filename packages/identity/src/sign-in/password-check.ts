/** Checks a password within the limits: the one place where passwords of people are verified. */

import { addressKeys } from '@ostiary/core'
import { BusyError, type Turn } from '../users/gate.js'
import { MAX_PASSWORD_LENGTH } from '../users/passwords.js'
import type { LimitReached } from './attempts.js'
import type { PageContext } from './context.js'
import type { Proof } from './login-limits.js'

export interface PasswordCheck {
  /** Empty where no account can have the name. */
  username_key: string
  /** Null where there is nothing that the password could match. It costs the same. */
  password_hash: string | null
  password: string
  proof: Proof | null
}

export type PasswordAnswer = 'right' | 'wrong' | 'busy' | LimitReached

/** Only a wrong password stays counted. */
export async function checkPassword(c: PageContext, check: PasswordCheck): Promise<PasswordAnswer> {
  const { username_key, password_hash, password, proof } = check
  const attempt = { realm: c.realm.id, username_key, address: c.address, proof }
  const reserved = await c.attempts.reserve(attempt, c.now())
  if ('limit' in reserved) return reserved
  const hash = password.length <= MAX_PASSWORD_LENGTH ? password_hash : null
  const right = await unlessBusy(() => c.passwords.verify(hash, password, turnOf(c, proof)))
  if (right !== false) await reserved.release()
  if (right === BUSY) return 'busy'
  return right ? 'right' : 'wrong'
}

/** A site shares its turns, so that one that changes its address gets no more of them. */
export function turnOf({ address }: PageContext, proof: Proof | null): Turn {
  const keys = addressKeys(address)
  return { group: keys.site ?? keys.address, known: proof !== null }
}

export const BUSY = Symbol('busy')
export const BUSY_RETRY_AFTER_SECONDS = 5

export const unlessBusy = <T>(task: () => Promise<T>): Promise<T | typeof BUSY> =>
  task().catch((cause: unknown) => {
    if (cause instanceof BusyError) return BUSY
    throw cause
  })

/** How long to wait, in words. */
export function minutesText(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}
