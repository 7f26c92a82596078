/** Ports for the servers of tests. Each test process has a block of its own, so a port stays its own while its server is down. */

import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/**
 * Above 10080, the highest port that fetch refuses to connect to, and below 32768, where Linux takes ports for outgoing connections.
 */
const FIRST_PORT = 10_100
const BLOCKS = 200
const PORTS_OF_A_BLOCK = 100

let block: Promise<number> | undefined
let offset = 0

/** A port of this process without a listener. Each call returns another one, until the block begins again. */
export async function freePort(): Promise<number> {
  block ??= claimBlock()
  const first = await block
  for (let tries = 1; tries < PORTS_OF_A_BLOCK; tries += 1) {
    offset = (offset % (PORTS_OF_A_BLOCK - 1)) + 1
    const port = first + offset
    const listener = await listen(port)
    if (!listener) continue
    listener.close()
    await once(listener, 'close')
    return port
  }
  throw new Error(`The ports from ${first} on are all in use`)
}

/** A block belongs to the process that listens on its first port: the system releases it when the process ends. */
async function claimBlock(): Promise<number> {
  for (let tries = 0; tries < BLOCKS; tries += 1) {
    const first = FIRST_PORT + ((process.pid + tries) % BLOCKS) * PORTS_OF_A_BLOCK
    const listener = await listen(first)
    listener?.unref()
    if (listener) return first
  }
  throw new Error('Every block of ports is in use')
}

/** Null when the port is in use. */
async function listen(port: number): Promise<Server | null> {
  const server = createServer()
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
    return server
  } catch {
    return null
  }
}
