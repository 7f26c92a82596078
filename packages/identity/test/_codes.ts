/** Codes of a second step, as far as they are counted. */

import { memoryStorage } from '@ostiary/core/memory'
import { loginThrottles } from '../src/index.js'
import { type CodeAttempt, createCodeAttempts } from '../src/sign-in/code-limits.js'
import { throttleHash } from '../src/sign-in/login-throttles.js'
import { SECRET } from './_setup.js'

export const DAY = 86_400
/** The beginning of a day. */
export const START = 20_000 * DAY

export function codeWorld() {
  const storage = memoryStorage()
  const throttle = (realm: string) => storage(realm).throttle
  const attempts = createCodeAttempts({ throttle, hash: throttleHash(SECRET) })
  const reserve = (attempt: Partial<CodeAttempt>, now: number) =>
    attempts.reserve({ realm: 'default', username_key: 'ann', device: null, ...attempt }, now)
  return {
    reserve,
    /** The outcome of a wrong code: null when it was checked. */
    async wrong(attempt: Partial<CodeAttempt>, now: number) {
      const answer = await reserve(attempt, now)
      return 'limit' in answer ? answer : null
    },
    async right(attempt: Partial<CodeAttempt>, now: number) {
      const answer = await reserve(attempt, now)
      if ('limit' in answer) return answer
      await answer.release()
      return null
    },
    throttles: (realm = 'default') => loginThrottles({ realm, throttle: throttle(realm), secret: SECRET }),
  }
}
export type CodeWorld = ReturnType<typeof codeWorld>

export interface CodeGuesses extends Partial<CodeAttempt> {
  now?: number
}

/** Wrong codes at this second. Returns the limits that were reached. */
export async function guessCodes(w: CodeWorld, count: number, { now = START, ...attempt }: CodeGuesses) {
  const limits: string[] = []
  for (let index = 0; index < count; index += 1) {
    const reached = await w.wrong(attempt, now)
    if (reached !== null) limits.push(reached.limit)
  }
  return limits
}

/** 20 wrong codes in four windows of 300 seconds. Returns the limits that were reached. */
export async function guessForADay(w: CodeWorld, attempt: Partial<CodeAttempt>) {
  const windows = [0, 300, 600, 900].map((seconds) => START + seconds)
  const limits: string[] = []
  for (const now of windows) limits.push(...(await guessCodes(w, 5, { ...attempt, now })))
  return limits
}
