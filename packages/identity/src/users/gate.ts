/** Limits how many tasks run and wait at a time. Groups of callers take turns, so that none can block the others. */

import { fairQueue } from './fair-queue.js'

/** Too many password checks are waiting. The caller may try again in a few seconds. */
export class BusyError extends Error {
  constructor() {
    super('Too many password checks are waiting')
    this.name = 'BusyError'
  }
}

/** The caller of a password check. It decides the order of the waiting checks. */
export interface PasswordCaller {
  /** The groups take turns; callers of one group share its turns. */
  group?: string
  /** True for a known device or session. Places in the queue are reserved for these. */
  known?: boolean
}

export interface Gate {
  /** @throws BusyError when the queue is full; otherwise what the task throws. */
  run<T>(task: () => Promise<T>, caller?: PasswordCaller): Promise<T>
  load(): PasswordLoad
}

/** How many password checks run and wait. */
export interface PasswordLoad {
  running: number
  waiting: number
  /** Places in the queue: when more wait, checks are refused. */
  places: number
}

export interface GateSize {
  /** Tasks that run at the same time. */
  concurrent: number
  /** Places in the queue, the reserved ones included. */
  waiting: number
  /** Places in the queue for known callers only. */
  reserved: number
  /** Draws who gets a place in a full queue: a random whole number from 0 on that is less than its argument. */
  draw?: (below: number) => number
}

interface QueueEntry {
  group: string
  start(): void
  refuse(): void
}

export function createGate({ concurrent, waiting, reserved, draw }: GateSize): Gate {
  const known = fairQueue<QueueEntry>(reserved, draw)
  const others = fairQueue<QueueEntry>(waiting - reserved, draw)
  let running = 0
  // Known callers and others alternate.
  let known_next = true

  // A finished task starts the next one directly, so that a new caller cannot overtake the queue.
  const leave = () => {
    const from_known = others.size() === 0 || (known_next && known.size() > 0)
    const next = from_known ? known.take() : others.take()
    known_next = next === null || !from_known
    if (next) next.start()
    else running--
  }

  const enter = (entry: QueueEntry, isKnown: boolean) => {
    const replaced = isKnown && !known.full() ? known.put(entry) : others.put(entry)
    replaced?.refuse()
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
    load: () => ({ running, waiting: known.size() + others.size(), places: waiting }),
  }
}
