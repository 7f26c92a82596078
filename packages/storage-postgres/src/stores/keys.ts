import type { KeyStore, SigningKey } from '@ostiary/core'
import { type Queries, won } from '../connection/executor.js'
import { columnList, excludedColumns, insertRecord, SIGNING_KEY } from './columns.js'

const LIST = `select ${columnList(SIGNING_KEY)} from oidc_signing_keys where realm = $1 order by signs_from`

/**
 * A unique index allows one first key of each algorithm per realm. A second caller waits there for the first one; its update
 * changes nothing, and returns the first caller's key, which the rest of the statement cannot see yet.
 */
const ENSURE = `
  with given as (
    select * from json_populate_record(null::oidc_signing_keys, $2::text::json)
  ), ensured as (
    insert into oidc_signing_keys as stored (realm, first_of_alg, ${columnList(SIGNING_KEY)})
      select $1, alg, ${columnList(SIGNING_KEY)} from given
      where not exists (select from oidc_signing_keys as known where known.realm = $1 and known.alg = given.alg)
    on conflict (realm, first_of_alg) where first_of_alg is not null do update set kid = stored.kid
    returning ${columnList(SIGNING_KEY)}
  )
  select ${columnList(SIGNING_KEY)} from oidc_signing_keys where realm = $1
  union all
  select ${columnList(SIGNING_KEY)} from ensured
  order by signs_from`

const ADD = `${insertRecord('oidc_signing_keys', SIGNING_KEY)}
  on conflict (realm, kid) do update set ${excludedColumns(SIGNING_KEY)}`

const RESEAL = `update oidc_signing_keys set sealed_private_key = $3 where realm = $1 and kid = $2 returning kid`

const DROP = 'delete from oidc_signing_keys where realm = $1 and kid = $2'

export function keyStore(db: Queries, realm: string): KeyStore {
  return {
    list: () => db.query<SigningKey>(LIST, [realm]),
    ensure: (first) => db.query<SigningKey>(ENSURE, [realm, JSON.stringify(first)]),
    async add(key) {
      await db.query(ADD, [realm, JSON.stringify(key)])
    },
    reseal: (kid, sealed_private_key) => won(db.query(RESEAL, [realm, kid, sealed_private_key])),
    async drop(kid) {
      await db.query(DROP, [realm, kid])
    },
  }
}
