import type { LogoutDelivery, LogoutStore } from '@ostiary/core'
import { LOGOUT_DELIVERY, listed } from '../columns.js'
import { countOf, type Queries } from '../executor.js'

const ADD = `
  insert into oidc_logout_deliveries (realm, ${listed(LOGOUT_DELIVERY)})
    select $1, ${listed(LOGOUT_DELIVERY)}
    from json_populate_recordset(null::oidc_logout_deliveries, $2::text::json)
  on conflict do nothing`

/** What another server is claiming just now is passed over: nobody waits, and nobody claims it twice. */
const CLAIM = `
  update oidc_logout_deliveries set next_attempt_at = $2::bigint + $3::bigint, attempts = attempts + 1
  where realm = $1 and delivery_id = any(array(
    select delivery_id from oidc_logout_deliveries
    where realm = $1 and next_attempt_at <= $2
    order by next_attempt_at limit $4 for update skip locked
  ))
  returning ${listed(LOGOUT_DELIVERY)}`

const FORGET = 'delete from oidc_logout_deliveries where realm = $1 and delivery_id = $2'

const RETRY = `
  update oidc_logout_deliveries set next_attempt_at = $3 where realm = $1 and delivery_id = $2`

/** How many logouts some client has yet to hear of, in all realms. */
export async function waitingDeliveries(db: Queries): Promise<number> {
  return countOf(db.query('select count(*) as count from oidc_logout_deliveries'))
}

export function logoutStore(db: Queries, realm: string): LogoutStore {
  return {
    async add(deliveries) {
      if (deliveries.length > 0) await db.query(ADD, [realm, JSON.stringify(deliveries)])
    },
    claim: (now, lease, limit) => db.query<LogoutDelivery>(CLAIM, [realm, now, lease, limit]),
    async settle(delivery_id, next_attempt_at) {
      if (next_attempt_at === null) await db.query(FORGET, [realm, delivery_id])
      else await db.query(RETRY, [realm, delivery_id, next_attempt_at])
    },
  }
}
