import { createServer } from 'node:net'
import { startRedis } from '@ostiary/local-services/redis'
import { postgresExecutor } from '@ostiary/storage-postgres'
import { cookieJar, filled, formOf } from '@ostiary/test-kit/browser'
import { ownDatabase, service, UNLIMITED } from '@ostiary/test-kit/database'
import { eventually } from '@ostiary/test-kit/eventually'
import { migratedDatabase } from '@ostiary/test-kit/migrated-database'
import { Redis } from 'ioredis'
import { describe, expect, it, onTestFinished } from 'vitest'
import { databaseSchema } from '../src/config/database-settings.ts'
import {
  type App,
  configuredLog,
  createApp,
  createLog,
  type Environment,
  type HostConfig,
  openStorage,
} from '../src/index.ts'
import { proxy } from './proxy.ts'
import { configure, FILE, folder, PASSWORD } from './support.ts'

const CALLBACK = 'http://localhost:8080/callback'
const CODE = {
  client_id: 'app',
  redirect_uri: CALLBACK,
  response_type: 'code',
  scope: 'openid',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
}
const IN_REDIS = { OSTIARY_SESSIONS: 'redis' }
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const TRUSTED = { ...FILE, clients: [{ ...FILE.clients[0], trusted: true }] }

/** A port on which no server listens. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  await new Promise((done) => server.close(done))
  return port
}

async function start(config: HostConfig) {
  const lines: string[] = []
  const app = await createApp(config, { log: configuredLog(config, (line) => lines.push(line)) })
  onTestFinished(() => app.stop())
  const report = await app.start()
  return { app, lines, report }
}

const request = async (app: App, path: string, init?: RequestInit) => {
  const response = await app.fetch(new Request(new URL(path, 'http://localhost:4000'), init))
  const text = await response.text()
  const { status, headers } = response
  return { status, headers, text }
}

const ready = async (app: App) => {
  const { status, text } = await request(app, '/readyz')
  return [status, JSON.parse(text)]
}

/** A browser with cookies that fills in one form after the other. */
function browser() {
  const jar = cookieJar()
  const send = async (app: App, path: string, init: RequestInit = {}) => {
    const answer = await request(app, path, { ...init, headers: { cookie: jar.header() } })
    jar.keep(answer)
    return { ...answer, location: answer.headers.get('location') ?? '' }
  }
  const authorize = (app: App, more = {}) =>
    send(app, `/oauth/authorize?${new URLSearchParams({ ...CODE, ...more })}`)
  return {
    authorize,
    async signIn(app: App) {
      const page = await send(app, (await authorize(app)).location)
      const body = filled(formOf(page.text), { username: 'ann', password: PASSWORD })
      let next = await send(app, '/login', { method: 'POST', body })
      while (next.location.startsWith('http://localhost:4000') || next.location.startsWith('/'))
        next = await send(app, next.location)
      return next.location
    },
  }
}

async function token(app: App, form: Record<string, string>) {
  const body = new URLSearchParams({ client_id: 'app', redirect_uri: CALLBACK, ...form })
  const { status, text, headers } = await request(app, '/oauth/token', { method: 'POST', body })
  return { status, retry_after: headers.get('retry-after'), ...JSON.parse(text) }
}

const redeem = (app: App, location: string) => {
  const code = new URL(location).searchParams.get('code') ?? ''
  return token(app, { grant_type: 'authorization_code', code, code_verifier: VERIFIER })
}

const refresh = (app: App, refresh_token: string) =>
  token(app, { grant_type: 'refresh_token', refresh_token })

describe('records survive a restart', () => {
  it.each<[string, () => Promise<Environment>, string[]]>([
    ['on Postgres', async () => ({ DATABASE_URL: await migratedDatabase() }), ['database', 'clock']],
    [
      'on Postgres and Redis',
      async () => ({ DATABASE_URL: await migratedDatabase(), REDIS_URL: service('REDIS_URL') }),
      ['database', 'redis', 'clock'],
    ],
    [
      'on Postgres and Redis, with sessions in Redis',
      async () => ({ DATABASE_URL: await migratedDatabase(), REDIS_URL: service('REDIS_URL'), ...IN_REDIS }),
      ['database', 'redis', 'clock'],
    ],
    ['in the embedded database', async () => ({ DATA_DIR: await folder() }), ['database']],
  ])('%s', async (_, env, parts) => {
    const config = await configure(TRUSTED, await env())
    const ann = browser()
    const first = await start(config)
    expect(first.report.default).toMatchObject({ clients: { created: 1 }, users: { created: 1 } })
    const health = Object.fromEntries(parts.map((part) => [part, 'ok']))
    expect(await ready(first.app)).toEqual([200, { status: 'ready', ...health }])
    const location = await ann.signIn(first.app)
    const issued = await redeem(first.app, location)
    expect(issued).toMatchObject({ status: 200, refresh_token: expect.any(String) })
    const { location: unspent } = await ann.authorize(first.app)
    const keys = (await request(first.app, '/.well-known/jwks.json')).text
    await first.app.stop()

    const second = await start(config)
    expect(second.report.default).toMatchObject({ clients: { unchanged: 1 }, users: { unchanged: 1 } })
    expect(JSON.parse(keys).keys).toHaveLength(1)
    expect((await request(second.app, '/.well-known/jwks.json')).text).toBe(keys)
    const renewed = await refresh(second.app, issued.refresh_token)
    expect(renewed).toMatchObject({ status: 200 })
    expect(await redeem(second.app, unspent)).toMatchObject({ status: 200 })
    const { location: silent } = await ann.authorize(second.app, { prompt: 'none' })
    expect(await redeem(second.app, silent)).toMatchObject({ status: 200 })
    // A token that was spent before stays spent.
    expect(await redeem(second.app, location)).toMatchObject({ status: 400, error: 'invalid_grant' })
    expect([...first.lines, ...second.lines].filter((line) => line.includes('"level":"error"'))).toEqual([])
  })

  it.each([
    ['requests and counters only', {}, { sessions: 1, pending_authorizations: 0, throttles: 0 }],
    [
      'sessions too, when that is configured',
      IN_REDIS,
      { sessions: 0, pending_authorizations: 0, throttles: 0 },
    ],
  ])('in Redis are %s', async (_, choice, rows) => {
    const env = { DATABASE_URL: await migratedDatabase(), REDIS_URL: service('REDIS_URL'), ...choice }
    const { app } = await start(await configure(TRUSTED, env))
    await redeem(app, await browser().signIn(app))
    const executor = postgresExecutor(env.DATABASE_URL, UNLIMITED)
    onTestFinished(() => executor.close())
    const count = async (table: string) =>
      (await executor.query<{ n: number }>(`select count(*) as n from oidc_${table}`))[0]?.n
    for (const table of ['clients', 'users', 'grants', 'signing_keys'])
      expect([table, await count(table)]).toEqual([table, 1])
    for (const [table, wanted] of Object.entries(rows))
      expect([table, await count(table)]).toEqual([table, wanted])
  })
})

describe('an empty database', () => {
  it('is set up by the server that finds it, with a log line', async () => {
    const env = { DATABASE_URL: await ownDatabase() }
    const first = await start(await configure(TRUSTED, env))
    expect(await ready(first.app)).toEqual([200, { status: 'ready', database: 'ok', clock: 'ok' }])
    const { lines } = await start(await configure(TRUSTED, env))
    const said = (all: string[]) => all.filter((line) => line.includes('"the database was empty')).length
    expect([said(first.lines), said(lines)]).toEqual([1, 0])
  })

  it('is set up once by two servers that start at the same time, and has one key', async () => {
    const config = await configure(TRUSTED, { DATABASE_URL: await ownDatabase() })
    const both = await Promise.all([start(config), start(config)])
    const keys = await Promise.all(
      both.map(async ({ app }) => (await request(app, '/.well-known/jwks.json')).text),
    )
    expect(JSON.parse(keys[0] ?? '').keys).toHaveLength(1)
    expect(keys[1]).toBe(keys[0])
    expect(
      both.flatMap(({ lines }) => lines).filter((line) => line.includes('"the database was')),
    ).toHaveLength(1)
  })
})

describe('on Postgres and Redis', () => {
  it('a purge is of both', async () => {
    const database_url = await migratedDatabase()
    const redis_url = service('REDIS_URL')
    const database = databaseSchema.parse({})
    const urls = { database_url, database, redis_url }
    const choice = { kind: 'postgres and redis', ...urls, sessions: 'database' } as const
    const opened = await openStorage(choice, createLog({ write: () => {} }))
    onTestFinished(() => opened.close())
    // Another realm, as the Redis is shared.
    const { revoked_tokens, pending, purge } = opened.storage(database_url.slice(-16))
    const now = Math.floor(Date.now() / 1000)
    await revoked_tokens.add('a-token', now - 1)
    const request = { client_id: null, post_logout_redirect_uri: null, state: null }
    const record = { pending_hash: 'p', expires_at: now - 1, sid: 's', request }
    await pending.put({ kind: 'logout', ...record })
    expect(await purge(now)).toBe(2)
    expect(await pending.find('p')).toBeNull()
    expect(await purge(now)).toBe(0)
  })
})

describe('a start that the storage prevents', () => {
  const opening = async (env: Environment) =>
    createApp(await configure(FILE, env), { log: createLog({ write: () => {} }) }).then(
      async (app) => {
        await app.stop()
        return null
      },
      (error: Error) => error,
    )
  const withSessions = (env: Environment) => opening({ ...env, ...IN_REDIS })

  it('a role that may not create the schema', async () => {
    const DATABASE_URL = `${await ownDatabase()}?role=pg_read_all_data`
    expect(await opening({ DATABASE_URL })).toMatchObject({
      name: 'StorageError',
      needs_migration: true,
      message: expect.stringMatching(/^The database is empty: .* this role may not create tables in it\./),
    })
  })

  it('a newer schema', async () => {
    const DATABASE_URL = await migratedDatabase()
    const executor = postgresExecutor(DATABASE_URL, UNLIMITED)
    const later = { id: 9999, name: 'from-the-future', sql: 'select 1' }
    await executor.query(`insert into oidc_migrations (id, name, checksum) values ($1, $2, 'x')`, [
      later.id,
      later.name,
    ])
    await executor.close()
    expect(await opening({ DATABASE_URL })).toMatchObject({
      name: 'StorageError',
      needs_migration: false,
      message: expect.stringMatching(/newer than this version, which does not know 9999-from-the-future/),
    })
  })

  it('a server that does not answer, without showing the password', async () => {
    const error = await opening({ DATABASE_URL: `postgres://ann:hidden@127.0.0.1:${await closedPort()}/x` })
    expect(error).toMatchObject({ name: 'StorageError', message: expect.stringContaining('ECONNREFUSED') })
    expect(error?.message).not.toContain('hidden')
  })

  it('a Redis that drops records, when it holds the sessions', async () => {
    const { url, stop } = await startRedis()
    onTestFinished(stop)
    const admin = new Redis(url)
    onTestFinished(() => admin.disconnect())
    const env = { DATABASE_URL: await migratedDatabase(), REDIS_URL: url }
    expect(await withSessions(env)).toBeNull()
    await admin.config('SET', 'maxmemory-policy', 'allkeys-lru')
    // Without a memory limit it drops no records.
    expect(await withSessions(env)).toBeNull()
    await admin.config('SET', 'maxmemory', '100mb')
    expect(await withSessions(env)).toMatchObject({
      name: 'StorageError',
      message:
        'The Redis that REDIS_URL names drops records when it is full (maxmemory-policy allkeys-lru), and it holds the ' +
        'sessions: set its maxmemory-policy to noeviction, or OSTIARY_SESSIONS to database',
    })
    expect(await opening(env)).toBeNull()
  })

  it('an embedded database that is in use', async () => {
    const DATA_DIR = await folder()
    await start(await configure(FILE, { DATA_DIR }))
    expect(await opening({ DATA_DIR })).toMatchObject({
      name: 'StorageError',
      message: expect.stringMatching(/ is in use by process .* set DATABASE_URL/),
    })
  })
})

describe('an outage', () => {
  const WITHOUT_REDIS = { status: 'ready', database: 'ok', redis: 'down', clock: 'ok' }
  async function mixed() {
    const database = await proxy(await migratedDatabase())
    const redis = await proxy(service('REDIS_URL'))
    const env = { DATABASE_URL: database.url, REDIS_URL: redis.url, ...IN_REDIS }
    const started = await start(await configure(TRUSTED, env))
    const ann = browser()
    const { refresh_token } = await redeem(started.app, await ann.signIn(started.app))
    const { location: login } = await browser().authorize(started.app)
    return { ...started, database, redis, ann, refresh_token, login }
  }
  const away = { status: 503, error: 'temporarily_unavailable', retry_after: expect.stringMatching(/^\d+$/) }

  it.each(['cut', 'hang'] as const)(
    'of Redis (%s): /readyz names it, and requests succeed when it ends',
    async (how) => {
      const { app, redis, ann, login, lines } = await mixed()
      await redis[how]()
      expect(await ready(app)).toEqual([200, WITHOUT_REDIS])
      const refused = await ann.authorize(app)
      expect(new URL(refused.location).searchParams.get('error')).toBe('temporarily_unavailable')
      const page = await request(app, login)
      expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
      expect(page.headers.get('retry-after')).toMatch(/^\d+$/)
      if (how === 'cut') expect(lines.filter((line) => line.includes('redis is unavailable'))).toHaveLength(1)

      await redis.restore()
      await eventually(async () => (await ready(app))[1].redis === 'ok')
      expect(await redeem(app, (await ann.authorize(app)).location)).toMatchObject({ status: 200 })
      expect((await request(app, login)).status).toBe(200)
    },
  )

  it.each(['cut', 'hang'] as const)(
    'of Postgres (%s): 503, and routes that need only keys answer',
    async (how) => {
      const { app, database, refresh_token } = await mixed()
      await database[how]()
      expect(await ready(app)).toEqual([
        503,
        { status: 'unavailable', database: 'down', redis: 'ok', clock: 'ok' },
      ])
      expect(await refresh(app, refresh_token)).toMatchObject(away)
      for (const path of ['/.well-known/openid-configuration', '/.well-known/jwks.json', '/healthz'])
        expect([path, (await request(app, path)).status]).toEqual([path, 200])

      await database.restore()
      await eventually(async () => (await ready(app))[0] === 200)
      expect(await refresh(app, refresh_token)).toMatchObject({ status: 200 })
    },
  )

  it('at the start: a server without its Redis starts, and logs it', async () => {
    const env = {
      DATABASE_URL: await migratedDatabase(),
      REDIS_URL: `redis://127.0.0.1:${await closedPort()}`,
    }
    const { app, lines } = await start(await configure(FILE, env))
    expect(await ready(app)).toEqual([200, WITHOUT_REDIS])
    expect(lines.filter((line) => line.includes('redis is unavailable'))).toHaveLength(1)
  })
})
