import { afterAll, beforeAll, expect, it } from 'vitest'
import { postgresExecutor, postgresStorage, waitingDeliveries } from '../src/index.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'

let database: OwnDatabase
beforeAll(async () => {
  database = await migratedDatabase()
})
afterAll(() => database.drop())

it('counts the waiting logout deliveries of all realms', async () => {
  const delivery = {
    client_id: 'notes',
    sub: 'ann',
    sid: 's',
    uri: 'https://notes.example/logout',
    host: 'notes.example',
    session_required: false,
    created_at: 1,
    attempts: 0,
    next_attempt_at: 1,
  }
  expect(await waitingDeliveries(database.executor)).toBe(0)
  for (const realm of ['default', 'acme'])
    await postgresStorage(database.executor)(realm).logouts.add([{ ...delivery, delivery_id: realm }])
  expect(await waitingDeliveries(database.executor)).toBe(2)
  await postgresStorage(database.executor)('acme').logouts.settle('acme', null)
  expect(await waitingDeliveries(database.executor)).toBe(1)
})

it('reports the number of unanswered queries, also of those that wait for a connection', async () => {
  const executor = postgresExecutor(database.url, { connections: 1 })
  expect(executor.load()).toEqual({ unanswered: 0, connections: 1 })
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const holding = executor.transaction(() => held)
  const waiting = executor.query('select 1')
  expect(executor.load()).toEqual({ unanswered: 2, connections: 1 })
  release()
  await Promise.all([holding, waiting])
  expect(executor.load()).toEqual({ unanswered: 0, connections: 1 })
  await executor.close()
})
