/** Stands between the app and a server, and can take it away. */

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Proxy {
  /** The server's URL, through here. */
  url: string
  /** Every connection ends, and a new one is refused. */
  cut(): Promise<void>
  /** Connections are taken and stay, and nothing passes. Those lead nowhere for ever, as behind a lost route. */
  hang(): void
  /** New connections are taken, and work. */
  restore(): Promise<void>
}

export async function proxy(server: string): Promise<Proxy> {
  const target = new URL(server)
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
  }
}
