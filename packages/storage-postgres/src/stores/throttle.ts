import type { Throttle } from '@ostiary/core'
import { first, type Queries } from '../executor.js'

/** One row for each window, so that servers whose clocks differ a little do not reset each other's count. */
const HIT = `
  insert into oidc_throttles as stored (realm, key, window_seconds, ends_at, hits) values ($1, $2, $3, $4, 1)
  on conflict (realm, key, window_seconds, ends_at) do update set hits = stored.hits + 1
  returning hits`

export function throttle(db: Queries, realm: string): Throttle {
  return {
    async hit(key, window_seconds, now) {
      const ends_at = (Math.floor(now / window_seconds) + 1) * window_seconds
      const row = await first(db.query<{ hits: number }>(HIT, [realm, key, window_seconds, ends_at]))
      return row?.hits ?? 0
    },
  }
}
