/** Two servers on one PostgreSQL, one with its clock an hour ahead: it says so, is not ready, and undoes nothing. */

import { setTimeout as pause } from 'node:timers/promises'
import { postgresExecutor } from '@ostiary/storage-postgres'
import { ownDatabase, UNLIMITED } from '@ostiary/test-kit/database'
import { type Page, type Person, person } from '@ostiary/test-kit/person'
import { freePort } from '@ostiary/test-kit/ports'
import { SECRET, startServer } from '@ostiary/test-kit/server'
import { expect, it, onTestFinished } from 'vitest'
import {
  authorizeUrl,
  backend,
  clients,
  codeForm,
  newCode,
  PASSWORD,
  post,
  QUICK_KEYS,
  refreshForm,
  send,
  signIn,
  textOf,
  users,
} from './client.ts'
import { provider } from './provider.ts'
import { report } from './report.ts'

const TOKENS = 10
const SIGN_INS = 5
/** The lease of a server that was killed has ended, and another one has had time for two rounds of background work. */
const WITHOUT_LEADER_MS = 28_000
const HOUR_AHEAD = `--import data:text/javascript,${encodeURIComponent(`
  const Right = Date
  const ahead = 3_600_000
  globalThis.Date = class extends Right {
    constructor(...given) { given.length === 0 ? super(Right.now() + ahead) : super(...given) }
    static now() { return Right.now() + ahead }
  }`)}`

it('a server whose clock is an hour ahead undoes nothing, alone and beside another one', async () => {
  const DATABASE_URL = await ownDatabase()
  const config = (origin: string) => ({ app: { url: origin }, oidc: { keys: QUICK_KEYS }, clients, users })
  const right = await provider({ config, env: { DATABASE_URL } })
  const port = await freePort()
  const wrong = await startServer({
    config: config(right.origin),
    port,
    env: { DATABASE_URL, OIDC_SECRET: SECRET, NODE_OPTIONS: HOUR_AHEAD },
  })
  onTestFinished(async () => void (await wrong.stop()))
  const away = `http://localhost:${port}`
  const counted = { revoked_tokens: 0, active_again: 0, sign_ins: 0, codes: 0, refresh_tokens: 0, ready: 0 }

  const tokens = await Promise.all(
    Array.from({ length: TOKENS }, async () => {
      const form = { ...backend, grant_type: 'client_credentials' }
      const token = textOf(await post(`${right.origin}/oauth/token`, form), 'access_token')
      await post(`${right.origin}/oauth/revoke`, { ...backend, token })
      return token
    }),
  )
  const waiting: [Person, Page][] = []
  for (let n = 0; n < SIGN_INS; n += 1) {
    const ann = person(right.origin)
    waiting.push([ann, await ann.open(authorizeUrl(right.origin))])
  }
  const ann = await signIn(right.origin)
  const issued = await post(`${right.origin}/oauth/token`, codeForm(await newCode(ann, right.origin)))

  // Beside the right server: what it refuses as expired is still good on the right one.
  for (let n = 0; n < SIGN_INS; n += 1) {
    const form = codeForm(await newCode(ann, right.origin))
    expect((await post(`${away}/oauth/token`, form)).body.error).toBe('invalid_grant')
    if ((await post(`${right.origin}/oauth/token`, form)).status === 200) counted.codes += 1
  }
  for (const [, { url }] of waiting) await send(url.href.replace(right.origin, away))

  // Alone: the leader has died.
  await right.kill()
  await pause(WITHOUT_LEADER_MS)
  const { status, body } = await send(`${away}/readyz`)
  expect([status, body]).toEqual([503, { status: 'unavailable', database: 'ok', clock: 'down' }])
  const said = wrong
    .stdout()
    .split('\n')
    .filter((line) => line.includes('the clock of this server differs'))
  expect(said).toHaveLength(1)
  expect(JSON.parse(said[0] ?? '')).toMatchObject({ level: 'error', seconds_ahead: expect.closeTo(3600, -1) })
  const executor = postgresExecutor(DATABASE_URL, { ...UNLIMITED, connections: 1 })
  onTestFinished(() => executor.close())
  const [row] = await executor.query<{ count: number }>('select count(*) as count from oidc_revoked_tokens')
  counted.revoked_tokens = row?.count ?? 0

  await right.start()
  for (const token of tokens)
    if ((await post(`${right.origin}/oauth/introspect`, { ...backend, token })).body.active !== false)
      counted.active_again += 1
  for (const [ann, page] of waiting) {
    const { url } = await ann.submit(page, { username: users[0]?.username ?? '', password: PASSWORD })
    if (url.searchParams.has('code')) counted.sign_ins += 1
  }
  const refreshed = await post(`${right.origin}/oauth/token`, refreshForm(textOf(issued, 'refresh_token')))
  counted.refresh_tokens = refreshed.status === 200 ? 1 : 0
  counted.ready = (await send(`${right.origin}/readyz`)).status
  report('a server an hour ahead, beside another one and alone', counted)
  expect(counted).toEqual({
    revoked_tokens: TOKENS,
    active_again: 0,
    sign_ins: SIGN_INS,
    codes: SIGN_INS,
    refresh_tokens: 1,
    ready: 200,
  })
})
