/** A load balancer in front of two servers: asks /readyz, keeps connections alive, and sends no request twice. */

import { once } from 'node:events'
import { Agent, createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Balancer {
  port: number
  /** Requests that could not be forwarded, with the reason. */
  failures: string[]
  /** The number of forwarded requests, by the server's port. */
  served: Map<number, number>
  isReady(port: number): boolean
  close(): Promise<void>
}

const ASK_EVERY = 100

export async function balancer(ports: readonly number[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true })
  const ready = new Set<number>()
  const served = new Map(ports.map((port) => [port, 0]))
  const failures: string[] = []

  const ask = async (port: number) => {
    const answer = fetch(`http://127.0.0.1:${port}/readyz`, { headers: { connection: 'close' } })
    const fine = await answer.then(({ ok }) => ok).catch(() => false)
    if (fine) ready.add(port)
    else ready.delete(port)
  }
  const asking = setInterval(() => ports.forEach(ask), ASK_EVERY)

  let turn = 0
  const server = createServer((incoming, outgoing) => {
    const candidates = [...ready]
    turn += 1
    const port = candidates[turn % candidates.length]
    const failed = (reason: string) => {
      failures.push(`${incoming.method} ${incoming.url}: ${reason}`)
      outgoing.writeHead(502).end()
    }
    if (port === undefined) return failed('no server is ready')
    const { method, url: path } = incoming
    const headers = { ...incoming.headers, 'x-forwarded-for': incoming.socket.remoteAddress ?? '' }
    const passed = send({ agent, host: '127.0.0.1', port, method, path, headers }, (answer) => {
      served.set(port, (served.get(port) ?? 0) + 1)
      const { connection, 'keep-alive': _, ...rest } = answer.headers
      outgoing.writeHead(answer.statusCode ?? 502, rest)
      answer.pipe(outgoing)
    })
    passed.on('error', (error) => failed(String(error)))
    incoming.pipe(passed)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    failures,
    served,
    isReady: (port) => ready.has(port),
    async close() {
      clearInterval(asking)
      agent.destroy()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
