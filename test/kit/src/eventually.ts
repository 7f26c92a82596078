/** Waits for what happens some time after: the one place where tests wait, so that no test has a limit that a busy machine exceeds. */

import { setTimeout as pause } from 'node:timers/promises'

const INTERVAL_MS = 20
const SECONDS = 60

export interface Patience {
  /** For work that takes longer on a quiet machine already; 60 when absent. */
  seconds?: number
}

/**
 * Looks again and again, until `look` neither throws nor returns false. The result is what it has returned.
 * @throws What `look` has thrown at last, or an error that shows its text.
 */
export async function eventually<T>(
  look: () => Promise<T> | T,
  { seconds = SECONDS }: Patience = {},
): Promise<Exclude<T, false>> {
  let fault: unknown
  // Counted in pauses, not by a clock: a test may have replaced the clock, and a machine may have been stopped.
  for (let left = (seconds * 1000) / INTERVAL_MS; left > 0; left -= 1) {
    try {
      const seen = await look()
      if (seen !== false) return seen as Exclude<T, false>
      fault = new Error(`It has not happened within ${seconds} seconds: ${look}`)
    } catch (error) {
      fault = error
    }
    await pause(INTERVAL_MS)
  }
  throw fault
}
