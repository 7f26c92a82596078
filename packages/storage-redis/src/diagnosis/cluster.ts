/** What a cluster is made of: enough masters to agree on a failover, and a replica of each. */

import type { Cluster } from 'ioredis'
import { note, type RedisFinding } from './finding.js'

const MIN_MASTERS = 3

export async function clusterFindings(cluster: Cluster): Promise<RedisFinding[]> {
  const ranges = await cluster.cluster('SLOTS')
  const nodes = new Map(
    ranges.map(([, , master, ...replicas]) => [master?.slice(0, 2).join(':') ?? '', replicas.length]),
  )
  const alone = [...nodes].flatMap(([master, replicas]) => (replicas === 0 ? [master] : []))
  const findings: RedisFinding[] = []
  if (nodes.size < MIN_MASTERS)
    findings.push(
      note(
        `the cluster has ${nodes.size} ${nodes.size === 1 ? 'master' : 'masters'}: when one is lost, no replica is promoted`,
        'Use three masters or more.',
      ),
    )
  if (alone.length > 0)
    findings.push(
      note(
        `masters without a replica: ${alone.sort().join(', ')}`,
        'Add a replica to each: when such a master is lost, its realms and people cannot sign in.',
      ),
    )
  return findings
}
