/** A result, or the end of a time limit. */

import { type OpenList, openList } from '../values/open-list.js'

/** What `withDeadline` resolves with when the work takes longer than its limit. */
export const TIMED_OUT = Symbol('timed out')

interface Waiter {
  /** Milliseconds, on the clock of `performance`. */
  deadline: number
  timeOut: () => void
}

/** By their limit in milliseconds, oldest first: waiters with the same limit time out in the order in which they came. */
const waitersByLimit = new Map<number, OpenList<Waiter>>()

/**
 * The result of the work, or TIMED_OUT; the work itself goes on. All waiters with the same limit share one timer: a timer
 * for each costs more than many a request. The timer does not keep the process alive.
 */
export function withDeadline<T>(milliseconds: number, work: Promise<T>): Promise<T | typeof TIMED_OUT> {
  const known = waitersByLimit.get(milliseconds)
  const waiters = known ?? openList<Waiter>()
  if (!known) {
    waitersByLimit.set(milliseconds, waiters)
    armTimer(milliseconds, waiters, milliseconds)
  }
  return new Promise((resolve, reject) => {
    const remove = waiters.add({
      deadline: performance.now() + milliseconds,
      timeOut() {
        remove()
        resolve(TIMED_OUT)
      },
    })
    work.then(
      (value) => {
        remove()
        resolve(value)
      },
      (cause: unknown) => {
        remove()
        reject(cause)
      },
    )
  })
}

/** Re-arms itself until every waiter has settled or timed out. */
function armTimer(limit: number, waiters: OpenList<Waiter>, delay: number): void {
  setTimeout(() => {
    const now = performance.now()
    for (const waiter of waiters.values()) {
      if (waiter.deadline > now) return armTimer(limit, waiters, waiter.deadline - now)
      waiter.timeOut()
    }
    waitersByLimit.delete(limit)
  }, delay).unref()
}
