/** How many cores and how much disk a number of monthly users takes: measured costs times what a user does. */

import type { Cost, Place } from './measure.js'

/** What one user does in a month of 30 days. */
export const PROFILE = {
  'Sign-in: the account and the session': 4,
  'Authorization of a signed-in user': 30,
  'Redemption of a code': 30,
  Refresh: 300,
  'UserInfo, introspection': 300,
} as const
type ProfiledOperation = keyof typeof PROFILE

/** CPU of the server, from docs/performance.md (PostgreSQL, Node), in milliseconds. A flow's is counted with its redemption. */
const SERVER_CPU_MS: Record<ProfiledOperation, number> = {
  'Sign-in: the account and the session': 15.5,
  'Authorization of a signed-in user': 0,
  'Redemption of a code': 1.69,
  Refresh: 1.49,
  'UserInfo, introspection': 0.18,
}

/** Rows of one user that are stored at a time, with the default lifetimes. */
const ROWS: Record<string, number> = {
  oidc_users: 1,
  oidc_usernames: 1,
  oidc_sessions: 4,
  oidc_session_browsers: 4,
  oidc_session_clients: 12,
  oidc_consents: 3,
  // A grant ends 14 days after its last refresh.
  oidc_grants: 14,
  oidc_authorization_codes: 14,
  // Each refresh leaves a spent token for 14 days.
  oidc_refresh_tokens: 154,
}

/** The busiest second, relative to the average of the month. */
export const PEAK = 4
const MONTH_SECONDS = 30 * 86_400

export interface Sizing {
  users: number
  /** Requests of the busiest second. */
  requests: number
  /** Cores that are busy in the busiest second. */
  server_cores: number
  database_cores: number
  /** MiB of write-ahead log in the busiest second. */
  wal_mib: number
  /** GiB of tables and indexes. */
  disk_gib: number
}

export function sizing(
  users: number,
  { costs, places }: { costs: readonly Cost[]; places: readonly Place[] },
): Sizing {
  const perSecond = (users / MONTH_SECONDS) * PEAK
  const sum = (of: (name: ProfiledOperation, cost: Cost) => number): number =>
    Object.entries(PROFILE).reduce((total, [name, times]) => {
      const cost = costs.find((candidate) => candidate.name === name)
      if (!cost) throw new Error(`${name} was not measured`)
      return total + times * of(name as ProfiledOperation, cost)
    }, 0)
  const bytes = places.reduce(
    (total, { table, rows, table_bytes, index_bytes }) =>
      total + (ROWS[table] ?? 0) * ((table_bytes + index_bytes) / rows),
    0,
  )
  return {
    users,
    requests: perSecond * sum(() => 1),
    server_cores: (perSecond * sum((name) => SERVER_CPU_MS[name])) / 1000,
    database_cores: (perSecond * sum((_, { cpu_ms }) => cpu_ms ?? 0)) / 1000,
    wal_mib: (perSecond * sum((_, { wal_bytes }) => wal_bytes)) / 2 ** 20,
    disk_gib: (users * bytes) / 2 ** 30,
  }
}
