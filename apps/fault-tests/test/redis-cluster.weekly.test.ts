/** The drill of a Redis Cluster that has only counters and what waits: the same commands to the same nodes as with sessions. */

import { it } from 'vitest'
import { clusterDrill } from './cluster-drill.ts'

it('a cluster, with sessions in: database', () => clusterDrill('database'))
