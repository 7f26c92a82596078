import type { Client, ClientStore } from '@ostiary/core'
import { first, type Queries, won } from '../connection/executor.js'
import { CLIENT, columnList, insertRecord } from './columns.js'

const FIND = `select ${columnList(CLIENT)} from oidc_clients where realm = $1 and client_id = $2`

const CREATE = `${insertRecord('oidc_clients', CLIENT)} on conflict do nothing returning client_id`

const UPDATED = CLIENT.filter((column) => column !== 'revoked_at' && column !== 'expires_at')

const UPDATE = `
  update oidc_clients set (${columnList(UPDATED)}) =
    (select ${columnList(UPDATED, 'next')} from json_populate_record(null::oidc_clients, $3::text::json) as next)
  where realm = $1 and client_id = $2
  returning client_id`

const SET_SECRET = `
  update oidc_clients set client_secret_hash = $3
  where realm = $1 and client_id = $2 and revoked_at is null
  returning client_id`

const CLEAR_EXPIRY = `
  update oidc_clients set expires_at = null where realm = $1 and client_id = $2 returning client_id`

const REVOKE = `
  update oidc_clients set revoked_at = $3
  where realm = $1 and client_id = $2 and revoked_at is null
  returning client_id`

/** Two statements, because with a common condition for all pages, the index scan could not start at `$3`. */
const page = (after: string) => `
  select ${columnList(CLIENT)} from oidc_clients
  where realm = $1 ${after} order by client_id limit $2`
const FIRST_PAGE = page('')
const NEXT_PAGE = page('and client_id > $3')

export function clientStore(db: Queries, realm: string): ClientStore {
  return {
    find: (client_id) => first(db.query<Client>(FIND, [realm, client_id])),
    create: (client) => won(db.query(CREATE, [realm, JSON.stringify(client)])),
    update: (client) => won(db.query(UPDATE, [realm, client.client_id, JSON.stringify(client)])),
    setSecret: (client_id, client_secret_hash) =>
      won(db.query(SET_SECRET, [realm, client_id, client_secret_hash])),
    keep: (client_id) => won(db.query(CLEAR_EXPIRY, [realm, client_id])),
    revoke: (client_id, now) => won(db.query(REVOKE, [realm, client_id, now])),
    list: ({ after, limit }) =>
      after === undefined
        ? db.query<Client>(FIRST_PAGE, [realm, limit])
        : db.query<Client>(NEXT_PAGE, [realm, limit, after]),
  }
}
