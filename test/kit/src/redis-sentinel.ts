/** A Redis with two replicas and three sentinels, of one test. */

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RunningServer, startRedisProgram } from '@ostiary/local-services/redis'
import { Redis } from 'ioredis'
import type { CleanUp } from './database.ts'
import type { RedisNode } from './redis-cluster.ts'

export const MASTER_NAME = 'mymaster'

export interface SentinelSettings {
  replicas?: number
  sentinels?: number
  /** Further arguments of the master and its replicas: `--requirepass hush`. */
  settings?: string
  /** Further lines of each sentinel's configuration. */
  sentinel?: string[]
}

export interface RedisSentinels {
  /** `redis+sentinel://…/mymaster`. */
  url: string
  /** The first one was made the master. */
  nodes: RedisNode[]
  sentinels: RedisNode[]
  /** The master that the first sentinel names. */
  master(): Promise<RedisNode>
}

export async function redisSentinels(
  addCleanup: CleanUp,
  { replicas = 2, sentinels = 3, settings = '', sentinel = [] }: SentinelSettings = {},
): Promise<RedisSentinels> {
  const password = /--requirepass (\S+)/.exec(settings)?.[1]
  const start = async (args: (port: number, folder: string) => string[], ready?: RegExp) => {
    const server = await startRedisProgram({ args, ...(ready && { ready }) })
    addCleanup(() => server.stop())
    return connected(server, addCleanup, ready ? undefined : password)
  }
  const replica = (more: string) =>
    start((port, folder) =>
      `--port ${port} --bind 127.0.0.1 --dir ${folder} --save  ${more} ${settings}`.trim().split(' '),
    )
  const master = await replica('--repl-diskless-sync-delay 0')
  const others = await Promise.all(
    Array.from({ length: replicas }, () => replica(`--replicaof 127.0.0.1 ${master.port}`)),
  )
  for (const { admin } of others)
    await poll(async () => (await admin.info('replication')).includes('master_link_status:up'))
  const quorum = Math.floor(sentinels / 2) + 1
  const lines = [
    `sentinel monitor ${MASTER_NAME} 127.0.0.1 ${master.port} ${quorum}`,
    `sentinel down-after-milliseconds ${MASTER_NAME} 1000`,
    `sentinel failover-timeout ${MASTER_NAME} 3000`,
    ...(password === undefined ? [] : [`sentinel auth-pass ${MASTER_NAME} ${password}`]),
    ...sentinel,
  ]
  const watching = await Promise.all(
    Array.from({ length: sentinels }, () =>
      start((port, folder) => sentinelArgs(lines, { port, folder }), /\+monitor master/),
    ),
  )
  for (const { admin } of watching)
    await poll(async () => knows(await state(admin), { slaves: replicas, sentinels }))
  const [first] = watching
  if (first === undefined) throw new Error('no sentinel')
  return {
    url: `redis+sentinel://${watching.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${MASTER_NAME}`,
    nodes: [master, ...others],
    sentinels: watching,
    async master() {
      const [, port] = (await first.admin.call(
        'SENTINEL',
        'GET-MASTER-ADDR-BY-NAME',
        MASTER_NAME,
      )) as string[]
      const found = [master, ...others].find((each) => each.port === Number(port))
      if (found === undefined) throw new Error(`no server has port ${port}`)
      return found
    },
  }
}

/** A sentinel keeps its state in its configuration file. */
function sentinelArgs(lines: string[], { port, folder }: { port: number; folder: string }): string[] {
  const file = join(folder, 'sentinel.conf')
  if (!existsSync(file))
    writeFileSync(file, [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, ...lines, ''].join('\n'))
  return [file, '--sentinel']
}

function connected(server: RunningServer, addCleanup: CleanUp, password: string | undefined): RedisNode {
  const admin = new Redis(server.port, '127.0.0.1', {
    retryStrategy: () => 50,
    maxRetriesPerRequest: null,
    ...(password !== undefined && { password }),
  })
  // The test may have killed the server.
  admin.on('error', () => {})
  addCleanup(() => admin.disconnect())
  return { port: server.port, admin, server }
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

async function poll(isRight: () => Promise<boolean>): Promise<void> {
  const limit = Date.now() + 30_000
  while (!(await isRight())) {
    if (Date.now() > limit) throw new Error('the sentinels are not ready within 30 s')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
