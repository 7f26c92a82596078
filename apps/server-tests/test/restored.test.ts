/** A server answers nothing from a restored database before `database restored` has run, and goes on by itself afterwards. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createUser } from '@ostiary/identity'
import { postgresExecutor } from '@ostiary/storage-postgres'
import { type CleanUp, copyOfDatabase, service, UNLIMITED } from '@ostiary/test-kit/database'
import { eventually } from '@ostiary/test-kit/eventually'
import { type Person, person } from '@ostiary/test-kit/person'
import { configFor, launch, SECRET, type ServerProcess, startTestServer } from '@ostiary/test-kit/server'
import { expect, it, onTestFinished } from 'vitest'
import { type CommandExit, database } from './commands.ts'

const CALLBACK = 'http://localhost:8080/callback'
const ANN = ['ann', 'the first passphrase of ann'] as const
const BOB = ['bob', 'the first passphrase of bob'] as const
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const REFUSED = {
  error: 'temporarily_unavailable',
  error_description: 'The server is not available at the moment. Try again in a minute.',
}
/** No user of the file: its passwords would be set again. */
const config = (port: number) => ({ ...configFor(CALLBACK)(port), users: [] })

const authorizeUrl = (issuer: string) =>
  `${issuer}/oauth/authorize?${new URLSearchParams({
    client_id: 'notes',
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid profile',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })}`

async function token(issuer: string, form: Record<string, string>) {
  const body = new URLSearchParams({ client_id: 'notes', ...form })
  const response = await fetch(`${issuer}/oauth/token`, { method: 'POST', body })
  return { status: response.status, body: (await response.json()) as Record<string, string> }
}

/** @returns The page after the password. */
async function signIn(one: Person, issuer: string, [username, password]: readonly [string, string]) {
  return one.submit(await one.open(authorizeUrl(issuer)), { username, password })
}

/** Signs in, consents and redeems the code. @returns The refresh token. */
async function refreshToken(issuer: string): Promise<string> {
  const one = person(issuer)
  const { url } = await one.submit(await signIn(one, issuer, ANN))
  const form = { code: url.searchParams.get('code') ?? '', redirect_uri: CALLBACK, code_verifier: VERIFIER }
  const { body } = await token(issuer, { grant_type: 'authorization_code', ...form })
  return body.refresh_token ?? ''
}

/** What a server says of each kind of request. */
async function answers(issuer: string) {
  const sent = {
    token: fetch(`${issuer}/oauth/token`, { method: 'POST', body: new URLSearchParams({ grant_type: 'x' }) }),
    authorize: fetch(authorizeUrl(issuer), { redirect: 'manual' }),
    userinfo: fetch(`${issuer}/oauth/userinfo`, { headers: { authorization: 'Bearer x' } }),
    jwks: fetch(`${issuer}/.well-known/jwks.json`),
    discovery: fetch(`${issuer}/.well-known/openid-configuration`),
    account: fetch(`${issuer}/account`),
  }
  return Promise.all(
    Object.entries(sent).map(async ([name, answer]) => {
      const { status, headers } = await answer
      return [name, status, headers.get('retry-after')] as const
    }),
  )
}

async function expectRefused(issuer: string) {
  expect((await answers(issuer)).filter(([, status, retry]) => status !== 503 || retry !== '60')).toEqual([])
  expect(await (await fetch(`${issuer}/.well-known/jwks.json`)).json()).toEqual(REFUSED)
  const ready = await fetch(`${issuer}/readyz`)
  expect([ready.status, await ready.json()]).toMatchObject([
    503,
    { status: 'unavailable', database: 'restored' },
  ])
  expect((await fetch(`${issuer}/healthz`)).status).toBe(200)
}

const untilReady = (issuer: string) =>
  eventually(async () => expect((await fetch(`${issuer}/readyz`)).status).toBe(200))
const untilRefused = (issuer: string) =>
  eventually(async () =>
    expect(await (await fetch(`${issuer}/readyz`)).json()).toMatchObject({ database: 'restored' }),
  )

/** What servers find now: one that waits asks again only after a while. */
async function expectRefusal(quick: Awaited<ReturnType<typeof database>>['quick'], copy: string) {
  const { code, stdout } = await quick('doctor --offline', { env: { DATABASE_URL: copy } })
  expect([code, stdout]).toEqual([1, expect.stringContaining('its records were written in another database')])
}

/** A server that starts on a database that it refuses. */
async function startRefused(DATABASE_URL: string, more: Record<string, string> = {}) {
  const started = await launch({ config, env: { OIDC_SECRET: SECRET, DATABASE_URL, ...more } })
  onTestFinished(() => void started.child.kill('SIGKILL'))
  const issuer = `http://localhost:${started.port}`
  await untilRefused(issuer)
  return { ...started, issuer }
}

async function place(addCleanup: CleanUp) {
  const made = await database(addCleanup)
  for (const [username, password] of [ANN, BOB])
    await createUser(made.users, { username, sub: `${username}-1`, password })
  const server = await startTestServer({ config, env: made.env })
  return { ...made, server }
}

async function writeLog(server: ServerProcess, commands: readonly CommandExit[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ostiary-log-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const events = commands.flatMap(({ events }) => events.map((event) => `${JSON.stringify(event)}\n`))
  await writeFile(join(folder, 'log.jsonl'), server.stdout() + events.join(''))
  return join(folder, 'log.jsonl')
}

it('a server that starts on it waits for the command, and what was ended since the backup stays ended', async () => {
  const { quick, env, server } = await place(onTestFinished)
  const spent = await refreshToken(server.issuer)
  const copy = await copyOfDatabase(env.DATABASE_URL)
  const to = new Date().toISOString()
  await untilReady(server.issuer)
  expect((await token(server.issuer, { grant_type: 'refresh_token', refresh_token: spent })).status).toBe(200)
  const commands = [
    await quick('user set-password ann'),
    await quick('user disable bob'),
    await quick('consent revoke ann notes'),
  ]
  expect(commands.map(({ code }) => code)).toEqual([0, 0, 0])

  const { issuer, child, output } = await startRefused(copy)
  await expectRefused(issuer)
  expect(output.stdout).toContain('run ostiary database restored')
  const doctor = await quick('doctor --offline', { env: { DATABASE_URL: copy } })
  expect([doctor.code, doctor.stdout]).toEqual([
    1,
    expect.stringContaining('its records were written in another database'),
  ])
  expect(doctor.stdout).toContain('run ostiary database restored')
  await expectRefused(issuer)
  // The database that was copied is not affected.
  await untilReady(server.issuer)

  const log = await writeLog(server, commands)
  const command = await quick(`database restored --to ${to} --events ${log} --yes`, {
    env: { DATABASE_URL: copy },
  })
  expect([command.code, child.exitCode]).toEqual([0, null])
  await untilReady(issuer)
  expect(await token(issuer, { grant_type: 'refresh_token', refresh_token: spent })).toMatchObject({
    status: 400,
    body: { error: 'invalid_grant' },
  })
  expect((await signIn(person(issuer), issuer, ANN)).html).toContain('not right')
  expect((await signIn(person(issuer), issuer, BOB)).html).toContain('not right')
  const NEW = 'another passphrase of ann'
  await quick('user set-password ann --password-env NEW', { env: { DATABASE_URL: copy, NEW } })
  expect((await signIn(person(issuer), issuer, ['ann', NEW])).html).toContain('Allow Notes?')
})

it('a server that waits stops when it is told to, and one with workers answers 503 too', async () => {
  const { env, server } = await place(onTestFinished)
  const copy = await copyOfDatabase(env.DATABASE_URL)
  for (const OSTIARY_SERVER__WORKERS of ['1', '2']) {
    const { issuer, child, exited } = await startRefused(copy, { OSTIARY_SERVER__WORKERS })
    await expectRefused(issuer)
    child.kill('SIGTERM')
    expect(await exited).toMatchObject({ code: 0, stderr: '' })
  }
  await untilReady(server.issuer)
})

it('after a move that has lost nothing, --nothing-lost is enough: users stay signed in', async () => {
  const { quick, env, server } = await place(onTestFinished)
  const refresh_token = await refreshToken(server.issuer)
  await server.stop()
  const copy = await copyOfDatabase(env.DATABASE_URL)
  const { issuer } = await startRefused(copy)
  const moved = { env: { DATABASE_URL: copy } }
  for (const [line, text] of [
    ['--nothing-lost', 'give --yes'],
    ['--nothing-lost --without-events --yes', '--nothing-lost goes without --without-events'],
    ['--nothing-lost --buckets 0-1 --yes', '--nothing-lost goes without --buckets'],
  ]) {
    const { code, stderr } = await quick(`database restored ${line}`, moved)
    expect([code === 0, stderr]).toEqual([false, expect.stringContaining(text ?? '')])
  }
  // A range of people is not all of the database.
  expect(
    (await quick('database restored --to 2026-01-01T00:00:00Z --without-events --buckets 0-0 --yes', moved))
      .code,
  ).toBe(0)
  await expectRefusal(quick, copy)
  expect(await quick('database restored --nothing-lost --yes', moved)).toMatchObject({
    code: 0,
    stdout: 'The servers use the database. No record was changed.\n',
  })
  await untilReady(issuer)
  expect((await token(issuer, { grant_type: 'refresh_token', refresh_token })).status).toBe(200)
})

it('a user of the configuration does not get the password of the file back', async () => {
  const { quick, env, server } = await place(onTestFinished)
  await server.stop()
  const users = [ANN, BOB].map(([username, password]) => ({ username, sub: `${username}-1`, password }))
  const configured = (port: number) => ({ ...config(port), users })
  const signedIn = async () => {
    const { issuer, stop } = await startTestServer({ config: configured, env })
    const pages = [await signIn(person(issuer), issuer, ANN), await signIn(person(issuer), issuer, BOB)]
    await stop()
    return pages.map(({ html }) => html.includes('Allow Notes?'))
  }
  expect(await signedIn()).toEqual([true, true])
  const line = 'database restored --to 2026-01-01T00:00:00Z --without-events --yes'
  expect((await quick(line, { config: configured(3000) })).code).toBe(0)
  expect(await signedIn()).toEqual([false, false])
})

it('a command that was stopped before its end leaves the database refused', async () => {
  const { quick, env, server } = await place(onTestFinished)
  await server.stop()
  const copy = await copyOfDatabase(env.DATABASE_URL)
  const { issuer } = await startRefused(copy)
  const executor = postgresExecutor(copy, { ...UNLIMITED, connections: 1 })
  await executor.query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'stopped'; end $$;
    create trigger refuse before delete on oidc_signing_keys execute function refuse()`)
  const line = 'database restored --to 2026-01-01T00:00:00Z --without-events --yes'
  expect((await quick(line, { env: { DATABASE_URL: copy } })).code).toBe(1)
  await expectRefusal(quick, copy)
  await executor.query('drop trigger refuse on oidc_signing_keys')
  await executor.close()
  expect((await quick(line, { env: { DATABASE_URL: copy } })).code).toBe(0)
  await untilReady(issuer)
})

/** The copy takes the place of the database, under whose name no connection is left. */
async function replaceByCopy(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1)
  const admin = postgresExecutor(service('DATABASE_URL'), { ...UNLIMITED, connections: 1 })
  await admin.query(`alter database ${name} allow_connections false`)
  await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  await eventually(() => admin.query(`alter database ${name} rename to ${name}_old`))
  await admin.query(`alter database ${name}_copy rename to ${name}`)
  await admin.query(`alter database ${name}_old rename to ${name}_copy`)
  await admin.close()
}

it('a server whose database is replaced by an older one stops answering, until the command has run', async () => {
  const { quick, env, server, executor } = await place(onTestFinished)
  const { issuer } = server
  const spent = await refreshToken(issuer)
  await copyOfDatabase(env.DATABASE_URL)
  await untilReady(issuer)
  const form = { grant_type: 'refresh_token', refresh_token: spent }
  await eventually(async () => expect((await token(issuer, form)).status).toBe(200))
  expect(server.logged('the database is not used')).toEqual([])
  await executor.close()

  let over = false
  const sent = async () => {
    const found = new Set<number>()
    while (!over) found.add((await token(issuer, form)).status)
    return found
  }
  const statuses = sent()
  await replaceByCopy(env.DATABASE_URL)
  await untilRefused(issuer)
  over = true
  // The older database would have given new tokens for the spent one.
  expect(await statuses).not.toContain(200)
  await expectRefused(issuer)
  await eventually(() =>
    expect(server.logged('the database is not used')).toMatchObject([
      { level: 'error', advice: expect.stringContaining('run ostiary database restored') },
    ]),
  )
  const line = 'database restored --to 2026-01-01T00:00:00Z --without-events --yes'
  expect((await quick(line)).code).toBe(0)
  await untilReady(issuer)
  expect(await token(issuer, form)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  await eventually(() => expect(server.logged('the database is used again')).toHaveLength(1))
})
