/** Figures for metrics, of all realms together: the number of statements does not grow with the realms. */

import type { Queries } from '../connection/executor.js'

/** What one statement says about the whole database. Times are in epoch seconds. */
export interface DatabaseFigures {
  /** Back-channel logouts that a client has yet to confirm; at most `MAX_COUNTED_DELIVERIES`. */
  deliveries_waiting: number
  /** When the oldest of them was stored; null when there is none. */
  oldest_delivery_at: number | null
}

/** The newest signing key of a realm; with several algorithms, the oldest of the newest key of each. */
export interface NewestKey {
  realm: string
  /** Epoch seconds. */
  created_at: number
}

/** A larger backlog is not counted further: the statement must stay cheap when it is read most. */
const MAX_COUNTED_DELIVERIES = 100_000

const FIGURES = `
  select count(*) as deliveries_waiting, min(created_at) as oldest_delivery_at
  from (select created_at from oidc_logout_deliveries limit ${MAX_COUNTED_DELIVERIES}) as counted`

const NEWEST_KEYS = `
  select realm, min(created_at) as created_at
  from (select realm, max(created_at) as created_at from oidc_signing_keys group by realm, alg) as newest
  group by realm`

/** The figures of all realms that /metrics shows, in one statement. */
export async function databaseFigures(db: Queries): Promise<DatabaseFigures> {
  const [figures] = await db.query<DatabaseFigures>(FIGURES)
  if (figures === undefined) throw new Error('an aggregate returns one row')
  return figures
}

/** When the newest signing key of each realm was made, in epoch seconds, in one statement. */
export const newestKeys = (db: Queries): Promise<NewestKey[]> => db.query<NewestKey>(NEWEST_KEYS)
