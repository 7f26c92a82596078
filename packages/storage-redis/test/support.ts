/** A random prefix in the Redis that REDIS_URL names, so that tests change no other keys. */

import { eventually } from '@ostiary/test-kit/eventually'
import { Redis, type RedisOptions } from 'ioredis'
import { afterAll } from 'vitest'

export function connect(options: Pick<RedisOptions, 'keyPrefix' | 'lazyConnect'> = {}): Redis {
  const url = process.env.REDIS_URL
  if (!url) throw new Error('REDIS_URL names no server: run `pnpm test`, which starts one')
  return new Redis(url, { maxRetriesPerRequest: 2, ...options })
}

export const randomPrefix = (): string => `ostiary-test-${crypto.randomUUID()}:`

/** A connection and a prefix for one test file. The keys below the prefix are deleted after its last test. */
export function ownCorner(): { redis: Redis; prefix: string } {
  const redis = connect()
  const prefix = randomPrefix()
  afterAll(async () => {
    await removeBelow(redis, prefix)
    redis.disconnect()
  })
  return { redis, prefix }
}

export async function keysBelow(redis: Redis, prefix: string): Promise<string[]> {
  const keys = new Set<string>()
  for await (const batch of redis.scanStream({ match: `${prefix}*`, count: 1000 }))
    for (const key of batch) keys.add(key)
  return [...keys].sort()
}

export async function removeBelow(redis: Redis, prefix: string): Promise<void> {
  const keys = await keysBelow(redis, prefix)
  for (let i = 0; i < keys.length; i += 1000) await redis.unlink(keys.slice(i, i + 1000))
}

/** The commands that Redis gets for keys below the prefix while this runs; those of scripts are not among them. */
export async function commandsOf(
  redis: Redis,
  prefix: string,
  run: () => Promise<unknown>,
): Promise<string[][]> {
  const monitor = await redis.monitor()
  const commands: string[][] = []
  monitor.on('monitor', (_time, command: string[], source: string) => {
    if (source !== 'lua') commands.push(command)
  })
  const end = crypto.randomUUID()
  await run()
  await redis.echo(end)
  await eventually(() => commands.some((command) => command.includes(end)))
  monitor.disconnect()
  return commands.filter((command) => command.some((argument) => argument.startsWith(prefix)))
}
