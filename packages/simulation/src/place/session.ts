/** A session of a user, of a given level and age. It exists in the simulation alone. */

import type { Place } from './place.js'

/** How the user has signed in. */
export interface SimulatedSession {
  /** 1: with a password. 2: with two methods. */
  level: 1 | 2
  /** Seconds since the sign-in. */
  age: number
}

/** Ten years, in seconds. */
export const MAX_AGE_SECONDS = 315_360_000

const METHODS = { 1: ['pwd'], 2: ['pwd', 'otp', 'mfa'] } as const

/** Signs the user in as the pages of the application do. @returns The header `cookie` of the browser. */
export async function signIn(
  { provider, realm, clock }: Place,
  { sub, level, age }: SimulatedSession & { sub: string },
): Promise<string> {
  const { now } = clock
  clock.now = now - age
  const request = new Request(realm.urls.authorization_endpoint, { method: 'POST' })
  const answer = await provider.login(request, { sub, amr: [...METHODS[level]], return_to: { path: '/' } })
  clock.now = now
  const [cookie = ''] = answer.headers.getSetCookie()
  return cookie.slice(0, cookie.indexOf(';'))
}
