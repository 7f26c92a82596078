/**
 * A Redis with two replicas and three sentinels, under load: the master is killed and a replica takes over; the old master comes
 * back as a replica; the sentinels fail over on command.
 */

import { MASTER_NAME, redisSentinels } from '@ostiary/test-kit/redis-sentinel'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startDrill } from './redis-drill.ts'

it.each(['redis', 'database'])('sentinels, with sessions in: %s', async (sessions) => {
  const redis = await redisSentinels(onTestFinished)
  const drill = await startDrill(['one', 'two'], { REDIS_URL: redis.url, sessions })
  await drill.served()

  const master = await redis.master()
  const seconds_until_served_after_a_kill = await drill.outage(drill.realms, () => master.server.kill())
  const promoted = await redis.master()
  expect(promoted).not.toBe(master)

  await master.server.resume()
  await vi.waitUntil(async () => (await master.admin.info('replication')).includes('master_link_status:up'), {
    timeout: 30_000,
  })
  await drill.served()

  // The sentinels disconnect the clients of the old master: a command that waits for the new one may never see a 503.
  const began = performance.now()
  await redis.sentinels[0]?.admin.call('SENTINEL', 'FAILOVER', MASTER_NAME)
  await vi.waitUntil(async () => (await redis.master()) !== promoted, { timeout: 30_000 })
  await drill.served()
  const seconds_until_served_after_a_switch = Math.round((performance.now() - began) / 100) / 10
  await drill.finish(`Redis Sentinel, sessions in ${sessions}`, {
    seconds_until_served_after_a_kill,
    seconds_until_served_after_a_switch,
  })
})
