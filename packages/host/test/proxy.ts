/** A TCP proxy between the app and a server, which can interrupt the connections. */

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Proxy {
  /** The server's URL, by way of the proxy. */
  url: string
  /** Ends every connection and refuses new ones. */
  cut(): Promise<void>
  /** Accepts connections and forwards nothing, as behind a lost route; these connections never work again. */
  hang(): void
  /** Accepts and forwards new connections. */
  restore(): Promise<void>
  /** New connections go to another server; those that are open stay where they are. */
  leadTo(server: string): void
}

export async function proxy(server: string): Promise<Proxy> {
  let target = new URL(server)
  const open = new Set<Socket>()
  const stuck = new WeakSet<Socket>()
  let silent = false
  const listener = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from)
      from.on('data', (chunk) => {
        if (silent) stuck.add(from).add(to)
        if (!stuck.has(from)) to.write(chunk)
      })
      from.on('error', () => {})
      from.on('close', () => {
        open.delete(from)
        to.destroy()
      })
    }
  })
  const listen = async (port: number) => {
    listener.listen(port, '127.0.0.1')
    await once(listener, 'listening')
  }
  const cut = async () => {
    const closed = listener.listening && once(listener, 'close')
    if (closed) listener.close()
    for (const socket of open) socket.destroy()
    await closed
  }
  await listen(0)
  onTestFinished(cut)
  const { port } = listener.address() as AddressInfo
  const url = new URL(server)
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    cut,
    hang() {
      silent = true
      for (const socket of open) stuck.add(socket)
    },
    async restore() {
      silent = false
      if (!listener.listening) await listen(port)
    },
    leadTo(other) {
      target = new URL(other)
    },
  }
}
