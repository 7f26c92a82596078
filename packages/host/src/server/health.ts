/** `/healthz`: the process answers. `/readyz`: it can do its work, so send it requests. */

import { json } from './responses.js'

export type State = 'starting' | 'ready' | 'stopping'

/** What the server needs, by name: resolves when it works. */
export type HealthParts = Readonly<Record<string, () => Promise<unknown>>>

/** Milliseconds that a part may take to answer. */
const PATIENCE = 2000

export const healthz = async (): Promise<Response> => json(200, { status: 'ok' })

/** Milliseconds that an answer is kept: the endpoint is public, and each part is a question to a database. */
const KEPT = 1000

type Found = Record<string, 'ok' | 'down'>

/**
 * Looks at the parts once for all that ask at the same time, and keeps what it has found for a second.
 * @param now Milliseconds.
 */
export function readiness(parts: HealthParts, now: () => number = () => performance.now()) {
  let looking: Promise<Found> | null = null
  let kept: { found: Found; until: number } | null = null
  const look = async () => {
    const found = await health(parts)
    kept = { found, until: now() + KEPT }
    looking = null
    return found
  }
  return async (state: State): Promise<Response> => {
    if (state !== 'ready') return json(503, { status: state })
    if (kept !== null && now() < kept.until) return answerOf(kept.found)
    looking ??= look()
    return answerOf(await looking)
  }
}

async function health(parts: HealthParts): Promise<Found> {
  const found = await Promise.all(
    Object.entries(parts).map(
      async ([name, works]) => [name, (await answers(works)) ? 'ok' : 'down'] as const,
    ),
  )
  return Object.fromEntries(found)
}

function answerOf(found: Found): Response {
  const ready = Object.values(found).every((part) => part === 'ok')
  return json(ready ? 200 : 503, { status: ready ? 'ready' : 'unavailable', ...found })
}

async function answers(works: () => Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, PATIENCE, false)
  })
  const found = async () => {
    await works()
    return true
  }
  try {
    return await Promise.race([found(), late])
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}
