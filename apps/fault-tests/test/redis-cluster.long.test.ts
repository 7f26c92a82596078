/** The drill of a Redis Cluster in which the sessions are too. */

import { it } from 'vitest'
import { clusterDrill } from './cluster-drill.ts'

it('a cluster, with sessions in: redis', () => clusterDrill('redis'))
