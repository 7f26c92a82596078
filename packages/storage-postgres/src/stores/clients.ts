import { type Client, type ClientStore, requireStorableClient } from '@ostiary/core'
import { type Param, won } from '../connection/executor.js'
import { type Database, findRow } from '../connection/row-finder.js'
import { CLIENT, type ClientRow, columnList, insertRecord } from './columns.js'

const FIND = findRow(
  `select ${columnList(CLIENT)} from oidc_clients where realm = key.realm and client_id = key.id`,
)

const CREATE = `${insertRecord('oidc_clients', CLIENT)} on conflict do nothing returning client_id`

const KEPT = ['revoked_at', 'expires_at', 'not_before']
const UPDATED = CLIENT.filter((column) => !KEPT.includes(column))

const update = (condition: string, columns: readonly string[] = UPDATED) => `
  update oidc_clients as stored set (${columnList(columns)}) =
    (select ${columnList(columns, 'next')} from json_populate_record(null::oidc_clients, $3::text::json) as next)
  where realm = $1 and client_id = $2 ${condition}
  returning client_id`
const UPDATE = update('')
const UPDATE_EXPECTED = update(`
    and row(${columnList(CLIENT, 'stored')}) is not distinct from (
      select row(${columnList(CLIENT, 'expected')})
      from json_populate_record(null::oidc_clients, $4::text::json) as expected
    )`)

const IS_TOMBSTONE = 'revoked_at is not null and expires_at is not null and not self_registered'

const DELETE = update(`and not (${IS_TOMBSTONE})`, CLIENT)

/** `expires_at >= 0` is the condition of the index. */
const DELETED = `
  select ${columnList(CLIENT)} from oidc_clients
  where realm = $1 and expires_at <= $2 and expires_at >= 0 and ${IS_TOMBSTONE}
  order by expires_at limit $3`

const FORGET = `
  delete from oidc_clients where realm = $1 and client_id = $2 and expires_at <= $3 and ${IS_TOMBSTONE}`

/** Unless it is revoked. */
const change = (values: string) => `
  update oidc_clients set ${values}
  where realm = $1 and client_id = $2 and revoked_at is null
  returning client_id`
const SET_SECRET = change('client_secret_hash = $3')
const CLEAR_EXPIRY = change('expires_at = null')
const REVOKE = change('revoked_at = $3')

/** Two statements, because with a common condition for all pages, the index scan could not start at `$3`. */
const page = (after: string) => `
  select ${columnList(CLIENT)} from oidc_clients
  where realm = $1 ${after} and not (${IS_TOMBSTONE}) order by client_id limit $2`
const FIRST_PAGE = page('')
const NEXT_PAGE = page('and client_id > $3')

export function clientOf({ self_registered, ...row }: ClientRow): Client {
  return { ...row, origin: self_registered ? 'registered' : 'operator' }
}

export function clientRow({ origin, ...client }: Client): ClientRow {
  return { ...client, self_registered: origin === 'registered' }
}

const toJson = (client: Client): string => JSON.stringify(clientRow(client))

const MEMBERS = CLIENT.filter((column) => column !== 'self_registered') as readonly (keyof Client)[]

/** A row to be inserted. What it leaves out is null: two thirds of the members of most clients, which would take half of the time. */
function newRow(client: Client): string {
  const row: Record<string, unknown> = { self_registered: client.origin === 'registered' }
  for (const name of MEMBERS) if (client[name] !== null) row[name] = client[name]
  return JSON.stringify(row)
}

export function clientStore(db: Database, realm: string): ClientStore {
  const clientsOf = async (text: string, params: Param[]) =>
    (await db.query<ClientRow>(text, params)).map(clientOf)
  return {
    async find(client_id) {
      const row = await db.find<ClientRow>(FIND, { realm, id: client_id })
      return row && clientOf(row)
    },
    async create(client) {
      requireStorableClient(client)
      return won(db.query(CREATE, [realm, newRow(client)]))
    },
    async update(client, expected) {
      requireStorableClient(client)
      const params = [realm, client.client_id, toJson(client)]
      if (expected === undefined) return won(db.query(UPDATE, params))
      return won(db.query(UPDATE_EXPECTED, [...params, toJson(expected)]))
    },
    setSecret: (client_id, client_secret_hash) =>
      won(db.query(SET_SECRET, [realm, client_id, client_secret_hash])),
    keep: (client_id) => won(db.query(CLEAR_EXPIRY, [realm, client_id])),
    revoke: (client_id, now) => won(db.query(REVOKE, [realm, client_id, now])),
    list: ({ after, limit }) =>
      after === undefined
        ? clientsOf(FIRST_PAGE, [realm, limit])
        : clientsOf(NEXT_PAGE, [realm, limit, after]),
    delete: (tombstone) => won(db.query(DELETE, [realm, tombstone.client_id, toJson(tombstone)])),
    deleted: (now, limit) => clientsOf(DELETED, [realm, now, limit]),
    async forget(client_id, now) {
      await db.query(FORGET, [realm, client_id, now])
    },
  }
}
