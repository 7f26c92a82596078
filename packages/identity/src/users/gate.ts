/** Bounds how many tasks run at a time and how many may wait, so that no group of callers can keep the others out. */

import { fairQueue } from './fair-queue.js'

/** Too many tasks wait already: try again in a few seconds. */
export class BusyError extends Error {
  constructor() {
    super('Too many passwords wait to be checked')
    this.name = 'BusyError'
  }
}

/** Who asks, where it matters whose turn it is. */
export interface Turn {
  /** Groups take turns. */
  group?: string
  /** True for a caller that has proved something before: places are reserved for those. */
  known?: boolean
}

export interface Gate {
  /** @throws BusyError when the queue is full; otherwise what the task throws. */
  run<T>(task: () => Promise<T>, turn?: Turn): Promise<T>
}

export interface GateSize {
  concurrent: number
  /** In all. */
  waiting: number
  /** How many of those that wait are places for known callers alone. */
  reserved: number
}

interface QueueEntry {
  group: string
  start(): void
  refuse(): void
}

export function createGate({ concurrent, waiting, reserved }: GateSize): Gate {
  const known = fairQueue<QueueEntry>(reserved)
  const others = fairQueue<QueueEntry>(waiting - reserved)
  let running = 0
  // Known callers and others alternate.
  let known_next = true

  // The place goes straight to the next in line, so that a newcomer cannot overtake.
  const leave = () => {
    const from_known = others.size() === 0 || (known_next && known.size() > 0)
    const next = from_known ? known.take() : others.take()
    known_next = next === null || !from_known
    if (next) next.start()
    else running--
  }

  const enter = (entry: QueueEntry, isKnown: boolean) => {
    const displaced = isKnown && !known.full() ? known.put(entry) : others.put(entry)
    displaced?.refuse()
  }

  return {
    async run(task, { group = '', known: isKnown = false } = {}) {
      if (running < concurrent) running++
      else
        await new Promise<void>((start, reject) => {
          enter({ group, start, refuse: () => reject(new BusyError()) }, isKnown)
        })
      try {
        return await task()
      } finally {
        leave()
      }
    },
  }
}
