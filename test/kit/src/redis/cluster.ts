/** A Redis Cluster of three masters with a replica each, of one test. */

import { freePort } from '@ostiary/local-services/ports'
import { startRedisProgram } from '@ostiary/local-services/redis'
import type { CleanUp } from '../database.ts'
import { eventually } from '../eventually.ts'
import { addressesOf, argumentsOf, connected, passwordIn, placeOf, type RedisNode } from './node.ts'

export interface RedisCluster {
  /** `redis+cluster://…` with all nodes. */
  url: string
  /** Of all nodes, as in the URL: `host:port,host:port`. */
  addresses: string
  /** The first three were made masters, each of the others is a replica of one of them. */
  nodes: RedisNode[]
  /** The master of a slot, as `from` sees it. */
  masterOf(slot: number, from?: RedisNode): Promise<RedisNode>
}

/** A master that does not answer for a second is replaced. */
const FAST = 'cluster-node-timeout 1000'
const SLOTS = 16_384
const MASTERS = 3

/** @param settings Lines of `redis.conf` of each node, without those for its place. */
export async function redisCluster(addCleanup: CleanUp, settings = FAST): Promise<RedisCluster> {
  const nodes = await Promise.all(Array.from({ length: 2 * MASTERS }, () => node(addCleanup, settings)))
  const masters = nodes.slice(0, MASTERS)
  const [first] = nodes
  if (first === undefined) throw new Error('a cluster without nodes')
  await Promise.all(masters.map(({ admin }, n) => admin.cluster('ADDSLOTSRANGE', start(n), start(n + 1) - 1)))
  for (const [n, { admin }] of nodes.entries()) await admin.cluster('SET-CONFIG-EPOCH', n + 1)
  for (const { admin } of nodes.slice(1)) await admin.cluster('MEET', '127.0.0.1', first.port, first.bus ?? 0)
  for (const each of nodes) await until(each, (table) => table.length === nodes.length)
  const ids = await Promise.all(masters.map(({ admin }) => admin.cluster('MYID')))
  await Promise.all(nodes.slice(MASTERS).map(({ admin }, n) => admin.cluster('REPLICATE', `${ids[n]}`)))
  // Each node knows the roles of all others and has all slots, and each replica has its master's records.
  for (const each of nodes)
    await until(
      each,
      (table) => table.filter((line) => / slave /.test(line.replaceAll(',', ' '))).length === MASTERS,
    )
  for (const { admin } of nodes) {
    await eventually(async () => `${await admin.cluster('INFO')}`.includes('cluster_state:ok'))
    await eventually(async () => !(await admin.info('replication')).includes('master_link_status:down'))
  }
  return {
    url: `redis+cluster://${addressesOf(nodes)}`,
    addresses: addressesOf(nodes),
    nodes,
    async masterOf(slot, from = first) {
      const port = portOf(await from.admin.cluster('SLOTS'), slot)
      const found = nodes.find((each) => each.port === port)
      if (found === undefined) throw new Error(`no node has slot ${slot}`)
      return found
    },
  }
}

/** The first slot of a master. */
const start = (n: number): number => Math.floor((n * SLOTS) / MASTERS)

/** The port of a slot's master. @param ranges The answer to CLUSTER SLOTS. */
function portOf(ranges: unknown, slot: number): number | undefined {
  const found = (ranges as [first: number, last: number, master: [string, number]][]).find(
    ([first, last]) => first <= slot && slot <= last,
  )
  return found?.[2][1]
}

async function node(addCleanup: CleanUp, settings: string): Promise<RedisNode> {
  const bus = await freePort()
  const server = await startRedisProgram({
    args: (port, folder) => [
      ...placeOf(port, folder),
      ...argumentsOf(`cluster-enabled yes\ncluster-port ${bus}\n${settings}`),
    ],
  })
  addCleanup(() => server.stop())
  return { ...connected(server, addCleanup, passwordIn(settings)), bus }
}

/** Waits until the lines of CLUSTER NODES are right. */
const until = ({ admin }: RedisNode, isRight: (table: string[]) => boolean): Promise<true> =>
  eventually(async () => isRight(`${await admin.cluster('NODES')}`.trim().split('\n')))
