/** Figures for metrics, of all realms together: the number of statements does not grow with the realms. */

import type { Queries } from '../connection/executor.js'

/** What one statement says about the whole database. Times are in epoch seconds. */
export interface DatabaseFigures {
  /** Back-channel logouts that a client has yet to confirm; at most `MAX_COUNTED`. */
  deliveries_waiting: number
  /** When the oldest of them was stored; null when there is none. */
  oldest_delivery_at: number | null
  /** Mails that wait to be sent; at most `MAX_COUNTED`. */
  mails_waiting: number
  /** When the oldest of them was stored; null when there is none. */
  oldest_mail_at: number | null
}

/** The newest signing key of a realm; with several algorithms, the oldest of the newest key of each. */
export interface NewestKey {
  realm: string
  /** Epoch seconds. */
  created_at: number
}

/** A larger backlog is not counted further: the statement must stay cheap when it is read most. */
const MAX_COUNTED = 100_000

const waiting = (table: string, count: string, oldest: string) => `
  (select count(*) as ${count}, min(created_at) as ${oldest}
  from (select created_at from ${table} limit ${MAX_COUNTED}) as counted) as of_${table}`

const FIGURES = `
  select * from ${waiting('oidc_logout_deliveries', 'deliveries_waiting', 'oldest_delivery_at')},
    ${waiting('oidc_mails', 'mails_waiting', 'oldest_mail_at')}`

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
