/** The command `move`: a server on the embedded database, and then on PostgreSQL with the same records. */

import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { countRecords, migrations, postgresExecutor } from '@ostiary/storage-postgres'
import { ownDatabase, UNLIMITED } from '@ostiary/test-kit/database'
import { eventually } from '@ostiary/test-kit/eventually'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { person } from '@ostiary/test-kit/person'
import { freePort } from '@ostiary/test-kit/ports'
import {
  CLIENT_SECRET,
  configFor,
  launch,
  PASSWORD,
  run,
  SECRET,
  type ServerProcess,
  startTestServer,
  USERNAME,
} from '@ostiary/test-kit/server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

vi.setConfig({ testTimeout: 300_000 })

const CALLBACK = 'http://localhost:8080/callback'
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const CODE = {
  client_id: 'notes',
  redirect_uri: CALLBACK,
  response_type: 'code',
  scope: 'openid offline_access',
  prompt: 'consent',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
}

interface TokenAnswer {
  status: number
  access_token: string
  refresh_token: string
  active: boolean
  error?: string
}

async function post(
  { issuer }: ServerProcess,
  path: string,
  form: Record<string, string>,
): Promise<TokenAnswer> {
  const response = await fetch(`${issuer}/oauth/${path}`, { method: 'POST', body: new URLSearchParams(form) })
  const text = await response.text()
  return { status: response.status, ...(text === '' ? {} : JSON.parse(text)) }
}

const BACKEND = { client_id: 'backend', client_secret: CLIENT_SECRET }
const machineToken = async (server: ServerProcess) =>
  (await post(server, 'token', { ...BACKEND, grant_type: 'client_credentials' })).access_token
const isActive = async (server: ServerProcess, token: string) =>
  (await post(server, 'introspect', { ...BACKEND, token })).active
const redeem = (server: ServerProcess, url: URL) =>
  post(server, 'token', {
    client_id: 'notes',
    grant_type: 'authorization_code',
    code: url.searchParams.get('code') ?? '',
    redirect_uri: CALLBACK,
    code_verifier: VERIFIER,
  })
const refresh = (server: ServerProcess, refresh_token: string) =>
  post(server, 'token', { client_id: 'notes', grant_type: 'refresh_token', refresh_token })
const jwks = async ({ issuer }: ServerProcess) => (await fetch(`${issuer}/oauth/jwks`)).json()

/** A client that authenticates with its key. */
const KEYS = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const SIGNER = {
  client_id: 'signer',
  grant_types: ['client_credentials'],
  token_endpoint_auth_method: 'private_key_jwt',
  jwks: { keys: [KEYS.publicKey.export({ format: 'jwk' })] },
}

function assertion({ issuer }: ServerProcess): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const exp = Math.floor(Date.now() / 1000) + 500
  const claims = { iss: SIGNER.client_id, sub: SIGNER.client_id, aud: issuer, jti: randomUUID(), exp }
  const input = `${part({ alg: 'ES256' })}.${part(claims)}`
  const signature = sign('sha256', Buffer.from(input), { key: KEYS.privateKey, dsaEncoding: 'ieee-p1363' })
  return `${input}.${signature.toString('base64url')}`
}

const signedToken = (server: ServerProcess, client_assertion: string) =>
  post(server, 'token', {
    grant_type: 'client_credentials',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion,
  })

function config(port: number) {
  const { oidc, clients, ...rest } = configFor(CALLBACK)(port)
  return { ...rest, oidc: { ...oidc, clients: { private_key_jwt: true } }, clients: [...clients, SIGNER] }
}

async function places() {
  const DATA_DIR = await temporaryFolder()
  const DATABASE_URL = await ownDatabase()
  const start = { config, port: await freePort() }
  const embedded = { ...start, env: { OIDC_SECRET: SECRET, DATA_DIR } }
  const postgres = { ...start, env: { ...embedded.env, DATABASE_URL } }
  const move = (env: Record<string, string> = {}, args = ['--yes']) =>
    run({ ...postgres, env: { ...postgres.env, ...env }, args: ['move', ...args] })
  return { DATA_DIR, DATABASE_URL, embedded, postgres, move }
}

describe('move', () => {
  it('users stay signed in, and consents, tokens, revocations and keys survive', async () => {
    const { DATA_DIR, embedded, postgres, move } = await places()
    const before = await startTestServer(embedded)
    const ann = person(before.issuer)
    const authorize = `${before.issuer}/oauth/authorize?${new URLSearchParams(CODE)}`
    const consent = await ann.submit(await ann.open(authorize), { username: USERNAME, password: PASSWORD })
    const { url } = await ann.submit(consent)
    const first = await redeem(before, url)
    expect(first.status).toBe(200)
    // A code that waits to be redeemed.
    const silent = `${before.issuer}/oauth/authorize?${new URLSearchParams({ ...CODE, scope: 'openid', prompt: 'none' })}`
    const { url: waiting } = await ann.open(silent)
    const revoked = await machineToken(before)
    const valid = await machineToken(before)
    expect(await isActive(before, revoked)).toBe(true)
    await post(before, 'revoke', { ...BACKEND, token: revoked })
    const used = assertion(before)
    expect(await signedToken(before, used)).toMatchObject({ status: 200 })
    const published = await jwks(before)

    const refused = await move()
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(/pglite is in use by process \d+/)

    await before.stop()
    const moved = await move({}, ['--yes', '--json'])
    expect(moved).toMatchObject({ code: 0 })
    expect(JSON.parse(moved.stderr)).toMatchObject({ event: 'command.done', command: 'move' })
    expect(JSON.parse(moved.stdout)).toMatchObject({
      folder: join(DATA_DIR, 'pglite'),
      tables: {
        oidc_users: 1,
        oidc_clients: 43,
        oidc_signing_keys: 1,
        oidc_revoked_tokens: 1,
        oidc_replays: 1,
      },
    })

    const after = await startTestServer(postgres)
    expect(after.logged('listening')).toEqual([expect.objectContaining({ storage: 'postgres' })])
    expect(await jwks(after)).toEqual(published)
    expect(await redeem(after, waiting)).toMatchObject({ status: 200 })
    expect(await redeem(after, url)).toMatchObject({ status: 400, error: 'invalid_grant' })
    // Neither sign-in nor consent is asked for again.
    const { url: back } = await ann.open(silent)
    expect(await redeem(after, back)).toMatchObject({ status: 200 })
    expect([await isActive(after, revoked), await isActive(after, valid)]).toEqual([false, true])
    // An assertion that was used before the move cannot be used again.
    expect(await signedToken(after, used)).toMatchObject({ status: 401, error: 'invalid_client' })
    expect(await signedToken(after, assertion(after))).toMatchObject({ status: 200 })
    await after.stop()

    // A second move would overwrite what happened since.
    const again = await move()
    expect(again).toMatchObject({ code: 1, stdout: '' })
    expect(again.stderr).toMatch(
      /^ostiary: The target has records already, in oidc_clients, .*: name a database/,
    )
  })

  it('a refresh token works after the move, and its family ends when a spent one is used', async () => {
    const { embedded, postgres, move } = await places()
    const before = await startTestServer(embedded)
    const ann = person(before.issuer)
    const authorize = `${before.issuer}/oauth/authorize?${new URLSearchParams(CODE)}`
    const consent = await ann.submit(await ann.open(authorize), { username: USERNAME, password: PASSWORD })
    const { refresh_token } = await redeem(before, (await ann.submit(consent)).url)
    await before.stop()
    const moved = await move()
    expect(moved).toMatchObject({ code: 0 })
    expect(moved.stdout).toMatch(/^oidc_refresh_tokens +1$/m)
    expect(moved.stderr).toMatch(/^Everything is copied\. .*pglite is unchanged: delete the folder/m)
    const after = await startTestServer(postgres)
    const next = await refresh(after, refresh_token)
    expect(next).toMatchObject({ status: 200 })
    expect(await refresh(after, next.refresh_token)).toMatchObject({ status: 200 })
    // The first token is spent, and so is the one that followed it.
    expect(await refresh(after, refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' })
  })

  it('that is killed halfway leaves the database empty, and the next one moves the records', async () => {
    const { DATABASE_URL, embedded, postgres, move } = await places()
    await (await startTestServer(embedded)).stop()
    const executor = postgresExecutor(DATABASE_URL, { ...UNLIMITED, connections: 2 })
    onTestFinished(() => executor.close())
    await migrations(executor).migrate()
    // When the clients are copied, the first user waits for this lock.
    await executor.query(`create function held() returns trigger language plpgsql
      as 'begin perform pg_advisory_xact_lock(1); return new; end'`)
    await executor.query(
      'create trigger held before insert on oidc_users for each row execute function held()',
    )
    await executor.transaction(async (tx) => {
      await tx.query('set local idle_in_transaction_session_timeout = 0')
      await tx.query('select pg_advisory_xact_lock(1)')
      const { child, exited } = await launch({ ...postgres, args: ['move', '--yes'] })
      onTestFinished(() => void child.kill('SIGKILL'))
      const waiting = `select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`
      await eventually(async () => (await executor.query(waiting)).length > 0)
      child.kill('SIGKILL')
      expect(await exited).toMatchObject({ signal: 'SIGKILL' })
    })
    // Waits until the server of the database has noticed.
    await executor.query('drop trigger held on oidc_users')
    expect(Object.values(await countRecords(executor)).every((rows) => rows === 0)).toBe(true)
    expect(await move()).toMatchObject({ code: 0 })
    expect(await countRecords(executor)).toMatchObject({ oidc_users: 1, oidc_signing_keys: 1 })
  })

  it('refuses what it cannot move before it asks, and changes nothing', async () => {
    const { DATA_DIR, DATABASE_URL, embedded, move: confirmed } = await places()
    // There is no terminal: what is possible is refused without --yes.
    const move = (env: Record<string, string> = {}) => confirmed(env, [])
    expect(await move({ DATABASE_URL: '' })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('DATABASE_URL: set this variable to the PostgreSQL server'),
    })
    expect(await move()).toMatchObject({
      code: 1,
      stderr: `ostiary: There is no embedded database in ${join(DATA_DIR, 'pglite')}: set DATA_DIR to the folder in which the server has kept its records\n`,
    })
    await mkdir(DATA_DIR, { recursive: true })
    await (await startTestServer(embedded)).stop()
    expect(await move({ OIDC_SECRET: 'another-secret-another-secret-another-secret' })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^ostiary: .*signing key.* realm default/),
    })
    expect(await move()).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'error: it asks first, and there is no terminal to ask on: give --yes\n',
    })
    const executor = postgresExecutor(DATABASE_URL, { ...UNLIMITED, connections: 1 })
    onTestFinished(() => executor.close())
    expect(await executor.query(`select from pg_tables where schemaname = 'public'`)).toEqual([])
    // The schema of another version.
    await executor.query(
      `create table oidc_migrations (id integer, name text, checksum text); insert into oidc_migrations values (1, 'records', 'other')`,
    )
    expect(await move()).toMatchObject({ code: 1, stderr: expect.stringContaining('was made by other SQL') })
    await executor.query('drop table oidc_migrations')
    await migrations(executor).migrate()
    expect(await confirmed()).toMatchObject({ code: 0 })
    expect(await move()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The target has records already'),
    })
  })
})
