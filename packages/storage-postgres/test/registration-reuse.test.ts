/** `oidc.clients.registration.reuse` on PostgreSQL: two servers register the same client, and one of them has not committed yet. */

import { type World, world } from '@ostiary/test-kit/world'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { postgresStorage } from '../src/index.js'
import { hold, storesIn, untilItWaits } from './_held.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'

let database: OwnDatabase
beforeAll(async () => {
  database = await migratedDatabase()
})
afterAll(() => database.drop())

const oidc = { clients: { registration: { enabled: true, reuse: true } } }

async function register(w: World, client_name: string) {
  const body = JSON.stringify({ client_name, redirect_uris: ['http://127.0.0.1/callback'] })
  const response = await w.provider.fetch(
    new Request(`${w.issuer}/oauth/register`, { method: 'POST', body }),
    { address: '192.0.2.1' },
  )
  return { status: response.status, body: (await response.json()) as { client_id: string } }
}

/** The record and the answer of another server with the same secret, whose transaction is open. */
async function heldRegistration(client_name: string) {
  const other = await world({ oidc, clients: [] })
  const answer = await register(other, client_name)
  const record = await other.storage(other.realm).clients.find(answer.body.client_id)
  if (!record) throw new Error('The client is not stored')
  const held = await hold(database.executor, (tx) => storesIn(tx, other.realm).clients.create(record))
  expect(held.result).toBe(true)
  return { answer, held }
}

it.each([
  ['commit', 'the client of the other server is the answer'],
  ['rollback', 'the client is stored'],
] as const)('after a %s, %s, with the same id', async (...[end]) => {
  const w = await world({ oidc, clients: [], storage: postgresStorage(database.executor) })
  const { answer, held } = await heldRegistration(end)
  const registering = register(w, end)
  expect(await untilItWaits(database.executor, registering)).toBe(true)
  await held[end]()
  expect(await registering).toEqual(answer)
  const clients = await w.storage(w.realm).clients.list({ limit: 10 })
  expect(clients.filter(({ client_name }) => client_name === end)).toHaveLength(1)
  const reused = w.events.map(({ type }) => type).filter((type) => type.startsWith('client.regist'))
  expect(reused).toEqual([end === 'commit' ? 'client.registration_reused' : 'client.registered'])
})
