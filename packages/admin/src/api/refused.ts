/** Rows of what a caller may not change: who tried, and whose it is. */

import { sha256, type Throttle } from '@ostiary/core'
import { problemOf } from './failure.js'
import { given } from './given.js'
import type { Call } from './operation.js'

/** Rows of a caller in a minute; further attempts are refused without one. */
const MAX_ROWS = 10
const MINUTE = 60

/** The operation, and the counters of the admin realm. */
interface Noting {
  id: string
  throttle: Throttle
}

/** Runs an operation. With an audit, each of the first attempts to climb has a row: `admin.refused`, of which nothing was made. */
export async function notingRefusals<T>(call: Call, noting: Noting, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (problemOf(error)?.code === 'forbidden') await note(call, noting)
    throw error
  }
}

async function note({ audit, caller, realm, params, now }: Call, { id, throttle }: Noting): Promise<void> {
  if (audit === null) return
  const attempts = await throttle.hit(`admin-refused:${sha256(caller.holder)}`, MINUTE, now)
  if (attempts > MAX_ROWS) return
  const { kind, holder } = params
  const sub = params.sub ?? (kind === 'users' ? holder : undefined)
  const client_id = params.client_id ?? (kind === 'clients' ? holder : undefined)
  const change = { realm, type: 'admin.refused', ...given({ sub, client_id }), ids: { operation: id } }
  await audit.change(change, async () => false)
}
