/** A random prefix in the Redis that REDIS_URL names, so that tests change no other keys. */

import { Redis, type RedisOptions } from 'ioredis'

export function connect(options: Pick<RedisOptions, 'keyPrefix' | 'lazyConnect'> = {}): Redis {
  const url = process.env.REDIS_URL
  if (!url) throw new Error('REDIS_URL names no server: run `pnpm test`, which starts one')
  return new Redis(url, { maxRetriesPerRequest: 2, ...options })
}

export const randomPrefix = (): string => `ostiary-test-${crypto.randomUUID()}:`

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
