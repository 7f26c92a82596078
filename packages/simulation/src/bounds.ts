/** How many simulations run at once, and for how long. */

import { SimulationError } from './simulation-error.js'

/** In this process. */
const MAX_AT_ONCE = 4
/** The admin API answers after five seconds in any case. */
export const MAX_MILLISECONDS = 4_000

/** Runs work within the bounds. @throws SimulationError */
export type Bounded = <T>(work: () => Promise<T>) => Promise<T>

export function bounds(within_ms: number): Bounded {
  let running = 0
  return async (work) => {
    if (running >= MAX_AT_ONCE)
      throw new SimulationError(
        'too_many_requests',
        `${MAX_AT_ONCE} simulations are running, which is the most: try again in some seconds`,
      )
    running += 1
    // One that is late counts until it has ended.
    const done = work().finally(() => {
      running -= 1
    })
    return inTime(done, within_ms)
  }
}

async function inTime<T>(work: Promise<T>, within_ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new SimulationError(
      'unavailable',
      'The simulation was not ready in time: the storage is slow, or the server is busy. Try again in a minute',
    )
    timer = setTimeout(() => reject(error), within_ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
