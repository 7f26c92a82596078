/** A Redis with two replicas and three sentinels, of one test. */

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RedisStart, type RunningServer, startRedisProgram } from '@ostiary/local-services/redis'
import type { Redis } from 'ioredis'
import type { CleanUp } from '../database.ts'
import { eventually } from '../eventually.ts'
import { addressesOf, argumentsOf, connected, passwordIn, placeOf, type RedisNode } from './node.ts'

const MASTER_NAME = 'mymaster'

export interface SentinelSettings {
  replicas?: number
  sentinels?: number
  /** Lines of `redis.conf` of the master and its replicas, without those for its place. */
  settings?: string
  /** Lines of `sentinel.conf`, without `sentinel monitor`. */
  sentinel_settings?: string
}

export interface RedisSentinels {
  /** `redis+sentinel://…/mymaster`. */
  url: string
  /** Of the sentinels, as in the URL: `host:port,host:port`. */
  addresses: string
  /** The first one was made the master. */
  nodes: RedisNode[]
  sentinels: RedisNode[]
  /** The master that the first sentinel names. */
  master(): Promise<RedisNode>
  /** Resolves when the first sentinel names another master. It is asked again when a failover that it began has no result. */
  failOver(): Promise<void>
}

const FAST = `sentinel down-after-milliseconds ${MASTER_NAME} 1000
sentinel failover-timeout ${MASTER_NAME} 3000`

export async function redisSentinels(
  addCleanup: CleanUp,
  { replicas = 2, sentinels = 3, settings = '', sentinel_settings = FAST }: SentinelSettings = {},
): Promise<RedisSentinels> {
  const password = passwordIn(settings)
  const server = async (more = '') => {
    const args = (port: number, folder: string) => [
      ...placeOf(port, folder),
      ...argumentsOf(`${settings}\n${more}`),
    ]
    return connected(await started(addCleanup, { args }), addCleanup, password)
  }
  const master = await server()
  const others = await Promise.all(
    Array.from({ length: replicas }, () => server(`replicaof 127.0.0.1 ${master.port}`)),
  )
  for (const { admin } of others)
    await eventually(async () => (await admin.info('replication')).includes('master_link_status:up'))
  const quorum = Math.floor(sentinels / 2) + 1
  const monitor = `sentinel monitor ${MASTER_NAME} 127.0.0.1 ${master.port} ${quorum}`
  const watcher = async () => {
    const args = (port: number, folder: string) =>
      sentinelArgs(`${monitor}\n${sentinel_settings}`, { port, folder })
    return connected(await started(addCleanup, { args, ready: /\+monitor master/ }), addCleanup)
  }
  const watching = await Promise.all(Array.from({ length: sentinels }, watcher))
  const [first] = watching
  if (first === undefined) throw new Error('no sentinel')
  for (const { admin } of watching)
    await eventually(async () => knows(await state(admin), { slaves: replicas, sentinels }))
  const current = async () => {
    const place = await first.admin.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', MASTER_NAME)
    const port = Number((place as string[])[1])
    const found = [master, ...others].find((each) => each.port === port)
    if (found === undefined) throw new Error(`no server has port ${port}`)
    return found
  }
  return {
    url: `redis+sentinel://${addressesOf(watching)}/${MASTER_NAME}`,
    addresses: addressesOf(watching),
    nodes: [master, ...others],
    sentinels: watching,
    master: current,
    async failOver() {
      const old = await current()
      await eventually(async () => {
        if ((await current()) !== old) return true
        // An error while a failover is under way, or while no replica is fit to be the master.
        await first.admin.call('SENTINEL', 'FAILOVER', MASTER_NAME)
        return false
      })
    },
  }
}

async function started(addCleanup: CleanUp, start: RedisStart): Promise<RunningServer> {
  const server = await startRedisProgram(start)
  addCleanup(() => server.stop())
  return server
}

/** A sentinel keeps its state in its configuration file. */
function sentinelArgs(settings: string, { port, folder }: { port: number; folder: string }): string[] {
  const file = join(folder, 'sentinel.conf')
  if (!existsSync(file)) writeFileSync(file, `port ${port}\nbind 127.0.0.1\ndir ${folder}\n${settings}\n`)
  return [file, '--sentinel']
}

async function state(sentinel: Redis): Promise<Map<string, string>> {
  const fields = (await sentinel.call('SENTINEL', 'MASTER', MASTER_NAME)) as string[]
  return new Map(fields.flatMap((name, i) => (i % 2 === 0 ? [[name, fields[i + 1] ?? '']] : [])))
}

function knows(found: Map<string, string>, wanted: { slaves: number; sentinels: number }): boolean {
  return (
    found.get('num-slaves') === `${wanted.slaves}` &&
    found.get('num-other-sentinels') === `${wanted.sentinels - 1}`
  )
}
