import type { SigningKey } from '@ostiary/core'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { queuedMail } from '@ostiary/test-kit/mail/queued-mail'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  databaseFigures,
  newestKeys,
  postgresExecutor,
  postgresStorage,
  postgresStores,
} from '../src/index.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'

let database: OwnDatabase
beforeAll(async () => {
  database = await migratedDatabase()
})
afterAll(() => database.drop())

it('counts the waiting logout deliveries of all realms, and says when the oldest was stored', async () => {
  const delivery = {
    client_id: 'notes',
    sub: 'ann',
    sid: 's',
    uri: 'https://notes.example/logout',
    host: 'notes.example',
    session_required: false,
    attempts: 0,
    next_attempt_at: 1,
  }
  const found = async () => {
    const { deliveries_waiting, oldest_delivery_at } = await databaseFigures(database.executor)
    return [deliveries_waiting, oldest_delivery_at]
  }
  const storage = postgresStorage(database.executor)
  expect(await found()).toEqual([0, null])
  await storage('default').logouts.add([{ ...delivery, delivery_id: 'a', created_at: 7 }])
  await storage('acme').logouts.add([{ ...delivery, delivery_id: 'b', created_at: 5 }])
  expect(await found()).toEqual([2, 5])
  await storage('acme').logouts.settle('b', null)
  expect(await found()).toEqual([1, 7])
})

it('counts the mails of all realms that wait to be sent, and says when the oldest was stored', async () => {
  const found = async () => {
    const { mails_waiting, oldest_mail_at } = await databaseFigures(database.executor)
    return [mails_waiting, oldest_mail_at]
  }
  const { mails } = postgresStores(database.executor)
  expect(await found()).toEqual([0, null])
  await mails.add(queuedMail('a', { created_at: 7 }))
  await mails.add(queuedMail('b', { created_at: 5, realm: 'acme', attempts: 1 }))
  expect(await found()).toEqual([2, 5])
  await mails.settle({ mail_id: 'b', attempts: 1 }, null)
  expect(await found()).toEqual([1, 7])
})

it('the newest key of each realm, the oldest one over its algorithms, in one statement', async () => {
  const storage = postgresStorage(database.executor)
  const rsa = { alg: 'RS256', public_jwk: { kty: 'RSA' }, sealed_private_key: 'x', signs_from: 1 }
  const ec = { ...rsa, alg: 'ES256' }
  const add = (realm: string, key: object) => storage(realm).keys.add(key as SigningKey)
  await add('default', { ...rsa, kid: 'a', created_at: 10 })
  await add('default', { ...rsa, kid: 'b', created_at: 30 })
  await add('acme', { ...rsa, kid: 'a', created_at: 20 })
  await add('acme', { ...rsa, kid: 'b', created_at: 40 })
  await add('acme', { ...ec, kid: 'c', created_at: 15 })
  await add('acme', { ...ec, kid: 'd', created_at: 25 })
  let statements = 0
  const counting = {
    query: <T>(text: string) => {
      statements += 1
      return database.executor.query<T>(text)
    },
  }
  const found = await newestKeys(counting)
  expect(found.sort((a, b) => a.created_at - b.created_at)).toEqual([
    { realm: 'acme', created_at: 25 },
    { realm: 'default', created_at: 30 },
  ])
  expect(statements).toBe(1)
})

it('reports the number of unanswered queries, also of those that wait for a connection', async () => {
  const executor = postgresExecutor(database.url, { ...UNLIMITED, connections: 1 })
  expect(executor.load()).toMatchObject({ unanswered: 0, connections: 1 })
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const holding = executor.transaction(() => held)
  const waiting = executor.query('select 1')
  expect(executor.load()).toMatchObject({ unanswered: 2, connections: 1 })
  release()
  await Promise.all([holding, waiting])
  expect(executor.load()).toMatchObject({ unanswered: 0, connections: 1 })
  await executor.close()
})
