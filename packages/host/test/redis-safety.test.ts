/** A Redis that may drop records, or that is not what REDIS_URL says, is not used: at the start, later, and on each new connection. */

import { startRedis, startRedisProgram } from '@ostiary/local-services/redis'
import { ownDatabase } from '@ostiary/test-kit/database'
import { eventually } from '@ostiary/test-kit/eventually'
import { freePort } from '@ostiary/test-kit/ports'
import { redisCluster } from '@ostiary/test-kit/redis/cluster'
import { redisSentinels } from '@ostiary/test-kit/redis/sentinel'
import { Redis } from 'ioredis'
import { expect, it, onTestFinished } from 'vitest'
import { createApp, createLog } from '../src/index.ts'
import { configure, FILE } from './support.ts'

const IN_REDIS = { OSTIARY_SESSIONS: 'redis' }
const NOT_READY = [503, { status: 'unavailable', database: 'ok', redis: 'down', clock: 'ok' }]
const READY = [200, { status: 'ready', database: 'ok', redis: 'ok', clock: 'ok' }]
const WITHOUT_REDIS = [200, { status: 'ready', database: 'ok', redis: 'down', clock: 'ok' }]
const EVICTS = expect.stringMatching(
  /drops records when it is full \(maxmemory-policy allkeys-lru\).*holds the sessions/,
)

async function redisWith(settings: Record<string, string>) {
  const { url, stop } = await startRedis()
  onTestFinished(stop)
  return { url, admin: await adminOf(url, settings) }
}

async function adminOf(url: string, settings: Record<string, string> = {}): Promise<Redis> {
  const admin = new Redis(url)
  onTestFinished(() => admin.disconnect())
  for (const [name, value] of Object.entries(settings)) await admin.config('SET', name, value)
  return admin
}

const EVICTING = { maxmemory: '100mb', 'maxmemory-policy': 'allkeys-lru' }

/** Stops the process, as a machine without processor time does. */
async function paused(admin: Redis): Promise<() => void> {
  const pid = Number(/process_id:(\d+)/.exec(await admin.info('server'))?.[1])
  process.kill(pid, 'SIGSTOP')
  const resume = () => void process.kill(pid, 'SIGCONT')
  onTestFinished(resume)
  return resume
}

async function opening(REDIS_URL: string, env: Record<string, string> = IN_REDIS) {
  const lines: string[] = []
  const config = await configure(FILE, { DATABASE_URL: await ownDatabase(), REDIS_URL, ...env })
  const app = await createApp(config, { log: createLog({ write: (line) => lines.push(line) }) })
  onTestFinished(() => app.stop())
  await app.start()
  const ready = async () => {
    const response = await app.fetch(new Request('http://localhost:4000/readyz'))
    return [response.status, await response.json()]
  }
  const said = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'redis is not used')
  return { app, ready, said }
}

it('Redis that is paused during the start, and evicts: not ready until it keeps its records', async () => {
  const { url, admin } = await redisWith(EVICTING)
  const resume = await paused(admin)
  const { ready, said } = await opening(url)
  expect(await ready()).toEqual(NOT_READY)
  resume()
  await eventually(() => expect(said()).toMatchObject([{ level: 'error', reason: EVICTS }]))
  expect(await ready()).toEqual(NOT_READY)
  expect(await admin.keys('*')).toEqual([])
  await admin.config('SET', 'maxmemory-policy', 'noeviction')
  await eventually(async () => expect(await ready()).toEqual(READY))
})

it('Redis that evicts after a reconnect: it is not used, and the server stays ready', async () => {
  const { url, admin } = await redisWith({})
  const { ready, said } = await opening(url)
  expect(await ready()).toEqual(READY)
  for (const [name, value] of Object.entries(EVICTING)) await admin.config('SET', name, value)
  await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
  await eventually(async () => expect(await ready()).toEqual(WITHOUT_REDIS))
  expect(said()).toMatchObject([{ reason: EVICTS }])
  await admin.config('SET', 'maxmemory-policy', 'noeviction')
  await eventually(async () => expect(await ready()).toEqual(READY))
})

it('sessions in the database: a Redis that evicts is used, and one that is paused during the start holds nothing up', async () => {
  const { url, admin } = await redisWith(EVICTING)
  const resume = await paused(admin)
  const { ready, said } = await opening(url, {})
  expect(await ready()).toEqual(WITHOUT_REDIS)
  resume()
  await eventually(async () => expect(await ready()).toEqual(READY))
  expect(said()).toEqual([])
})

it('one node of a cluster that is paused during the start is not used when it answers', async () => {
  const bus = await freePort()
  const { port, stop } = await startRedisProgram({
    args: (port, folder) =>
      `--port ${port} --bind 127.0.0.1 --dir ${folder} --cluster-enabled yes --cluster-port ${bus}`.split(
        ' ',
      ),
  })
  onTestFinished(stop)
  const url = `redis://127.0.0.1:${port}`
  const resume = await paused(await adminOf(url))
  const { ready, said } = await opening(url, {})
  expect(await ready()).toEqual(WITHOUT_REDIS)
  resume()
  const reason = expect.stringMatching(/^REDIS_URL names one node of a Redis Cluster/)
  await eventually(() => expect(said()).toMatchObject([{ reason }]))
  expect(await ready()).toEqual(WITHOUT_REDIS)
})

it('a user that may not run INFO: no server starts with the sessions in Redis', async () => {
  const { url, admin } = await redisWith({})
  await admin.acl('SETUSER', 'limited', 'on', '>hush', '~ostiary:*', '&*', '+@all', '-info', '-@admin')
  const limited = url.replace('//', '//limited:hush@')
  await expect(opening(limited)).rejects.toMatchObject({
    name: 'StorageError',
    message: expect.stringMatching(/does not say whether it drops records.*allow its user to run INFO/),
  })
  expect(await (await opening(limited, {})).ready()).toEqual(READY)
})

it('a cluster of which one master evicts: no server starts with the sessions in Redis', async () => {
  const cluster = await redisCluster(onTestFinished)
  const admin = cluster.nodes[1]?.admin
  for (const [name, value] of Object.entries(EVICTING)) await admin?.config('SET', name, value)
  await expect(opening(cluster.url)).rejects.toMatchObject({ name: 'StorageError', message: EVICTS })
})

it('sentinels: a new master that evicts is not used', async () => {
  const { url, nodes, master, failOver } = await redisSentinels(onTestFinished)
  const { ready, said } = await opening(url)
  expect(await ready()).toEqual(READY)
  for (const { admin } of nodes.slice(1))
    for (const [name, value] of Object.entries(EVICTING)) await admin.config('SET', name, value)
  await failOver()
  await eventually(() => expect(said()).toMatchObject([{ reason: EVICTS }]))
  await eventually(async () => expect(await ready()).toEqual(WITHOUT_REDIS))
  await (await master()).admin.config('SET', 'maxmemory-policy', 'noeviction')
  await eventually(async () => expect(await ready()).toEqual(READY))
})
