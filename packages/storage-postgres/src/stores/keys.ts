import type { KeyStore, SigningKey } from '@ostiary/core'
import type { Queries } from '../connection/executor.js'
import { insertRecord, listed, replaced, SIGNING_KEY } from './columns.js'

const LIST = `select ${listed(SIGNING_KEY)} from oidc_signing_keys where realm = $1 order by signs_from`

/**
 * At most one key of a realm is its `first`, says a unique index. Who comes too late waits there for the winner, and
 * the update that changes nothing returns the winner's key, which the rest of the statement cannot see yet.
 */
const ENSURE = `
  with ensured as (
    insert into oidc_signing_keys as winner (realm, is_first, ${listed(SIGNING_KEY)})
      select $1, true, ${listed(SIGNING_KEY)} from json_populate_record(null::oidc_signing_keys, $2::text::json)
      where not exists (select from oidc_signing_keys where realm = $1)
    on conflict (realm) where is_first do update set kid = winner.kid
    returning ${listed(SIGNING_KEY)}
  )
  select ${listed(SIGNING_KEY)} from oidc_signing_keys where realm = $1
  union all
  select ${listed(SIGNING_KEY)} from ensured
  order by signs_from`

const ADD = `${insertRecord('oidc_signing_keys', SIGNING_KEY)}
  on conflict (realm, kid) do update set ${replaced(SIGNING_KEY)}`

const DROP = 'delete from oidc_signing_keys where realm = $1 and kid = $2'

export function keyStore(db: Queries, realm: string): KeyStore {
  return {
    list: () => db.query<SigningKey>(LIST, [realm]),
    ensure: (first) => db.query<SigningKey>(ENSURE, [realm, JSON.stringify(first)]),
    async add(key) {
      await db.query(ADD, [realm, JSON.stringify(key)])
    },
    async drop(kid) {
      await db.query(DROP, [realm, kid])
    },
  }
}
