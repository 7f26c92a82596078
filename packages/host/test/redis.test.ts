/** What Redis is, as the address and INFO say, and whether it accepts writes: at the start, and in /readyz. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RedisStart, startRedis, startRedisProgram } from '@ostiary/local-services/redis'
import { ownDatabase } from '@ostiary/test-kit/database'
import { eventually } from '@ostiary/test-kit/eventually'
import { Redis } from 'ioredis'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createApp, createLog } from '../src/index.ts'
import { proxy } from './proxy.ts'
import { configure, FILE } from './support.ts'

async function opening(REDIS_URL: string, more: Record<string, string> = {}) {
  const config = await configure(FILE, { DATABASE_URL: await ownDatabase(), REDIS_URL, ...more })
  const app = await createApp(config, { log: createLog({ write: () => {} }) })
  onTestFinished(() => app.stop())
  return app
}

async function ownRedis() {
  const { url, stop } = await startRedis()
  onTestFinished(stop)
  const admin = new Redis(url)
  onTestFinished(() => admin.disconnect())
  return { url, admin }
}

async function ownProgram(start: RedisStart): Promise<string> {
  const { port, stop } = await startRedisProgram(start)
  onTestFinished(stop)
  return `127.0.0.1:${port}`
}

describe('a server does not start when REDIS_URL names', () => {
  it('one node of a cluster', async () => {
    const args = (port: number, folder: string) =>
      `--port ${port} --bind 127.0.0.1 --dir ${folder} --cluster-enabled yes --cluster-port ${port - 10_000}`.split(
        ' ',
      )
    const host = await ownProgram({ args })
    await expect(opening(`redis://:@${host}/0`)).rejects.toMatchObject({
      name: 'StorageError',
      message:
        'REDIS_URL names one node of a Redis Cluster, which refuses the keys of the other nodes: give the cluster, ' +
        `redis+cluster://${host}, with further nodes after a comma`,
    })
  })

  it('a sentinel', async () => {
    const args = (port: number, folder: string) => {
      const file = join(folder, 'sentinel.conf')
      writeFileSync(file, `port ${port}\nbind 127.0.0.1\n`)
      return [file, '--sentinel']
    }
    const host = await ownProgram({ args, ready: /Sentinel ID is/ })
    await expect(opening(`redis://${host}`)).rejects.toMatchObject({
      name: 'StorageError',
      message:
        'REDIS_URL names a sentinel, which stores no records: give the sentinels and the name of the master, such as ' +
        'redis+sentinel://host1:26379,host2:26379,host3:26379/master-name',
    })
  })
})

it('/readyz: 200 that names Redis while it refuses writes', async () => {
  const { url, admin } = await ownRedis()
  await admin.acl('SETUSER', 'limited', 'on', '>hush', '~ostiary:*', '&*', '+@all', '-info', '-@admin')
  const app = await opening(url.replace('//', '//limited:hush@'))
  await app.start()
  const ready = async () => {
    const response = await app.fetch(new Request('http://localhost:4000/readyz'))
    const { redis } = (await response.json()) as { redis: string }
    return { status: response.status, redis }
  }
  const up = { status: 200, redis: 'ok' }
  const down = { status: 200, redis: 'down' }
  expect(await ready()).toEqual(up)
  for (const setting of ['maxmemory', 'min-replicas-to-write']) {
    await admin.config('SET', setting, '1')
    await eventually(async () => expect(await ready()).toEqual(down))
    await admin.config('SET', setting, '0')
    await eventually(async () => expect(await ready()).toEqual(up))
  }
  const [key = '', ...others] = await admin.keys('*')
  expect([key, others]).toEqual(['ostiary:ready', []])
  expect(await admin.ttl(key)).toBeGreaterThan(0)
})

it('a master that becomes a replica: the server connects again, and finds the new master at the same address', async () => {
  const [old, next] = [await ownRedis(), await ownRedis()]
  const { url, leadTo } = await proxy(old.url)
  const app = await opening(url, { OSTIARY_OIDC__CLIENTS__REGISTRATION__ENABLED: 'true' })
  await app.start()
  // It counts in Redis.
  const register = async () => {
    const body = JSON.stringify({ redirect_uris: ['https://client.example.com/callback'] })
    const headers = { 'content-type': 'application/json' }
    const request = new Request('http://localhost:4000/oauth/register', { method: 'POST', headers, body })
    return (await app.fetch(request, { address: '203.0.113.5' })).status
  }
  expect(await register()).toBe(201)
  // The connections of the server stay open.
  await old.admin.replicaof('127.0.0.1', Number(new URL(next.url).port))
  leadTo(next.url)
  expect(await register()).toBe(503)
  await eventually(async () => expect(await register()).toBe(201))
})
