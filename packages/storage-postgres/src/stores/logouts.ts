import type { LogoutDelivery, LogoutStore } from '@ostiary/core'
import type { Queries } from '../connection/executor.js'
import { columnList, LOGOUT_DELIVERY } from './columns.js'

const ADD = `
  insert into oidc_logout_deliveries (realm, ${columnList(LOGOUT_DELIVERY)})
    select $1, ${columnList(LOGOUT_DELIVERY)}
    from json_populate_recordset(null::oidc_logout_deliveries, $2::text::json)
  on conflict do nothing`

/** Due deliveries without the excepted hosts and users, through one of the two partial indexes. */
const due = (attempts: string) => `
  (select delivery_id, host, sub, next_attempt_at, attempts > 0 as again from oidc_logout_deliveries
  where realm = $1 and next_attempt_at <= $2 and ${attempts}
    and host <> all(array(select json_array_elements_text($6::text::json)))
    and sub <> all(array(select json_array_elements_text($7::text::json)))
  order by next_attempt_at limit 1000)`

/** Deliveries that another server is claiming at this moment are skipped. */
const CLAIM = `
  with due as (
    ${due('attempts = 0')} union all ${due('attempts > 0')}
  ), ranked as (
    select delivery_id, again, next_attempt_at,
      row_number() over (partition by host order by again, next_attempt_at, delivery_id) as of_host,
      row_number() over (partition by sub order by again, next_attempt_at, delivery_id) as of_sub
    from due
  ), chosen as materialized (
    select delivery_id from ranked where of_host <= $5 and of_sub <= $5
    order by again, next_attempt_at, delivery_id limit $4
  )
  update oidc_logout_deliveries set next_attempt_at = $2::bigint + $3::bigint, attempts = attempts + 1
  where realm = $1 and delivery_id = any(array(
    select delivery_id from oidc_logout_deliveries
    where realm = $1 and delivery_id = any(array(select delivery_id from chosen)) and next_attempt_at <= $2
    for update skip locked
  ))
  returning ${columnList(LOGOUT_DELIVERY)}`

const FORGET = 'delete from oidc_logout_deliveries where realm = $1 and delivery_id = $2'

const RETRY = `
  update oidc_logout_deliveries set next_attempt_at = $3 where realm = $1 and delivery_id = $2`

export function logoutStore(db: Queries, realm: string): LogoutStore {
  return {
    async add(deliveries) {
      if (deliveries.length > 0) await db.query(ADD, [realm, JSON.stringify(deliveries)])
    },
    claim({ now, lease, limit, share, except }) {
      const exceptions = [JSON.stringify(except.hosts), JSON.stringify(except.subs)]
      return db.query<LogoutDelivery>(CLAIM, [realm, now, lease, limit, share, ...exceptions])
    },
    async settle(delivery_id, next_attempt_at) {
      if (next_attempt_at === null) await db.query(FORGET, [realm, delivery_id])
      else await db.query(RETRY, [realm, delivery_id, next_attempt_at])
    },
  }
}
