import { bucketByTag } from '@ostiary/core'
import type { Factor, FactorStore } from '@ostiary/identity'
import { bucketByHash } from '../connection/buckets.js'
import { unlessTaken, won } from '../connection/executor.js'
import { type Database, findRow, hasKey } from '../connection/row-finder.js'
import { columnList, FACTOR, OF_USER, PLACE } from './columns.js'
import { IS_USER } from './users.js'

/** @param column A further column about the factor `f`. */
export const findFactor = (column: string) =>
  findRow(`
  select ${columnList(FACTOR)}${column} from oidc_factors f
  where ${hasKey('factor_id')}`)

const LIST = `
  select ${columnList(FACTOR)} from oidc_factors where ${OF_USER}
  order by created_at, factor_id`

/**
 * `$3` to `$6`: the user, its `credential_version`, the time and the switch; `$7`: the factors that are added; `$8`: the ids that are
 * removed. The row of the user is what two changes wait for. Fails as a whole when an added id is taken: it has no `on conflict`.
 */
const CHANGE = `
  with removed as materialized (
    select json_array_elements_text($8::text::json) as id
  ), changed as (
    update oidc_users set credential_version = $4::integer + 1, updated_at = greatest($5::bigint, updated_at + 1),
      second_step = coalesce($6::boolean, second_step)
    where ${OF_USER} and coalesce(credential_version, 0) = $4 and ${IS_USER}
      and not exists (select from removed where not exists (
        select from oidc_factors f where f.realm = $1 and f.bucket = $2 and f.factor_id = removed.id and f.sub = $3
      ))
    returning sub
  ), deleted as (
    delete from oidc_factors
    where ${OF_USER} and factor_id = any(array(select id from removed)) and exists (select from changed)
  ), inserted as (
    insert into oidc_factors (realm, bucket, ${columnList(FACTOR)})
    select $1, $2::smallint, ${columnList(FACTOR)} from json_populate_recordset(null::oidc_factors, $7::text::json)
    where exists (select from changed)
  )
  select sub from changed`

const USE = `
  update oidc_factors set state = $5, last_used_at = $6
  where ${PLACE} and factor_id = $3 and state = $4 returning factor_id`

const RENAME = `
  update oidc_factors set label = $4 where ${PLACE} and factor_id = $3 returning factor_id`

const PAGE = `
  select ${columnList(FACTOR)} from oidc_factors where realm = $1 and factor_id > $2 order by factor_id limit $3`

const RESEAL = `
  update oidc_factors set data = $5::text::jsonb
  where ${PLACE} and factor_id = $3 and data = $4::text::jsonb returning factor_id`

/** A factor is found with its user: see with-users.ts. */
export type FactorChanges = Omit<FactorStore, 'find'>

export function factorStore(db: Database, realm: string): FactorChanges {
  const keyOf = (factor_id: string) => [realm, bucketByTag(factor_id), factor_id]
  return {
    list: (sub) => db.query<Factor>(LIST, [realm, bucketByHash(sub), sub]),
    change({ sub, add = [], remove = [], second_step = null }, { credential_version, now }) {
      const user = [realm, bucketByHash(sub), sub, credential_version, now, second_step]
      return unlessTaken(db.query(CHANGE, [...user, JSON.stringify(add), JSON.stringify(remove)]))
    },
    use: (factor_id, expected_state, { state, last_used_at }) =>
      won(db.query(USE, [...keyOf(factor_id), expected_state, state, last_used_at])),
    rename: (factor_id, label) => won(db.query(RENAME, [...keyOf(factor_id), label])),
    page: ({ after = '', limit }) => db.query<Factor>(PAGE, [realm, after, limit]),
    reseal: (factor_id, expected_data, data) =>
      won(db.query(RESEAL, [...keyOf(factor_id), JSON.stringify(expected_data), JSON.stringify(data)])),
  }
}
