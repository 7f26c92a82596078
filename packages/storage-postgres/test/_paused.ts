/** An executor that waits before a statement, so that others can come between. */

import type { Executor } from '../src/index.js'

export interface PausedExecutor {
  executor: Executor
  /** Resolves when the statement is about to be sent. */
  reached: Promise<void>
  /** Sends it. */
  go(): void
}

/** @param part What the text of the statement contains. The first such statement waits. */
export function pausedBefore(executor: Executor, part: string): PausedExecutor {
  let arrive = () => {}
  const reached = new Promise<void>((resolve) => {
    arrive = resolve
  })
  let go = () => {}
  const started = new Promise<void>((resolve) => {
    go = resolve
  })
  let is_first = true
  const query: Executor['query'] = async (text, params) => {
    if (is_first && text.includes(part)) {
      is_first = false
      arrive()
      await started
    }
    return executor.query(text, params)
  }
  return { executor: { ...executor, query }, reached, go }
}
