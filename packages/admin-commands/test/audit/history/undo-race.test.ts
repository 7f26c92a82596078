/** On PostgreSQL: the record as it was, and an undo while another change of the same record is not committed yet. */

import { createProvider } from '@ostiary/core'
import { setDisabled, updateUser } from '@ostiary/identity'
import { type Executor, postgresExecutor, postgresStorage, postgresStores } from '@ostiary/storage-postgres'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { hold, untilItWaits } from '@ostiary/test-kit/database/held'
import { newMigratedDatabase } from '@ostiary/test-kit/migrated-database'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAudit, databaseAuditStore } from '../../../../audit/src/index.ts'
import { printableTable } from '../../../../host/src/cli/output.ts'
import { knownSince } from '../../../src/audit/history/rows.ts'
import type { HistoryPlace } from '../../../src/audit/place.ts'
import { RUNS } from '../../../src/audit/runs.ts'
import { CORE, ERRORS, IDENTITY, NO_ENTRIES, REALM, userRecord } from '../_place.ts'

let database: Awaited<ReturnType<typeof newMigratedDatabase>>
let executor: Executor
let place: HistoryPlace
const names = { count: 0 }

beforeAll(async () => {
  database = await newMigratedDatabase()
  executor = postgresExecutor(database.url, UNLIMITED)
  const store = databaseAuditStore(executor)
  const audit = createAudit({ store })
  const stores = audit.stores(postgresStores(executor))
  const provider = audit.provider(
    createProvider({
      oidc: { issuer: 'https://id.example.com' },
      secret: 'a secret of more than 32 characters, for tests',
      storage: postgresStorage(executor),
      accounts: { find: async () => null },
      interactions: { login: async () => new Response('') },
      on_event: audit.onEvent,
    }),
  )
  place = {
    realm: REALM,
    store,
    keep_days: 365,
    provider,
    errors: ERRORS,
    table: printableTable,
    management: await provider.manage(REALM),
    users: stores.users(REALM),
    entries: NO_ENTRIES,
    audit,
    identity: IDENTITY,
    core: CORE,
    confirm: async () => {},
    knownSince: () => knownSince(store, REALM),
    stories: async () => [],
  }
})
afterAll(async () => {
  await executor.close()
  await database.drop()
})

const input = (args: string[], options: Record<string, string> = {}) => ({
  args,
  text: (name: string) => options[name],
  flag: (name: string) => name in options,
})
const undo = (id: string) => RUNS['audit undo'](place, input([id]))
const lastRow = async (filter: { client_id: string } | { sub: string }) =>
  (await place.store.list(REALM, { filter, limit: 100 })).find(({ type }) => type.endsWith('.update'))
    ?.audit_id ?? ''

async function client(): Promise<string> {
  names.count += 1
  const client_id = `app-${names.count}`
  await place.management.clients.create({ client_id, redirect_uris: ['https://app.example.com/cb'] })
  await place.management.clients.update(client_id, { client_name: 'Changed', trusted: true })
  return client_id
}

async function user(): Promise<string> {
  names.count += 1
  const sub = `ann-${names.count}`
  await place.users.create(userRecord({ sub, username: sub, username_key: sub }))
  return sub
}

/** Begins a transaction, runs the work until it waits for a lock of it, and commits. */
async function against(statement: string, work: () => Promise<unknown>): Promise<unknown> {
  const other = await hold(executor, (tx) => tx.query(statement))
  const running = work().then(
    () => 'undone',
    (error: Error) => error.message,
  )
  expect(await untilItWaits(executor, running)).toBe(true)
  await other.commit()
  return running
}

it('a client that another one changes at the same time is not set back', async () => {
  const client_id = await client()
  const id = await lastRow({ client_id })
  const statement = `update oidc_clients set client_name = 'Other' where client_id = '${client_id}'`
  expect(await against(statement, () => undo(id))).toMatch(
    /has changed since, so nothing is undone:\nclient_name is Other now/,
  )
  expect(await place.management.clients.find(client_id)).toMatchObject({
    client_name: 'Other',
    trusted: true,
  })
})

it('a change of another member at the same time is not lost', async () => {
  const client_id = await client()
  const id = await lastRow({ client_id })
  const statement = `update oidc_clients set logo_uri = 'https://a.example.com/a.png' where client_id = '${client_id}'`
  expect(await against(statement, () => undo(id))).toBe('undone')
  expect(await place.management.clients.find(client_id)).toMatchObject({
    client_name: client_id,
    trusted: false,
    logo_uri: 'https://a.example.com/a.png',
  })
})

const changedTo = (sub: string, column: string, value: string) =>
  `update oidc_users set ${column} = ${value}, updated_at = updated_at + 1 where sub = '${sub}'`

it('a user whom another one changes at the same time is not set back', async () => {
  const sub = await user()
  await updateUser(place.users, { sub, change: () => ({ claims: { email: 'new@example.com' } }) })
  const id = await lastRow({ sub })
  const other = `jsonb_set(claims::jsonb, '{email}', '"other@example.com"')::json`
  expect(await against(changedTo(sub, 'claims', other), () => undo(id))).toMatch(
    /nothing is undone:\nclaims\.email is other@example\.com now/,
  )
  expect((await place.users.find(sub))?.claims).toEqual({ email: 'other@example.com' })
})

it('a user who is enabled and disabled again at the same time stays disabled', async () => {
  const sub = await user()
  await setDisabled(place.users, { sub, disabled: true })
  const id = await lastRow({ sub })
  expect(await against(changedTo(sub, 'disabled_at', '5'), () => undo(id))).toMatch(
    /nothing is undone:\ndisabled_at is disabled now/,
  )
  expect((await place.users.find(sub))?.disabled_at).toBe(5)
})

it('a record is as it was, with the row of its undo', async () => {
  const client_id = await client()
  const id = await lastRow({ client_id })
  await undo(id)
  const at = new Date().toISOString().replace(/\.\d+Z$/, 'Z')
  expect((await RUNS['audit record'](place, input([], { client: client_id, at }))).json).toMatchObject({
    exists: true,
    record: { client_name: client_id, trusted: false },
    not_certain: {},
    doubts: [],
  })
  const { json } = await RUNS['audit diff'](place, input([], { client: client_id, from: at }))
  expect(json).toMatchObject({ changed: [] })
  const [row] = await place.store.list(REALM, {
    filter: { client_id, type: 'audit.undo', since: 1 },
    limit: 9,
  })
  expect(row).toMatchObject({ outcome: 'done', data: JSON.stringify({ undone: id }) })
})
