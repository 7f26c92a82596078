/** Leases: work that one of several servers does at a time. All times are of the database's clock. */

import { first, type Queries } from '../connection/executor.js'

/** The answer to a server that wants a lease. */
export interface LeaseAnswer {
  /** Whether the server has the lease from now on. */
  held: boolean
  /** Seconds until the lease that another server has ends, unless it is renewed. */
  ends_in: number
  /** The database's time: epoch seconds, with decimals. */
  now: number
}

/** Says which of several servers does some work. Calls of one server may overlap. */
export interface Lease {
  /** Takes or renews the lease for some seconds, unless another holder has it. */
  take(holder: string, seconds: number): Promise<LeaseAnswer>
  /** The database's time, without taking the lease. */
  now(): Promise<number>
  /** Ends the lease of this holder; another's stays. */
  giveBack(holder: string): Promise<void>
}

/** Without a write while another server has the lease. */
const TAKE = `
  with taken as (
    insert into oidc_leases as stored (name, holder, expires_at)
      select $1, $2, clock_timestamp() + make_interval(secs => $3)
      where not exists (
        select from oidc_leases where name = $1 and holder <> $2 and expires_at > clock_timestamp()
      )
    on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
      where stored.holder = excluded.holder or stored.expires_at <= clock_timestamp()
    returning name
  )
  select exists (select from taken) as held, coalesce((
      select extract(epoch from expires_at - clock_timestamp()) from oidc_leases where name = $1
    ), 0)::float8 as ends_in, extract(epoch from clock_timestamp())::float8 as now`

const NOW = 'select extract(epoch from clock_timestamp())::float8 as now'

const GIVE_BACK = 'delete from oidc_leases where name = $1 and holder = $2'

/** The lease with this name, in a database with the schema of this version. */
export function postgresLease(db: Queries, name: string): Lease {
  const rowOf = async <T>(rows: Promise<T[]>): Promise<T> => {
    const row = await first(rows)
    if (row === null) throw new Error('The database returned no row')
    return row
  }
  return {
    take: (holder, seconds) => rowOf(db.query<LeaseAnswer>(TAKE, [name, holder, seconds])),
    now: async () => (await rowOf(db.query<{ now: number }>(NOW))).now,
    async giveBack(holder) {
      await db.query(GIVE_BACK, [name, holder])
    },
  }
}
