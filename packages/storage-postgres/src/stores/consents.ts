import type { Consent, ConsentStore } from '@ostiary/core'
import { bucketByHash } from '../connection/buckets.js'
import { countOf, type Queries } from '../connection/executor.js'
import { CONSENT, columnList, OF_USER } from './columns.js'
import { inBucket, sweepStatements, sweepStep } from './sweep.js'

const FIND = `
  select ${columnList(CONSENT)} from oidc_consents
  where ${OF_USER} and client_id = $4
    and resource = any(array(select json_array_elements_text($5::text::json)))`

const LIST = `select ${columnList(CONSENT)} from oidc_consents where ${OF_USER}`

/** Rows are locked in the order of their resources, so that two merges cannot deadlock. */
const MERGE = `
  insert into oidc_consents as stored (realm, bucket, ${columnList(CONSENT)})
    select $1, $2::smallint, $3, $4, resource, scopes, $6, $6, null
    from json_to_recordset($5::text::json) as approved (resource text, scopes jsonb)
    order by resource collate "C"
  on conflict (realm, sub, client_id, resource, bucket) do update set
    scopes = case
      when stored.revoked_at is not null then excluded.scopes
      else stored.scopes || (
        select coalesce(jsonb_agg(scope), '[]')
        from jsonb_array_elements_text(excluded.scopes) as scope
        where not stored.scopes ? scope
      )
    end,
    updated_at = excluded.updated_at,
    revoked_at = null`

/** Locks rows in the same order as `merge`. */
const revoke = (condition: string) => `
  with revoked as (
    update oidc_consents set revoked_at = $5
    where ${OF_USER} and client_id = $4 and revoked_at is null and resource = any(array(
      select resource from oidc_consents
      where ${OF_USER} and client_id = $4 ${condition} and revoked_at is null
      order by resource for update
    ))
    returning resource
  )
  select count(*)::int as count from revoked`
const REVOKE_ALL = revoke('')
const REVOKE_ONE = revoke('and resource = $6')

/** Locks rows in the order of their keys, as `merge` does for one client. @param bucket Of the rows, where it is known. */
const deleteRows = (condition: string, bucket = 'locked.bucket') => `
  delete from oidc_consents as stored using (
    select bucket, sub, client_id, resource from oidc_consents
    where realm = $1 and ${condition}
    order by sub, client_id, resource for update
  ) as locked
  where stored.realm = $1 and stored.bucket = ${bucket} and stored.sub = locked.sub
    and stored.client_id = locked.client_id and stored.resource = locked.resource
  returning stored.sub`
const deleteCounted = (condition: string) => `
  with deleted as (${deleteRows(`bucket = $2 and ${condition}`, '$2')})
  select count(*)::int as count from deleted`
const DELETE_OF_USER = deleteCounted('sub = $3')
const DELETE_OF_PAIR = deleteCounted('sub = $3 and client_id = $4')

const OF_CLIENT = 'sub = any(array(select sub from users)) and client_id = $2 and updated_at < $5'
export const DELETE_OF_CLIENT = sweepStatements({
  table: 'oidc_consents',
  index_condition: 'true',
  change: (bucket) => deleteRows(`${OF_CLIENT} ${inBucket(bucket)}`, bucket),
  parameters: 1,
})

export function consentStore(db: Queries, realm: string): ConsentStore {
  const keyOf = (sub: string) => [realm, bucketByHash(sub), sub]
  return {
    find: (sub, client_id, resources) =>
      db.query<Consent>(FIND, [...keyOf(sub), client_id, JSON.stringify(resources)]),
    async merge({ sub, client_id, approved }, now) {
      const rows = approved.map(({ resource, scopes }) => ({ resource, scopes: [...new Set(scopes)] }))
      await db.query(MERGE, [...keyOf(sub), client_id, JSON.stringify(rows), now])
    },
    revoke({ sub, client_id, resource }, now) {
      const all = [...keyOf(sub), client_id, now]
      return countOf(
        resource === undefined ? db.query(REVOKE_ALL, all) : db.query(REVOKE_ONE, [...all, resource]),
      )
    },
    list: (sub) => db.query<Consent>(LIST, keyOf(sub)),
    delete: ({ sub, client_id }) =>
      countOf(
        client_id === undefined
          ? db.query(DELETE_OF_USER, keyOf(sub))
          : db.query(DELETE_OF_PAIR, [...keyOf(sub), client_id]),
      ),
    deleteOfClient: (sweep) =>
      sweepStep(db, { text: DELETE_OF_CLIENT.of_all, realm, more: [sweep.before] }, sweep),
  }
}
