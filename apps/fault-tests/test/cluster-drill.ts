/**
 * A Redis Cluster of three masters with a replica each, under load: a master is killed and its replica takes over; the killed
 * node comes back; the slot of a realm's counters and pending requests moves to another master.
 * Settings and address are the blocks of docs/run-it.md.
 */

import { eventually } from '@ostiary/test-kit/eventually'
import { type RedisCluster, redisCluster } from '@ostiary/test-kit/redis/cluster'
import { acceptsWrite, type RedisNode } from '@ostiary/test-kit/redis/node'
import { expect, onTestFinished } from 'vitest'
import { blockWith, linesWithout, redisUrl } from './page-blocks.ts'
import { startDrill } from './redis-drill.ts'

const SETTINGS = linesWithout(blockWith('cluster-enabled yes'), 'cluster-enabled')
const PASSWORD = 'password'

interface Place {
  realm: string
  slot: number
}

/** Realms whose counters and pending requests are on the first, the second and the third master, and the slots of these. */
async function realmsOf(cluster: RedisCluster): Promise<Place[]> {
  const found = new Map<number, Place>()
  for (let n = 0; found.size < 3; n += 1) {
    const realm = `realm-${n}`
    const slot = Number(await cluster.nodes[0]?.admin.cluster('KEYSLOT', `ostiary:{${realm}}:`))
    const { port } = await cluster.masterOf(slot)
    if (!found.has(port)) found.set(port, { realm, slot })
  }
  return [...found.values()]
}

/** Moves a slot as `redis-cli --cluster reshard` does. @param half Resolves when the second half may follow. */
async function move(slot: number, [from, to]: [RedisNode, RedisNode], half: () => Promise<unknown>) {
  const [from_id, to_id] = await Promise.all([from, to].map(({ admin }) => admin.cluster('MYID')))
  await to.admin.cluster('SETSLOT', slot, 'IMPORTING', `${from_id}`)
  await from.admin.cluster('SETSLOT', slot, 'MIGRATING', `${to_id}`)
  const moved = await moveKeys(slot, [from, to], 10)
  await half()
  const rest = await moveKeys(slot, [from, to], Number.POSITIVE_INFINITY)
  for (const { admin } of [to, from]) await admin.cluster('SETSLOT', slot, 'NODE', `${to_id}`)
  return moved + rest
}

/** @returns How many keys it moved: at most so many, in steps of ten. */
async function moveKeys(slot: number, [from, to]: [RedisNode, RedisNode], most: number): Promise<number> {
  let moved = 0
  while (moved < most) {
    const keys = (await from.admin.cluster('GETKEYSINSLOT', slot, 10)) as string[]
    if (keys.length === 0) break
    await from.admin.migrate('127.0.0.1', to.port, '', 0, 5000, 'AUTH', PASSWORD, 'KEYS', ...keys)
    moved += keys.length
  }
  return moved
}

/** @param sessions Where they are: `redis` or `database`. */
export async function clusterDrill(sessions: 'redis' | 'database'): Promise<void> {
  const cluster = await redisCluster(onTestFinished, SETTINGS)
  const places = await realmsOf(cluster)
  /** Whether the slot of a realm has another master, which accepts writes. @param nodes The lost master, and another node. */
  const isReplaced = async ({ slot, realm }: Place, [lost, seen_by]: [RedisNode, RedisNode]) => {
    const found = await cluster.masterOf(slot, seen_by)
    return found !== lost && acceptsWrite(found, `drill:{${realm}}`)
  }
  const drill = await startDrill(
    places.map(({ realm }) => realm),
    { REDIS_URL: redisUrl('redis+cluster', cluster.addresses), sessions },
  )
  const [killed, moved] = places.map((place, n) => ({ ...place, tally: drill.realms[n] }))
  if (!killed?.tally || !moved?.tally) throw new Error('too few realms')

  const master = await cluster.masterOf(killed.slot)
  const other = cluster.nodes.find((node) => node !== master) as RedisNode
  const seconds_until_served = await drill.outage([killed.tally], {
    begin: () => master.server.kill(),
    isOver: () => isReplaced(killed, [master, other]),
  })
  const promoted = await cluster.masterOf(killed.slot, other)
  expect(promoted).not.toBe(master)

  await master.server.resume()
  await eventually(async () => (await master.admin.info('replication')).includes('master_link_status:up'))
  await drill.served()

  const source = await cluster.masterOf(moved.slot, other)
  const { tally } = moved
  const before_the_move = tally.unavailable
  const refused = () => eventually(() => tally.unavailable >= before_the_move + 3)
  const keys_moved = await move(moved.slot, [source, promoted], refused)
  const answered_503_by_the_move = tally.unavailable - before_the_move
  await drill.served()
  expect(await cluster.masterOf(moved.slot, source)).toBe(promoted)

  // The node that came back takes over.
  const seconds_after_the_second_kill = await drill.outage([killed.tally, moved.tally], {
    begin: () => promoted.server.kill(),
    isOver: () => isReplaced(moved, [promoted, source]),
  })
  await drill.finish(`Redis Cluster, sessions in ${sessions}`, {
    seconds_until_served,
    seconds_after_the_second_kill,
    keys_moved,
    answered_503_by_the_move,
  })
}
