import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ownDatabase } from '../../../packages/host/test/database.ts'
import { person } from './person.ts'
import {
  configFor,
  freePort,
  PASSWORD,
  type Running,
  run,
  SECRET,
  type Start,
  startServer,
  USERNAME,
} from './server.ts'

const CALLBACK = 'http://localhost:8080/callback'
const CODE = {
  ...{ client_id: 'notes', redirect_uri: CALLBACK, response_type: 'code', scope: 'openid' },
  ...{ code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' },
}
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

async function started(start: Start): Promise<Running> {
  const server = await startServer(start)
  onTestFinished(() => void server.child.kill('SIGKILL'))
  return server
}

async function tokens({ issuer }: Running, form: Record<string, string>) {
  const body = new URLSearchParams({ client_id: 'notes', ...form })
  const response = await fetch(`${issuer}/oauth/token`, { method: 'POST', body })
  return { status: response.status, ...((await response.json()) as { refresh_token: string }) }
}

const codeIn = (url: URL) => ({
  ...{ grant_type: 'authorization_code', code: url.searchParams.get('code') ?? '' },
  ...{ redirect_uri: CALLBACK, code_verifier: VERIFIER },
})

describe('the embedded database', () => {
  it('keeps session, consent and grant through a SIGKILL', async () => {
    const DATA_DIR = await mkdtemp(join(tmpdir(), 'ostiary-data-'))
    onTestFinished(() => rm(DATA_DIR, { recursive: true, force: true }))
    const start = {
      config: configFor(CALLBACK),
      ...{ port: await freePort(), env: { OIDC_SECRET: SECRET, DATA_DIR } },
    }
    const server = await started(start)
    const ann = person(server.issuer)
    const authorize = `${server.issuer}/oauth/authorize?${new URLSearchParams(CODE)}`
    const signIn = await ann.open(authorize)
    const consent = await ann.submit(signIn, { username: USERNAME, password: PASSWORD })
    const { url } = await ann.submit(consent)
    const first = await tokens(server, codeIn(url))
    expect(first.status).toBe(200)
    const gone = once(server.child, 'close')
    server.child.kill('SIGKILL')
    await gone

    const again = await started(start)
    const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token }
    expect(await tokens(again, refresh)).toMatchObject({ status: 200 })
    expect(await tokens(again, codeIn(url))).toMatchObject({ status: 400, error: 'invalid_grant' })
    // Neither signs in nor agrees again.
    const { url: back } = await ann.open(`${authorize}&prompt=none`)
    expect(await tokens(again, codeIn(back))).toMatchObject({ status: 200 })
  })
})

describe('migrate', () => {
  it('shows what it will do, does it, and then there is nothing to do', async () => {
    const env = { DATABASE_URL: await ownDatabase() }
    const plan = await run({ env, args: ['migrate', '--plan'] })
    expect(plan).toMatchObject({ code: 0, stderr: '' })
    expect(plan.stdout).toMatch(/^-- 0001-records would run:\n[\s\S]*create table oidc_clients/)
    // It changed nothing.
    expect(await run({ env, args: ['migrate', '--plan'] })).toEqual(plan)
    expect(await run({ env, args: ['migrate'] })).toMatchObject({
      ...{ code: 0, stderr: '', stdout: '0001-records has run\nThe schema is up to date.\n' },
    })
    for (const args of [['migrate'], ['migrate', '--plan']])
      expect(await run({ env, args })).toMatchObject({ code: 0, stdout: 'The schema is up to date.\n' })
    const server = await started({ env })
    expect(server.logged('listening')).toEqual([expect.objectContaining({ storage: 'postgres' })])
    expect(await server.stop()).toMatchObject({ code: 0 })
  })

  it('may run twice at once', async () => {
    const env = { DATABASE_URL: await ownDatabase() }
    const both = await Promise.all([run({ env, args: ['migrate'] }), run({ env, args: ['migrate'] })])
    expect(both).toEqual([expect.objectContaining({ code: 0 }), expect.objectContaining({ code: 0 })])
    expect(both.filter(({ stdout }) => stdout.includes('0001-records has run'))).toHaveLength(1)
  })

  it('an empty database needs none: the server sets it up', async () => {
    const env = { DATABASE_URL: await ownDatabase() }
    const server = await started({ env })
    expect(server.logged('listening')).toEqual([expect.objectContaining({ storage: 'postgres' })])
    expect(await run({ env, args: ['migrate'] })).toMatchObject({
      ...{ code: 0, stdout: 'The schema is up to date.\n' },
    })
  })

  it('where the server may not make tables it does not start, and says what to do', async () => {
    const { code, stderr } = await run({
      env: { DATABASE_URL: `${await ownDatabase()}?role=pg_read_all_data` },
    })
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^ostiary: The database is empty: it lacks 0001-records.* Run the migrations as a role that may, then start again\.\n {2}The command migrate runs them, migrate --plan shows them\.\n$/,
      ),
    ])
  })

  it('needs DATABASE_URL, and a database that answers', async () => {
    expect(await run({ args: ['migrate'] })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('DATABASE_URL: set this variable'),
    })
    const env = { DATABASE_URL: `postgres://127.0.0.1:${await freePort()}/x` }
    expect(await run({ env, args: ['migrate'] })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^ostiary: The database that DATABASE_URL names cannot be used: /),
    })
  })

  it('another argument: exit code 2 and the usage', async () => {
    expect(await run({ args: ['migrate', '--now'] })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^There is no option --now\n\nUsage: /),
    })
  })
})
