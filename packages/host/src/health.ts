/** `/healthz`: the process answers. `/readyz`: it can do its work, so send it requests. */

import type { Storage } from '@ostiary/core'
import { DEFAULT_REALM } from './entries.js'
import { json } from './responses.js'

export type State = 'starting' | 'ready' | 'stopping'

/** Milliseconds that a storage may take to answer. */
const PATIENCE = 2000

export const healthz = async (): Promise<Response> => json(200, { status: 'ok' })

export async function readyz(state: State, storage: Storage): Promise<Response> {
  if (state !== 'ready') return json(503, { status: state })
  const works = await answers(storage)
  return works
    ? json(200, { status: 'ready', storage: 'ok' })
    : json(503, { status: 'unready', storage: 'failing' })
}

async function answers(storage: Storage): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, PATIENCE, false)
  })
  const found = async () => {
    await storage(DEFAULT_REALM).keys.list()
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
