/** The whole content of a database, as text. */

import type { Queries } from '@ostiary/storage-postgres'
import type { Redis } from 'ioredis'

export async function dumpPostgres(database: Queries): Promise<string> {
  const tables = await database.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  const rows = await Promise.all(
    tables.map(async ({ name }) => {
      const found = await database.query<{ row: string }>(`select row_to_json(t)::text as row from ${name} t`)
      return found.map(({ row }) => `${name} ${row}`)
    }),
  )
  return rows.flat().join('\n')
}

export async function dumpRedis(redis: Redis): Promise<string> {
  const lines: string[] = []
  for await (const keys of redis.scanStream({ count: 1000 }))
    for (const key of keys as string[]) lines.push(`${key} ${JSON.stringify(await contentOf(redis, key))}`)
  return lines.join('\n')
}

async function contentOf(redis: Redis, key: string): Promise<unknown> {
  const type = await redis.type(key)
  if (type === 'string') return redis.get(key)
  if (type === 'hash') return redis.hgetall(key)
  if (type === 'set') return redis.smembers(key)
  if (type === 'zset') return redis.zrange(key, 0, '-1', 'WITHSCORES')
  if (type === 'list') return redis.lrange(key, 0, -1)
  throw new Error(`${key} is a ${type}: say here how it is read`)
}
