/** An executor that waits before a statement, so that others can come between. */

import type { Executor } from '../src/index.js'

export interface PausedExecutor {
  executor: Executor
  /** Resolves when the statement is about to be sent. */
  reached: Promise<void>
  /** Sends it. */
  go(): void
}

/**
 * @param part What the text of the statement contains.
 * @param place Which of such statements waits: the first one is 1.
 */
export function pausedBefore(executor: Executor, part: string, place = 1): PausedExecutor {
  let arrive = () => {}
  const reached = new Promise<void>((resolve) => {
    arrive = resolve
  })
  let go = () => {}
  const started = new Promise<void>((resolve) => {
    go = resolve
  })
  let sent = 0
  const query: Executor['query'] = async (text, params) => {
    if (text.includes(part)) sent += 1
    if (text.includes(part) && sent === place) {
      arrive()
      await started
    }
    return executor.query(text, params)
  }
  return { executor: { ...executor, query }, reached, go }
}
