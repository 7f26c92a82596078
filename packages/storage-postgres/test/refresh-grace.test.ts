/** Parallel refreshes with one token on two servers that share a PostgreSQL. */

import {
  CLIENT_SECRET,
  client,
  redeem,
  type TokenAnswer,
  tokens,
  type World,
  world,
} from '@ostiary/test-kit/world'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { postgresStorage } from '../src/index.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'

let database: OwnDatabase
beforeAll(async () => {
  database = await migratedDatabase()
})
afterAll(() => database.drop())

/** Two servers, and what refreshes on one of them. */
async function parallel(client_id: string, secret: Record<string, string>) {
  const storage = postgresStorage(database.executor)
  const one = await world({ storage, clients: [await client({ client_id, trusted: true, ...secret })] })
  const two = await world({ storage, clients: [] })
  const { code } = await one.browser().code({ client_id })
  const refresh = (w: World, refresh_token: string): Promise<TokenAnswer> =>
    tokens(w, { grant_type: 'refresh_token', client_id, ...secret, refresh_token })
  const { refresh_token } = (await redeem(one, code, { client_id, ...secret })).body
  const answers = await Promise.all([one, two, one, two].map((w) => refresh(w, refresh_token)))
  return { answers, refresh: (token: string) => refresh(two, token) }
}

it('of a client with a secret: all are answered with one successor, and the next refresh works', async () => {
  const { answers, refresh } = await parallel('web', { client_secret: CLIENT_SECRET })
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const [successor = '', ...others] = new Set(answers.map(({ body }) => body.refresh_token))
  expect(others).toEqual([])
  expect((await refresh(successor)).status).toBe(200)
})

it('of a public client without a key: one is answered, and the grant ends', async () => {
  const { answers, refresh } = await parallel('page', {})
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400])
  const won = answers.find(({ status }) => status === 200)
  expect((await refresh(won?.body.refresh_token ?? '')).body.error).toBe('invalid_grant')
})
