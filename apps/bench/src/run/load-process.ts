/** Runs a load generator on a core of its own. */

import { once } from 'node:events'
import type { LoadJob, LoadResult } from '../load/load-job.js'
import { built, end, LOAD_CORE, spawnOn } from './processes.js'

type Message = { result: LoadResult } | { error: string }

/** @throws Error when the load could not be made ready. */
export async function putLoad(job: LoadJob): Promise<LoadResult> {
  const child = spawnOn(LOAD_CORE, [process.execPath, built('load/generator.js')], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // JSON knows no NaN.
    serialization: 'advanced',
  })
  try {
    child.send(job)
    const exited = once(child, 'exit').then(() => [{ error: 'the load generator ended without a result' }])
    const [message] = (await Promise.race([once(child, 'message'), exited])) as [Message]
    if ('error' in message) throw new Error(message.error)
    return message.result
  } finally {
    await end(child)
  }
}
