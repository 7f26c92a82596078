/** The conditions on which `connect` uses a Redis: looked at on each new connection, and again while it is open. */

import { startRedis, startRedisProgram } from '@ostiary/local-services/redis'
import { eventually } from '@ostiary/test-kit/eventually'
import { freePort } from '@ostiary/test-kit/ports'
import { redisCluster } from '@ostiary/test-kit/redis/cluster'
import { Redis } from 'ioredis'
import { expect, it, onTestFinished } from 'vitest'
import { connect, diagnose, type RedisEvent } from '../src/index.ts'

const EVICTS = expect.stringMatching(
  /drops records when it is full \(maxmemory-policy allkeys-lru\).*holds the sessions/,
)
const EVICTING = { maxmemory: '100mb', 'maxmemory-policy': 'allkeys-lru' }

async function ownRedis() {
  const { url, stop } = await startRedis()
  onTestFinished(stop)
  const admin = new Redis(url)
  onTestFinished(() => admin.disconnect())
  return { url, admin }
}

/** Stops the process, as a machine without processor time does. */
async function paused(admin: Redis): Promise<() => void> {
  const pid = Number(/process_id:(\d+)/.exec(await admin.info('server'))?.[1])
  process.kill(pid, 'SIGSTOP')
  const resume = () => void process.kill(pid, 'SIGCONT')
  onTestFinished(resume)
  return resume
}

/** A client that asks every 50 ms instead of every minute. */
async function client(url: string) {
  const { redis, refusal, close } = await connect(url, { holds_sessions: true, ask_every_ms: 50 })
  onTestFinished(close)
  const write = (key = 'x') =>
    redis.set(key, '').then(
      () => 'written',
      () => 'refused',
    )
  return { redis, refusal, write }
}

it('a policy that changes while the connection is open is noticed', async () => {
  const { url, admin } = await ownRedis()
  const { refusal, write } = await client(url)
  expect([await write(), refusal()]).toEqual(['written', null])
  for (const [name, value] of Object.entries(EVICTING)) await admin.config('SET', name, value)
  await eventually(() => expect(refusal()).toEqual(EVICTS))
  expect(await write()).toBe('refused')
  await admin.config('SET', 'maxmemory-policy', 'noeviction')
  await eventually(async () => expect(await write()).toBe('written'))
  expect(refusal()).toBeNull()
})

it('an answer that is missing closes an open connection', async () => {
  const { url, admin } = await ownRedis()
  const { redis, write } = await client(url)
  expect(await write()).toBe('written')
  let closed = 0
  redis.on('close', () => {
    closed += 1
  })
  const resume = await paused(admin)
  await eventually(() => expect(closed).toBeGreaterThan(0))
  resume()
  await eventually(async () => expect(await write()).toBe('written'))
})

it('a cluster: a master that evicts is not used, the others are', async () => {
  const cluster = await redisCluster(onTestFinished)
  const { write, refusal } = await client(cluster.url)
  /** A key for each of the three masters. */
  const keys = ['{a}', '{b}', '{c}']
  await eventually(async () =>
    expect(await Promise.all(keys.map(write))).toEqual(['written', 'written', 'written']),
  )
  const slot = await cluster.nodes[0]?.admin.cluster('KEYSLOT', '{a}')
  const master = await cluster.masterOf(Number(slot))
  for (const [name, value] of Object.entries(EVICTING)) await master.admin.config('SET', name, value)
  await eventually(() => expect(refusal()).toEqual(EVICTS))
  await eventually(async () =>
    expect(await Promise.all(keys.map(write))).toEqual(['refused', 'written', 'written']),
  )
  await master.admin.config('SET', 'maxmemory-policy', 'noeviction')
  await eventually(async () =>
    expect(await Promise.all(keys.map(write))).toEqual(['written', 'written', 'written']),
  )
})

it('what it reports: an outage once, its end, a server that is not used, and that it is used again', async () => {
  const { url, admin } = await ownRedis()
  const events: RedisEvent[] = []
  const report = (event: RedisEvent) => events.push(event)
  const { check, close, hasAnswered } = await connect(url, { holds_sessions: true, ask_every_ms: 50, report })
  onTestFinished(close)
  await check()
  expect([hasAnswered(), events]).toEqual([true, []])
  for (const [name, value] of Object.entries(EVICTING)) await admin.config('SET', name, value)
  const node = new URL(url).host
  await eventually(() => expect(events[0]).toEqual({ type: 'refused', node, reason: EVICTS }))
  await expect(check()).rejects.toThrow()
  await admin.config('SET', 'maxmemory-policy', 'noeviction')
  await eventually(() => check())
  expect(
    events.map(({ type }) => type).filter((type) => type !== 'unavailable' && type !== 'available'),
  ).toEqual(['refused', 'accepted'])
})

it('without a Redis it resolves, and reports one outage; the end is reported too', async () => {
  const port = await freePort()
  const events: RedisEvent[] = []
  const report = (event: RedisEvent) => events.push(event)
  const url = `redis://127.0.0.1:${port}`
  const { check, close, hasAnswered, refusal } = await connect(url, { holds_sessions: true, report })
  onTestFinished(close)
  expect([hasAnswered(), refusal()]).toEqual([false, null])
  await expect(check()).rejects.toThrow()
  expect(events).toEqual([{ type: 'unavailable', error: expect.objectContaining({ code: 'ECONNREFUSED' }) }])
  const { stop } = await startRedisProgram({
    args: (_, folder) => `--port ${port} --bind 127.0.0.1 --dir ${folder}`.split(' '),
  })
  onTestFinished(stop)
  await eventually(() => check())
  expect(hasAnswered()).toBe(true)
  expect(events.map(({ type }) => type)).toEqual(['unavailable', 'available'])
})

it('an address that is refused', async () => {
  await expect(connect('redis://a,b', { holds_sessions: false })).rejects.toThrow(
    /^several hosts are sentinels/,
  )
  await expect(diagnose('redis://a,b', { holds_sessions: false, shown_as: 'it' })).rejects.toThrow(
    /^several hosts are sentinels/,
  )
})
