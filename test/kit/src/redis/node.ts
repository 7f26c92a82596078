/** One Redis of a cluster or of sentinels. */

import type { RunningServer } from '@ostiary/local-services/redis'
import { Redis } from 'ioredis'
import type { CleanUp } from '../database.ts'

export interface RedisNode {
  port: number
  /** Where the nodes of a cluster talk to each other. */
  bus?: number
  /** A connection of the test; it reconnects. */
  admin: Redis
  server: RunningServer
}

/** Where a test server listens and stores. It takes no snapshots. */
export const placeOf = (port: number, folder: string): string[] =>
  `--port ${port} --bind 127.0.0.1 --dir ${folder} --save `.split(' ')

/** Lines of `redis.conf` as arguments. */
export const argumentsOf = (settings: string): string[] =>
  linesOf(settings).flatMap(([name, ...values]) => [`--${name}`, ...values])

export const passwordIn = (settings: string): string | undefined =>
  linesOf(settings).find(([name]) => name === 'requirepass')?.[1]

const linesOf = (settings: string): string[][] =>
  settings
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(' '))

/** `host:port,host:port`. */
export const addressesOf = (nodes: readonly RedisNode[]): string =>
  nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')

export function connected(server: RunningServer, addCleanup: CleanUp, password?: string): RedisNode {
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

/** Whether the node accepts a write to this key now; for a node that runs. */
export const acceptsWrite = ({ admin }: RedisNode, key: string): Promise<boolean> =>
  admin.set(key, '', 'EX', 60).then(
    () => true,
    () => false,
  )
