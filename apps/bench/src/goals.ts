/** The goals of docs/performance.md, as data: each is a figure of the report, or the ratio of two. */

import { type WorkloadName, workloads } from './workloads/index.js'

export interface Goal {
  /** The first cell of its row. */
  title: string
  workload: WorkloadName
  server: string
  /** `tail`: p99 divided by p50 at half load. */
  figure: 'per_second' | 'beside_ms' | 'statements' | 'tail'
  /** What the figure is divided by: the same figure of another server, or of another workload. */
  of?: { server: string; workload?: WorkloadName }
  at_least?: number
  at_most?: number
}

const MEMORY = 'ostiary memory'
const POSTGRES = 'ostiary Postgres'
const PEER = 'oidc-provider memory'
const BARE = 'bare node:http'

type Limits = Partial<Record<WorkloadName, number>>

/** A goal for each of the workloads. */
function forEach(limits: Limits, goal: (limit: number) => Omit<Goal, 'workload'>): Goal[] {
  return (Object.entries(limits) as [WorkloadName, number][]).map(([workload, limit]) => {
    const { title, ...rest } = goal(limit)
    return { title: `${title}: ${workloads[workload].title}`, workload, ...rest }
  })
}

/** Operations per second, relative to those of another server. */
const rates = (title: string, [server, other]: readonly [string, string], limits: Limits): Goal[] =>
  forEach(limits, (at_least) => ({ title, figure: 'per_second', server, of: { server: other }, at_least }))

const on_postgres = {
  client_credentials: 1.3,
  authorization_code: 1.1,
  refresh: 1.25,
  introspection: 1.5,
  userinfo: 1.5,
}
const in_memory = {
  client_credentials: 1.2,
  authorization_code: 1.5,
  refresh: 1.3,
  introspection: 1.4,
  userinfo: 1.4,
  discovery: 2.5,
  jwks: 2.5,
  client_credentials_es256: 1.8,
}

const tails = { client_credentials: 5, authorization_code: 5, refresh: 5, introspection: 5, userinfo: 5 }

export const GOALS: readonly Goal[] = [
  ...rates('on PostgreSQL, relative to oidc-provider in memory', [POSTGRES, PEER], on_postgres),
  ...forEach({ authorization_code: 4, refresh: 2, userinfo: 1, introspection: 1 }, (at_most) => ({
    title: 'statements on PostgreSQL',
    figure: 'statements',
    server: POSTGRES,
    at_most,
  })),
  ...rates('in memory, relative to oidc-provider', [MEMORY, PEER], in_memory),
  ...forEach({ client_credentials: 0.25, authorization_code: 0.3, refresh: 0.33 }, (at_most) => ({
    title: 'extra CPU, relative to oidc-provider',
    figure: 'beside_ms',
    server: MEMORY,
    of: { server: PEER },
    at_most,
  })),
  ...rates('in memory, relative to the bare server', [MEMORY, BARE], {
    client_credentials: 0.9,
    discovery: 0.75,
    jwks: 0.75,
  }),
  {
    title: 'in memory, Client credentials with ES256 relative to RS256',
    workload: 'client_credentials_es256',
    server: MEMORY,
    figure: 'per_second',
    of: { server: MEMORY, workload: 'client_credentials' },
    at_least: 3,
  },
  ...rates('PostgreSQL, relative to memory', [POSTGRES, MEMORY], {
    client_credentials: 0.9,
    authorization_code: 0.4,
    refresh: 0.4,
    introspection: 0.5,
  }),
  ...forEach(tails, (at_most) => ({
    title: 'in memory, p99 divided by p50 at half load',
    figure: 'tail',
    server: MEMORY,
    at_most,
  })),
  ...rates('resource-server without its cache, relative to jose', ['ostiary resource-server', 'jose'], {
    jwks_validation: 0.95,
  }),
]
