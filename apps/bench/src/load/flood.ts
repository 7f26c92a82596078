/** Sends authorization requests that are refused: what a stranger can do. Its own process, until it is ended. */

import { setInterval } from 'node:timers/promises'
import { CALLBACK, type Target } from '../target.js'
import { addressOf } from '../workloads/person.js'
import { pathOf } from '../workloads/workload.js'
import { openConnection } from './connection.js'

export interface Flood {
  targets: readonly Target[]
  /** Requests a second to each of them. */
  rate: number
}

/** The addresses from which the requests seem to come, and the clients that they name. */
const ADDRESSES = 5000
const TICK_MS = 10

process.once('message', (flood: Flood) => {
  Promise.all(flood.targets.map((target) => sendTo(target, flood.rate))).catch((error: unknown) => {
    process.stderr.write(`flood: ${error}\n`)
    process.exit(1)
  })
})

async function sendTo(target: Target, rate: number): Promise<void> {
  const connection = await openConnection(target.origin)
  let sent = 0
  const started = performance.now()
  for await (const _ of setInterval(TICK_MS)) {
    const due = ((performance.now() - started) / 1000) * rate
    for (; sent < due; sent++) {
      const query = new URLSearchParams({
        response_type: 'code',
        redirect_uri: CALLBACK,
        client_id: `unknown-${sent % ADDRESSES}`,
      })
      const headers = { 'x-forwarded-for': addressOf(65_536 + (sent % ADDRESSES)) }
      const { status } = await connection.request(`${pathOf(target, 'authorize')}?${query}`, { headers })
      if (status < 400 || status > 499) throw new Error(`a refusal was expected, and the status is ${status}`)
    }
  }
}
