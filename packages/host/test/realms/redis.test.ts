/** With a Redis beside the database: background work in realms that this process has not used, and the purge of deleted ones. */

import { personTag } from '@ostiary/core'
import { redisStorage } from '@ostiary/storage-redis'
import { service } from '@ostiary/test-kit/database'
import { eventually } from '@ostiary/test-kit/eventually'
import { Redis } from 'ioredis'
import { expect, it, onTestFinished } from 'vitest'
import { FILE, now, realmsPlace } from './_place.ts'

const DAY = 86_400
const session = (expires_at: number) => ({
  sid: `sid${personTag('ann')}`,
  session_hash: `hash${personTag('ann')}`,
  sub: 'ann',
  auth_time: 1,
  amr: ['pwd'],
  acr: null,
  created_at: 1,
  raised_at: null,
  expires_at,
  user_agent: null,
  last_used_at: null,
  client_ids: [],
})

/** Other tests use the same Redis. */
async function place() {
  const REDIS_URL = service('REDIS_URL')
  const redis = new Redis(REDIS_URL)
  onTestFinished(() => redis.disconnect())
  const realm = `made-${crypto.randomUUID()}`
  const records = await realmsPlace()
  await records.make(realm)
  return {
    ...records,
    realm,
    quick: redisStorage(redis)(realm),
    keys: async () => (await redis.keys(`*{${realm}*`)).length,
    serve: () => records.start(FILE, { tick_every: 5, env: { REDIS_URL, OSTIARY_SESSIONS: 'redis' } }),
  }
}

it('a session that has expired in a realm is ended, also where no one has used the realm since the start', async () => {
  const { quick, serve } = await place()
  await quick.sessions.create(session(now() - 1))
  expect(await quick.sessions.expired(now(), 10)).toHaveLength(1)
  await serve()
  await eventually(async () => expect(await quick.sessions.expired(now(), 10)).toEqual([]))
})

it('a deleted realm has no keys after its purge', async () => {
  const { quick, keys, realm, store, serve } = await place()
  await quick.sessions.create(session(now() + 30 * DAY))
  await quick.throttle.hit('login:ann', 600, now())
  expect(await keys()).toBeGreaterThan(2)
  await store.remove(realm, { version: 1 }, now() - 8 * DAY)
  await serve()
  await eventually(async () => expect(await keys()).toBe(0))
})
