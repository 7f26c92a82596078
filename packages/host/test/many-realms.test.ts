/** A server with many realms: its start makes the first keys of a few, and checks the stored keys of all. */

import { postgresExecutor } from '@ostiary/storage-postgres'
import { ownDatabase, UNLIMITED } from '@ostiary/test-kit/database'
import { expect, it, onTestFinished } from 'vitest'
import { configuredLog, createApp } from '../src/index.ts'
import { configure } from './support.ts'

const REALMS = Array.from({ length: 13 }, (_, n) => `realm-${n}`)
const FILE = {
  app: { url: 'http://localhost:4000' },
  oidc: {
    routes: { realms: 'path' },
    realms: Object.fromEntries(REALMS.map((id) => [id, {}])),
    // An RSA key takes longer to make.
    keys: { algorithms: ['ES256'] },
  },
}

async function start(DATABASE_URL: string, OIDC_SECRET: string) {
  const config = await configure(FILE, { DATABASE_URL, OIDC_SECRET })
  const app = await createApp(config, { log: configuredLog(config, () => {}) })
  onTestFinished(() => app.stop())
  return app
}

it('the start makes the keys of ten realms, the first use those of others, and a wrong secret is noticed in any', async () => {
  const DATABASE_URL = await ownDatabase()
  const app = await start(DATABASE_URL, 'the-first-secret-is-long-enough-too')
  await app.start()
  const executor = postgresExecutor(DATABASE_URL, { ...UNLIMITED, connections: 1 })
  onTestFinished(() => executor.close())
  const realms = async () =>
    (await executor.query<{ realm: string }>('select realm from oidc_signing_keys')).map(({ realm }) => realm)
  expect((await realms()).sort()).toEqual(REALMS.slice(0, 10).sort())

  const jwks = () => app.fetch(new Request('http://localhost:4000/realms/realm-12/.well-known/jwks.json'))
  const answers = await Promise.all([jwks(), jwks(), jwks()])
  const [first, ...others] = await Promise.all(answers.map((answer) => answer.text()))
  expect(others).toEqual([first, first])
  expect((await realms()).filter((realm) => realm === 'realm-12')).toHaveLength(1)
  await app.stop()

  await executor.query(`delete from oidc_signing_keys where realm <> 'realm-12'`)
  const other = await start(DATABASE_URL, 'another-secret-that-is-long-enough')
  await expect(other.start()).rejects.toMatchObject({
    name: 'StorageError',
    message: expect.stringMatching(/OIDC_SECRET/),
  })
})
