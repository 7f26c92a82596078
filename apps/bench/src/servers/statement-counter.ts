/** A proxy before PostgreSQL that counts the statements of all connections through it, from outside of the server. */

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** The first two bytes of a start-up message's version; other numbers there ask for TLS or a cancellation. */
const MAJOR_VERSION = 3
/** Execute: a statement with parameters. Query: one without, such as `begin`. */
const STATEMENTS = ['E', 'Q'].map((type) => type.charCodeAt(0))

/** Reads what a client sends, in pieces of any size, by the frontend/backend protocol of PostgreSQL. */
export function statementReader(onStatement: () => void): (chunk: Buffer) => void {
  let pending: Buffer = Buffer.alloc(0)
  let started = false
  return (chunk) => {
    pending = Buffer.concat([pending, chunk])
    for (;;) {
      // Messages before the start-up have no type.
      const lengthAt = started ? 1 : 0
      if (pending.length < lengthAt + 4) return
      const size = lengthAt + pending.readInt32BE(lengthAt)
      if (pending.length < size) return
      if (!started) started = pending.readInt16BE(4) === MAJOR_VERSION
      else if (STATEMENTS.includes(pending[0] ?? 0)) onStatement()
      pending = pending.subarray(size)
    }
  }
}

export interface CountingProxy {
  /** The database's URL through the proxy. */
  url: string
  /** How many statements were sent so far. */
  statements(): number
  close(): void
}

/** @param database_url Of a PostgreSQL without TLS. */
export async function countingProxy(database_url: string): Promise<CountingProxy> {
  const url = new URL(database_url)
  const host = url.hostname
  const port = Number(url.port || 5432)
  let sent = 0
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const database = connect({ host, port, noDelay: true })
    client.setNoDelay(true)
    const read = statementReader(() => {
      sent += 1
    })
    client.on('data', read)
    client.pipe(database).pipe(client)
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        client.destroy()
        database.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  url.hostname = '127.0.0.1'
  url.port = typeof address === 'object' && address !== null ? `${address.port}` : ''
  return {
    url: url.href,
    statements: () => sent,
    close() {
      proxy.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
