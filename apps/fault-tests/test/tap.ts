/** A proxy between the server and its database that stops after a chosen message. */

import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Tap {
  /** The database's URL, through here. */
  url: string
  /** From now on this many messages reach the database; `then` is called with the last one, and the rest is dropped. */
  cutAfter(messages: number, then: () => void): void
  /** Everything passes again. */
  open(): void
}

export async function tap(database: string): Promise<Tap> {
  const target = new URL(database)
  let left = Number.POSITIVE_INFINITY
  let reached = () => {}
  const listener = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    near.on('data', (chunk) => {
      if (left <= 0) return
      far.write(chunk)
      left -= 1
      if (left === 0) reached()
    })
    far.on('data', (chunk) => near.write(chunk))
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const)
      end.on('error', () => {}).on('close', () => other.destroy())
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  onTestFinished(() => void listener.close())
  const url = new URL(database)
  url.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`
  return {
    url: url.href,
    cutAfter(messages, then) {
      left = messages
      reached = then
    },
    open() {
      left = Number.POSITIVE_INFINITY
    },
  }
}
