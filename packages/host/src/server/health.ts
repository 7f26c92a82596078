/** `/healthz`: the process answers requests. `/readyz`: it can do its work, so a load balancer may send it requests. */

import { TIMED_OUT, withDeadline } from './deadline.js'
import { json } from './responses.js'

export type ServerState = 'starting' | 'ready' | 'stopping'

/** What the server needs, by name: resolves when it works. */
export type HealthParts = Readonly<Record<string, () => Promise<unknown>>>

const PART_TIMEOUT_MS = 2000
/** The endpoint is public, and each check of a part is a query. */
const RESULT_LIFETIME_MS = 1000

export const healthz = async (): Promise<Response> => json(200, { status: 'ok' })

export type PartStates = Record<string, 'ok' | 'down'>

export interface ReadinessCheck {
  /** The answer of /readyz. */
  answer(state: ServerState): Promise<Response>
  /** The parts now, or as they were less than a second ago. */
  states(): Promise<PartStates>
}

/**
 * Checks the parts once for all requests that arrive meanwhile, and remembers the result for a second.
 * @param now Milliseconds.
 */
export function readiness(parts: HealthParts, now: () => number = () => performance.now()): ReadinessCheck {
  let checking: Promise<PartStates> | null = null
  let remembered: { states: PartStates; until: number } | null = null
  const check = async () => {
    const states = await partStates(parts)
    remembered = { states, until: now() + RESULT_LIFETIME_MS }
    checking = null
    return states
  }
  const states = async () => {
    if (remembered !== null && now() < remembered.until) return remembered.states
    checking ??= check()
    return checking
  }
  return {
    states,
    answer: async (state) => (state === 'ready' ? readyAnswer(await states()) : json(503, { status: state })),
  }
}

async function partStates(parts: HealthParts): Promise<PartStates> {
  const states = await Promise.all(
    Object.entries(parts).map(async ([name, check]) => [name, (await works(check)) ? 'ok' : 'down'] as const),
  )
  return Object.fromEntries(states)
}

export const allWork = (states: PartStates): boolean => Object.values(states).every((state) => state === 'ok')

function readyAnswer(states: PartStates): Response {
  const ready = allWork(states)
  return json(ready ? 200 : 503, { status: ready ? 'ready' : 'unavailable', ...states })
}

async function works(check: () => Promise<unknown>): Promise<boolean> {
  try {
    return (await withDeadline(PART_TIMEOUT_MS, check())) !== TIMED_OUT
  } catch {
    return false
  }
}
