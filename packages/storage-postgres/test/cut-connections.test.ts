/** A connection that ends after any byte of an answer. */

import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Executor, isUnavailable, postgresExecutor } from '../src/index.js'
import { type OwnDatabase, ownDatabase } from './_setup.js'

let database: OwnDatabase
beforeAll(async () => {
  database = await ownDatabase()
})
afterAll(() => database.drop())

type Ending = 'closed' | 'reset'

/** A proxy that ends one connection after some bytes of what the server has sent on it. */
async function cuttingProxy() {
  const upstreams = new Set<Socket>()
  let received = 0
  let cut: { after: number; ending: Ending } | null = null
  const server = createServer((client) => {
    const { hostname, port } = new URL(database.url)
    const upstream = connect(Number(port), hostname)
    upstreams.add(upstream)
    for (const socket of [client, upstream]) socket.on('error', () => {})
    client.on('data', (chunk) => upstream.write(chunk))
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => {
      upstreams.delete(upstream)
      client.end()
    })
    upstream.on('data', (chunk) => {
      const rest = cut === null ? chunk.length : cut.after - received
      received += chunk.length
      client.write(chunk.subarray(0, rest))
      if (cut === null || rest >= chunk.length) return
      if (cut.ending === 'reset') client.resetAndDestroy()
      upstream.destroy()
      cut = null
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  const url = new URL(database.url)
  url.port = `${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    /** Bytes from the server since `cutAfter`. */
    received: () => received,
    /** @param after Null: never. */
    cutAfter(after: number | null, ending: Ending = 'closed') {
      received = 0
      cut = after === null ? null : { after, ending }
    },
  }
}

const one = async (executor: Executor) => executor.query('select $1::int as n, $2 as text', [1, 'one'])
type Work = (executor: Executor) => Promise<unknown>

/** The work, and after which bytes of its answers the connection is cut: after each, or each fifth. */
const WORK: Record<string, [work: Work, step: number]> = {
  'one statement': [one, 1],
  'three statements': [(executor) => Promise.all([one(executor), one(executor), one(executor)]), 5],
  'a transaction': [
    (executor) =>
      executor.transaction(async (tx) => [
        await tx.query('select $1::int as n, $2 as text', [1, 'one']),
        await tx.query('select 2 as n'),
      ]),
    5,
  ],
}

describe.each(['closed', 'reset'] as const)(
  'a connection that is %s in the middle of an answer',
  (ending) => {
    it.each(Object.entries(WORK))(
      'is an outage for %s, and the next one gets its own answer',
      async (_, [work, step]) => {
        const proxy = await cuttingProxy()
        const open = () => postgresExecutor(proxy.url, { ...UNLIMITED, connections: 1 })
        const whole = open()
        const expected = await work(whole)
        proxy.cutAfter(null)
        await work(whole)
        await whole.close()
        const length = proxy.received()
        expect(length).toBeGreaterThan(40)
        for (let after = 0; after < length; after += step) {
          const executor = open()
          await work(executor)
          proxy.cutAfter(after, ending)
          const failed = await work(executor).catch((error: unknown) => error)
          expect([after, failed]).toEqual([after, expect.toSatisfy(isUnavailable, 'an outage')])
          expect([after, await work(executor)]).toEqual([after, expected])
          await executor.close()
        }
      },
    )
  },
)

it('a connection that ends while it starts is an outage, and the next one starts', async () => {
  const proxy = await cuttingProxy()
  for (let after = 1; after < 500; after += 7) {
    const executor = postgresExecutor(proxy.url, { ...UNLIMITED, connections: 1 })
    proxy.cutAfter(after)
    await one(executor).catch((error: unknown) => expect(error).toSatisfy(isUnavailable, 'an outage'))
    expect(await one(executor)).toEqual([{ n: 1, text: 'one' }])
    await executor.close()
  }
})
