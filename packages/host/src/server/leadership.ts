/**
 * Which server does the background work: one at a time, by a lease in the database. The answer also has the database's time:
 * a server with a wrong clock does no background work, since it would end and delete what is still needed.
 */

import { randomUUID } from 'node:crypto'
import { errorFields, type Log } from '../log/log.js'
import type { HostStorage } from '../storage/host-storage.js'
import { type Clock, clockCheck } from './clock.js'
import { withDeadline } from './deadline.js'

type Lease = NonNullable<HostStorage['lease']>

const LEADERSHIP_TIMES = {
  /** When the leader dies, another server leads after this time. */
  lease_ms: 15_000,
  /** Between two renewals. */
  leader_ms: 5000,
  /** Between two questions of a server that does not lead; less when the lease ends before. */
  follower_ms: 10_000,
}
/** From the end of another server's lease to the question for it. */
const AFTER_LEASE_MS = 100
/** For giving the lease back at the end; after that, it runs out. */
const GIVE_BACK_MS = 2000

export interface LeadershipOptions {
  log: Log
  /** Epoch seconds. */
  now: () => number
  times?: typeof LEADERSHIP_TIMES
}

export interface Leadership {
  /** Asks for the lease, now and at intervals. Resolves when the first question is answered, or has failed. */
  start(): Promise<void>
  /** Whether this server does the background work at this moment. */
  leads(): boolean
  /** For /readyz and the metrics. Absent when this process is the only one. */
  clock?: Pick<Clock, 'check' | 'ahead'>
  /** Gives the lease back, so that another server need not wait for its end. */
  stop(): Promise<void>
}

/** For a storage of this process alone. */
const ALONE: Leadership = { start: async () => {}, leads: () => true, stop: async () => {} }

export const leadership = (lease: Lease | undefined, options: LeadershipOptions): Leadership =>
  lease === undefined ? ALONE : leased(lease, options)

function leased(lease: Lease, { log, now, times = LEADERSHIP_TIMES }: LeadershipOptions): Leadership {
  const holder = randomUUID()
  const clock = clockCheck({ log, now })
  /** On the clock of `performance`, which no correction of the time moves. */
  let leads_until = 0
  let wait_ms = times.follower_ms
  let asking: Promise<void> = Promise.resolve()
  let timer: ReturnType<typeof setTimeout> | undefined
  let failed = false
  let stopped = false
  const leads = () => clock.isRight() && performance.now() < leads_until

  async function ask(): Promise<void> {
    const led = leads()
    try {
      const answer = await askForLease({ lease, holder, clock, times })
      leads_until = answer.leads_until
      wait_ms = answer.wait_ms
      failed = false
    } catch (error) {
      if (!failed)
        log.warn('the server that does the background work cannot be found out', errorFields(error))
      failed = true
    }
    if (leads() !== led) log.info(led ? 'this server no longer does the background work' : LEADS)
  }

  function askLater(): void {
    if (stopped) return
    timer = setTimeout(() => {
      asking = ask().then(askLater)
    }, wait_ms)
    timer.unref()
  }

  return {
    leads,
    clock,
    async start() {
      asking = ask().then(askLater)
      await asking
    },
    async stop() {
      stopped = true
      await withDeadline(GIVE_BACK_MS, asking)
      clearTimeout(timer)
      const led = leads()
      leads_until = 0
      if (led) await withDeadline(GIVE_BACK_MS, lease.giveBack(holder)).catch(() => {})
    },
  }
}

const LEADS = 'this server does the background work'

interface LeaseQuestion {
  lease: Lease
  holder: string
  clock: Clock
  times: typeof LEADERSHIP_TIMES
}

interface LeaseState {
  /** On the clock of `performance`; 0 when this server does not have the lease. */
  leads_until: number
  /** Milliseconds until the next question. */
  wait_ms: number
}

async function askForLease({ lease, holder, clock, times }: LeaseQuestion): Promise<LeaseState> {
  const follower = { leads_until: 0, wait_ms: times.follower_ms }
  // A server whose clock is wrong, or that does not know yet, must not take the lease from a server with a right one.
  if (!clock.isRight()) await clock.compare(async () => ({ now: await lease.now() }))
  if (!clock.isRight()) return follower
  const asked = performance.now()
  const answer = await clock.compare(() => lease.take(holder, times.lease_ms / 1000))
  if (!answer.held)
    return { ...follower, wait_ms: Math.min(answer.ends_in * 1000 + AFTER_LEASE_MS, times.follower_ms) }
  if (clock.isRight()) return { leads_until: asked + times.lease_ms, wait_ms: times.leader_ms }
  await lease.giveBack(holder)
  return follower
}
