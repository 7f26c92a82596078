/** Bounds how many tasks run at a time and how many may wait. */

/** Too many tasks wait already: try again in a few seconds. */
export class BusyError extends Error {
  constructor() {
    super('Too many passwords wait to be checked')
    this.name = 'BusyError'
  }
}

export interface Gate {
  /** @throws BusyError when the queue is full; otherwise what the task throws. */
  run<T>(task: () => Promise<T>): Promise<T>
}

export function createGate(size: { concurrent: number; waiting: number }): Gate {
  const queue: (() => void)[] = []
  let running = 0

  // The place goes straight to the next in line, so that a newcomer cannot overtake.
  const leave = () => {
    const next = queue.shift()
    if (next) next()
    else running--
  }

  return {
    async run(task) {
      if (running < size.concurrent) running++
      else if (queue.length >= size.waiting) throw new BusyError()
      else await new Promise<void>((resolve) => queue.push(resolve))
      try {
        return await task()
      } finally {
        leave()
      }
    },
  }
}
