/** Two server processes on one PostgreSQL: what one of them changes applies to the other at once. */

import { setTimeout as pause } from 'node:timers/promises'
import { postgresExecutor } from '@ostiary/storage-postgres'
import { ownDatabase, UNLIMITED } from '@ostiary/test-kit/database'
import { freePort } from '@ostiary/test-kit/ports'
import { launch, SECRET, startServer } from '@ostiary/test-kit/server'
import { expect, it, onTestFinished } from 'vitest'
import {
  type Answer,
  backend,
  clients,
  codeForm,
  newCode,
  post,
  refreshForm,
  send,
  signIn,
  textOf,
  userinfo,
  users,
} from './client.ts'
import { report } from './report.ts'

const ROUNDS = 10

interface Pair {
  /** The origins; the first one is the issuer of both. */
  origins: [string, string]
  lines: () => string
  env: Record<string, string>
  config: unknown
}

/** Both are started at the same moment on a database that has no tables. */
async function pair(): Promise<Pair> {
  const env = { DATABASE_URL: await ownDatabase(), OIDC_SECRET: SECRET }
  const port = await freePort()
  const other = await freePort()
  const config = {
    app: { url: `http://localhost:${port}` },
    // Strict: a client with a secret may else repeat a refresh.
    oidc: { keys: { publish_before: 0 }, tokens: { refresh_token_grace: 0 } },
    clients,
    users,
  }
  const both = await Promise.all([port, other].map((port) => startServer({ config, env, port })))
  onTestFinished(async () => {
    await Promise.all(both.map((server) => server.stop()))
  })
  return {
    origins: [`http://localhost:${port}`, `http://localhost:${other}`],
    lines: () => both.map((server) => server.stdout()).join(''),
    env,
    config,
  }
}

const outcome = ({ status, body }: Answer) => `${status} ${body.error ?? ''}`.trim()
const token = (origin: string, form: Record<string, string>) => post(`${origin}/oauth/token`, form)
const introspected = async (origin: string, value: string) =>
  (await post(`${origin}/oauth/introspect`, { ...backend, token: value })).body.active
const keyOf = (jwt: string): string => JSON.parse(`${Buffer.from(jwt.split('.')[0] ?? '', 'base64url')}`).kid
const published = async (origin: string): Promise<string[]> => {
  const { body } = await send(`${origin}/.well-known/jwks.json`)
  return (body.keys as { kid: string }[]).map(({ kid }) => kid)
}

it('two servers that start at once on an empty database both start, with one set of tables and one key', async () => {
  const counted = { pairs: 0, set_up: 0, keys: 0 }
  for (let round = 0; round < 3; round += 1) {
    const { origins, lines, env } = await pair()
    const [one, other] = await Promise.all(origins.map(published))
    expect(other).toEqual(one)
    const database = postgresExecutor(env.DATABASE_URL ?? '', UNLIMITED)
    const rows = await database.query('select kid from oidc_signing_keys')
    await database.close()
    counted.pairs += 1
    counted.keys += rows.length
    counted.set_up += lines().match(/"the database was empty and is set up"/g)?.length ?? 0
  }
  report('two servers started at once on an empty database', counted)
  expect(counted).toEqual({ pairs: 3, set_up: 3, keys: 3 })
})

it('what is revoked or spent on one is revoked or spent on the other at once', async () => {
  const { origins } = await pair()
  const ann = await signIn(origins[0])
  const counted = { tokens_revoked: 0, refresh_tokens_spent: 0, codes_redeemed: 0, accepted_by_the_other: 0 }
  for (let round = 0; round < ROUNDS; round += 1) {
    const [here, there] = round % 2 === 0 ? origins : ([...origins].reverse() as [string, string])
    const code = async () => codeForm(await newCode(ann, origins[0], { client_id: 'backend' }), backend)

    const first = await token(here, await code())
    const access = textOf(first, 'access_token')
    for (const origin of origins) {
      expect(outcome(await userinfo(origin, access))).toBe('200')
      expect(await introspected(origin, access)).toBe(true)
    }
    expect((await post(`${here}/oauth/revoke`, { ...backend, token: access })).status).toBe(200)
    const refused = [await introspected(there, access), outcome(await userinfo(there, access))]
    expect(refused).toEqual([false, '401 invalid_token'])
    counted.tokens_revoked += 1

    const own = textOf(await token(here, { ...backend, grant_type: 'client_credentials' }), 'access_token')
    expect(await introspected(there, own)).toBe(true)
    await post(`${here}/oauth/revoke`, { ...backend, token: own })
    expect(await introspected(there, own)).toBe(false)
    counted.tokens_revoked += 1

    const spent = textOf(await token(here, await code()), 'refresh_token')
    const next = textOf(await token(here, refreshForm(spent, backend)), 'refresh_token')
    const again = await token(there, refreshForm(spent, backend))
    expect(outcome(again)).toBe('400 invalid_grant')
    // Reuse means theft (RFC 9700): the tokens that followed are revoked on both.
    expect(outcome(await token(here, refreshForm(next, backend)))).toBe('400 invalid_grant')
    counted.refresh_tokens_spent += 1

    const form = await code()
    const redeemed = await token(here, form)
    const replay = await token(there, form)
    expect(outcome(replay)).toBe('400 invalid_grant')
    expect(outcome(await userinfo(here, textOf(redeemed, 'access_token')))).toBe('401 invalid_token')
    counted.codes_redeemed += 1
    for (const { status } of [again, replay]) if (status === 200) counted.accepted_by_the_other += 1
  }
  report('two servers on one database', counted)
  expect(counted).toEqual({
    tokens_revoked: 2 * ROUNDS,
    refresh_tokens_spent: ROUNDS,
    codes_redeemed: ROUNDS,
    accepted_by_the_other: 0,
  })
})

it('a key rotated by a third process signs and verifies on both, without a restart', async () => {
  const { origins, env, config } = await pair()
  const [old = ''] = await published(origins[0])
  const rotation = await launch({ config, env, args: ['keys', 'rotate'] })
  const { code, stdout } = await rotation.exited
  expect(code).toBe(0)
  const fresh = stdout.split(' ')[0] ?? ''

  const own = { ...backend, grant_type: 'client_credentials' }
  const counted = { tokens: 0, of_the_new_key: 0, refused_by_the_other: 0 }
  // Only a third server knows the new key from its start: the others read it from the database.
  const port = await freePort()
  const third = await startServer({ config, env, port })
  onTestFinished(async () => void (await third.stop()))
  const jwt = textOf(await token(`http://localhost:${port}`, own), 'access_token')
  expect(keyOf(jwt)).toBe(fresh)
  for (const origin of origins) expect(await introspected(origin, jwt)).toBe(true)

  const signing = new Set<string>()
  while (signing.size < 2 || counted.of_the_new_key < 10) {
    for (const [here, there] of [origins, [...origins].reverse()]) {
      const jwt = textOf(await token(here ?? '', own), 'access_token')
      counted.tokens += 1
      if (!(await introspected(there ?? '', jwt))) counted.refused_by_the_other += 1
      if (keyOf(jwt) !== fresh) continue
      counted.of_the_new_key += 1
      signing.add(here ?? '')
    }
    await pause(250)
  }
  report('a key rotated while two servers run', counted)
  expect(counted.refused_by_the_other).toBe(0)
  for (const origin of origins) expect(await published(origin)).toEqual([old, fresh])
})
