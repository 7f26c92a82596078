/** `/healthz`: the process answers. `/readyz`: it can do its work, so send it requests. */

import { json } from './responses.js'

export type State = 'starting' | 'ready' | 'stopping'

/** What the server needs, by name: resolves when it works. */
export type HealthParts = Readonly<Record<string, () => Promise<unknown>>>

/** Milliseconds that a part may take to answer. */
const PATIENCE = 2000

export const healthz = async (): Promise<Response> => json(200, { status: 'ok' })

export async function readyz(state: State, parts: HealthParts): Promise<Response> {
  if (state !== 'ready') return json(503, { status: state })
  const found = await Promise.all(
    Object.entries(parts).map(
      async ([name, works]) => [name, (await answers(works)) ? 'ok' : 'down'] as const,
    ),
  )
  const ready = found.every(([, health]) => health === 'ok')
  return json(ready ? 200 : 503, { status: ready ? 'ready' : 'unavailable', ...Object.fromEntries(found) })
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
