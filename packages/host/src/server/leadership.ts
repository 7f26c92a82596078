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

/** When the leader dies, another server does the work after `lease_ms` and `follower_ms` at the latest. */
const LEADERSHIP_TIMES = {
  lease_ms: 15_000,
  /** Between two renewals. */
  leader_ms: 5000,
  /** Between two questions of a server that does not lead. */
  follower_ms: 10_000,
}
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
  /** For /readyz: rejects while the clock is wrong. Absent when this process is the only one. */
  clock?: () => Promise<void>
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
  let asking: Promise<void> = Promise.resolve()
  let timer: ReturnType<typeof setTimeout> | undefined
  let failed = false
  let stopped = false
  const leads = () => clock.isRight() && performance.now() < leads_until

  async function ask(): Promise<void> {
    const led = leads()
    try {
      leads_until = await leaseEnd({ lease, holder, clock, times })
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
    timer = setTimeout(
      () => {
        asking = ask().then(askLater)
      },
      leads() ? times.leader_ms : times.follower_ms,
    )
    timer.unref()
  }

  return {
    leads,
    clock: clock.check,
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

/** Until when this server has the lease, on the clock of `performance`; 0 when it does not have it. */
async function leaseEnd({ lease, holder, clock, times }: LeaseQuestion): Promise<number> {
  // A server whose clock is wrong, or that does not know yet, must not take the lease from a server with a right one.
  if (!clock.isRight()) await clock.compare(lease.now)
  if (!clock.isRight()) return 0
  const asked = performance.now()
  let held = false
  await clock.compare(async () => {
    const answer = await lease.take(holder, times.lease_ms / 1000)
    held = answer.held
    return answer.now
  })
  if (!held) return 0
  if (clock.isRight()) return asked + times.lease_ms
  await lease.giveBack(holder)
  return 0
}
