/**
 * `/healthz`: the process answers requests. `/readyz`: a load balancer may send it requests. It is 503 only for what another
 * server could do better, or for what stops everything: behind a balancer, 503 on every server takes all answers away.
 */

import type { HealthParts, PartCheck, PartlyNeeded } from '../storage/host-storage.js'
import { isRestored } from '../storage/outage.js'
import { TIMED_OUT, withDeadline } from './deadline.js'
import { json } from './responses.js'

export type ServerState = 'starting' | 'ready' | 'stopping'

const PART_TIMEOUT_MS = 2000
/** The endpoint is public, and each check of a part is a query. */
const RESULT_LIFETIME_MS = 1000

export const healthz = async (): Promise<Response> => json(200, { status: 'ok' })

type PartState = 'ok' | 'down' | 'restored'
type PartStates = Record<string, PartState>

export interface ReadinessCheck {
  /** The answer of /readyz. */
  answer(state: ServerState): Promise<Response>
  /** The parts now, or as they were less than a second ago, and whether /readyz answers 200 for these. */
  now(state: ServerState): Promise<{ ready: boolean; parts: PartStates }>
}

interface ReadinessOptions {
  /** Parts of which one must work; those that do not are `degraded` in the answer. */
  ranges?: Readonly<Record<string, PartCheck>>
  /** Milliseconds. */
  now?: () => number
}

/** Checks the parts once for all requests that arrive meanwhile, and remembers the result for a second. */
export function readiness(
  parts: HealthParts,
  { ranges, now = () => performance.now() }: ReadinessOptions = {},
): ReadinessCheck {
  let checking: Promise<PartStates> | null = null
  let remembered: { states: PartStates; until: number } | null = null
  const check = async () => {
    const states = await partStates({ ...parts, ...ranges })
    remembered = { states, until: now() + RESULT_LIFETIME_MS }
    checking = null
    return states
  }
  const states = async () => {
    if (remembered !== null && now() < remembered.until) return remembered.states
    checking ??= check()
    return checking
  }
  const names = Object.keys(ranges ?? {})
  const degraded = (found: PartStates) => names.filter((name) => found[name] !== 'ok')
  const isReady = (found: PartStates) =>
    Object.entries(parts).every(([name, part]) => found[name] === 'ok' || readyWithout(part)) &&
    (names.length === 0 || degraded(found).length < names.length)
  return {
    async now(state) {
      const found = await states()
      return { ready: state === 'ready' && isReady(found), parts: found }
    },
    async answer(state) {
      if (state !== 'ready') return json(503, { status: state })
      const found = await states()
      const ready = isReady(found)
      const shown = Object.fromEntries(Object.keys(parts).map((name) => [name, found[name]]))
      return json(ready ? 200 : 503, {
        status: ready ? 'ready' : 'unavailable',
        ...shown,
        ...(ranges && { degraded: degraded(found) }),
      })
    },
  }
}

async function partStates(parts: HealthParts): Promise<PartStates> {
  const states = await Promise.all(
    Object.entries(parts).map(async ([name, part]) => [name, await stateOf(checkOf(part))] as const),
  )
  return Object.fromEntries(states)
}

const checkOf = (part: PartCheck | PartlyNeeded): PartCheck =>
  typeof part === 'function' ? part : part.check

const readyWithout = (part: PartCheck | PartlyNeeded): boolean =>
  typeof part !== 'function' && part.readyWithout()

async function stateOf(check: PartCheck): Promise<PartState> {
  try {
    return (await withDeadline(PART_TIMEOUT_MS, check())) === TIMED_OUT ? 'down' : 'ok'
  } catch (error) {
    return isRestored(error) ? 'restored' : 'down'
  }
}
