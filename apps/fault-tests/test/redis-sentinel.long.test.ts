/**
 * A Redis with two replicas and three sentinels, under load: the master is killed and a replica takes over; the old master comes
 * back as a replica; the sentinels fail over on command.
 * Settings and address are the blocks of docs/run-it.md.
 */

import { eventually } from '@ostiary/test-kit/eventually'
import { acceptsWrite, type RedisNode } from '@ostiary/test-kit/redis/node'
import { redisSentinels } from '@ostiary/test-kit/redis/sentinel'
import { expect, it, onTestFinished } from 'vitest'
import { WEEKLY } from '../../../vitest.shared.ts'
import { blockWith, linesWithout, redisUrl } from './page-blocks.ts'
import { startDrill } from './redis-drill.ts'

const SETTINGS = blockWith('# redis.conf of the three servers')
// The test's sentinels monitor its own master.
const SENTINEL = linesWithout(blockWith('# sentinel.conf of'), 'sentinel monitor')

it.each([WEEKLY ? 'database' : 'redis'])('sentinels, with sessions in: %s', async (sessions) => {
  const redis = await redisSentinels(onTestFinished, { settings: SETTINGS, sentinel_settings: SENTINEL })
  const drill = await startDrill(['one', 'two'], {
    REDIS_URL: redisUrl('redis+sentinel', redis.addresses),
    sessions,
  })

  /** Whether there is another master, which accepts writes. */
  const isReplaced = async (lost: RedisNode) => {
    const found = await redis.master()
    return found !== lost && acceptsWrite(found, 'drill')
  }
  const master = await redis.master()
  const seconds_until_served = await drill.outage(drill.realms, {
    begin: () => master.server.kill(),
    isOver: () => isReplaced(master),
  })
  const promoted = await redis.master()
  expect(promoted).not.toBe(master)

  await master.server.resume()
  await eventually(async () => (await master.admin.info('replication')).includes('master_link_status:up'))
  await drill.served()

  // The old master still answers: without the announcement, servers would use it for ten more seconds.
  await redis.failOver()
  await eventually(() => isReplaced(promoted))
  const switched = performance.now()
  await drill.served()
  const seconds_after_a_switch = Math.round((performance.now() - switched) / 100) / 10
  await drill.finish(`Redis Sentinel, sessions in ${sessions}`, {
    seconds_until_served,
    seconds_after_a_switch,
  })
})
