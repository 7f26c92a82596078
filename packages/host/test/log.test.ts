import { describe, expect, it } from 'vitest'
import { configuredLog, createLog, errorFields } from '../src/index.ts'
import { eventLog } from '../src/log/log-events.ts'
import { configure, FILE, startApp } from './support.ts'

const now = () => Date.UTC(2026, 0, 2, 3, 4, 5)

function captured(secrets: string[] = []) {
  const lines: string[] = []
  const log = createLog({ write: (line) => lines.push(line), secrets, now })
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '') }
}

describe('a log line', () => {
  it('is one JSON object with time, level, msg and fields', () => {
    const { log, last } = captured()
    log.warn('two\nlines', { count: 1 })
    expect(last()).toEqual({ time: '2026-01-02T03:04:05.000Z', level: 'warn', msg: 'two\nlines', count: 1 })
  })

  it('contains no line break from a field', () => {
    const { log, lines } = captured()
    log.info('x', { path: '/a\r\n{"level":"forged"}\u2028' })
    expect(lines[0]?.split(/[\r\n]/)).toHaveLength(1)
  })

  it.each(['s3cret-of-the-app', 'with "quotes" and \\ in it', 'a+b&c=d/e', 'dollar$1.*'])(
    'does not show the configured secret %s in a message, a stack or a field, nor percent-encoded',
    (secret) => {
      const { log, lines } = captured([secret])
      const error = new Error(`could not log in with ${secret}`, { cause: new Error(`wrong: ${secret}`) })
      log.error(`failed: ${secret}`, {
        ...errorFields(error),
        list: [{ deep: `x${secret}y` }],
        url: `/?p=${encodeURIComponent(secret)}`,
      })
      expect(lines[0]).not.toContain(JSON.stringify(secret).slice(1, -1))
      expect(lines[0]).not.toContain(encodeURIComponent(secret))
      expect(lines[0]).toContain('could not log in with [redacted]')
    },
  )

  it('redacts the whole secret when another one is its beginning', () => {
    const { log, last } = captured(['abcd', 'abcd-efgh'])
    log.info('it is abcd-efgh')
    expect(last().msg).toBe('it is [redacted]')
  })
})

describe('the log of a configuration', () => {
  it('does not show the URL of a database, nor the password in it', async () => {
    const DATABASE_URL = 'postgres://ann:p%40ss-word@a.example,b.example:5433/ostiary'
    const config = await configure(FILE, { DATABASE_URL, REDIS_URL: 'rediss://:of-redis@c.example' })
    const lines: string[] = []
    const log = configuredLog(config, (line) => lines.push(line))
    log.info(`${DATABASE_URL} p@ss-word p%40ss-word of-redis`)
    expect(JSON.parse(lines[0] ?? '').msg).toBe('[redacted] [redacted] [redacted] [redacted]')
  })
})

it('the log of a configuration does not show the password of a sentinel', async () => {
  const REDIS_URL = 'redis+sentinel://:of%20redis@a.example/master?sentinel_password=of-sentinel'
  const config = await configure(FILE, { DATABASE_URL: 'postgres://x/y', REDIS_URL })
  const lines: string[] = []
  configuredLog(config, (line) => lines.push(line)).info(`${REDIS_URL} of redis of-sentinel`)
  expect(JSON.parse(lines[0] ?? '').msg).toBe('[redacted] [redacted] [redacted]')
})

describe('an event', () => {
  it('is logged with its listed fields only', () => {
    const { log, last } = captured()
    const type = 'token.issued'
    const fields = {
      realm: 'default',
      client_id: 'app',
      grant_type: 'refresh_token',
      sub: 'ann',
      grant_id: null,
      scopes: ['openid'],
      audience: 'https://id.example.com',
      jkt: '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I',
    }
    eventLog(
      log,
      () => 'full',
    )(Object.assign({ type, time: 1, ...fields } as const, { access_token: 'must not appear' }))
    expect(last()).toEqual({ time: expect.any(String), level: 'info', msg: type, event: type, ...fields })
  })

  it('of an unknown type is logged without fields', () => {
    const { log, last } = captured()
    eventLog(log, () => 'full')({ type: 'brand.new', time: 1, realm: 'default', token: 'x' } as never)
    expect(last()).toMatchObject({ msg: 'brand.new', realm: 'default' })
    expect(last().token).toBeUndefined()
  })

  it.each([
    ['unknown_client', null],
    ['malformed_authorization_header', null],
    ['wrong_secret', 'app'],
  ])('a failed authentication for the reason %s has the client_id %s', (reason, client_id) => {
    const { log, last } = captured()
    eventLog(
      log,
      () => 'full',
    )({
      type: 'client.authentication_failed',
      time: 1,
      realm: 'default',
      client_id: 'app',
      reason,
      used_method: 'client_secret_basic',
      registered_methods: ['client_secret_post'],
      sent: null,
      hint: null,
    })
    expect(last()).toMatchObject({
      client_id,
      reason,
      used_method: 'client_secret_basic',
      registered_methods: ['client_secret_post'],
    })
  })

  it('has a code as its reason, and never a free text', () => {
    const { log, last } = captured()
    const failed = { client_id: 'app', sid: 's', attempts: 1, next_attempt_at: null }
    const reason = 'connect ECONNREFUSED 10.1.2.3:443'
    eventLog(log, () => 'full')({ type: 'logout.failed', time: 1, realm: 'default', ...failed, reason })
    expect(last().reason).toBe('other')
    eventLog(
      log,
      () => 'full',
    )({ type: 'logout.failed', time: 1, realm: 'default', ...failed, reason: 'status_500' })
    expect(last().reason).toBe('status_500')
  })

  it('client.registered is logged without the name, which the client chose', () => {
    const { log, last } = captured()
    const client = { client_id: 'c1', client_name: 'a secret?' }
    eventLog(log, () => 'full')({ type: 'client.registered', time: 1, realm: 'default', ...client })
    expect(last()).toMatchObject({ client_id: 'c1' })
    expect(last().client_name).toBeUndefined()
  })

  it('server.error has the error’s name, message and stack', () => {
    const { log, last } = captured()
    eventLog(
      log,
      () => 'full',
    )({
      type: 'server.error',
      time: 1,
      realm: 'default',
      route: 'oidc.token',
      cause: new TypeError('x'),
    })
    expect(last()).toMatchObject({
      level: 'error',
      event: 'server.error',
      route: 'oidc.token',
      error: { name: 'TypeError', message: 'x', stack: expect.stringContaining('log.test') },
    })
  })

  it.each(['code.replayed', 'client.authentication_failed', 'login.refused'])('%s is a warning', (type) => {
    const { log, last } = captured()
    eventLog(log, () => 'full')({ type, time: 1, realm: 'default' } as never)
    expect(last().level).toBe('warn')
  })
})

describe('the log of requests', () => {
  it('has method, path without query, status, duration and id', async () => {
    const { get, logged } = await startApp()
    const response = await get('/oauth/authorize?client_id=unknown&secret=in-the-query')
    expect(logged('request')).toEqual([
      {
        time: expect.any(String),
        level: 'info',
        msg: 'request',
        method: 'GET',
        route: 'oidc.authorize',
        path: '/oauth/authorize',
        status: 400,
        duration_ms: expect.any(Number),
        request_id: response.headers.get('x-request-id'),
      },
    ])
  })

  it('a secret that a client sends in the wrong place appears nowhere', async () => {
    const client_secret = 'a-secret-of-the-configured-client-x'
    const { get, lines } = await startApp({ ...FILE, clients: [{ ...FILE.clients[0], client_secret }] })
    await get(`/${client_secret}`)
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: client_secret,
      client_secret,
    })
    await get('/oauth/token', { method: 'POST', body })
    expect(lines.join('\n')).toContain('client.authentication_failed')
    expect(lines.join('\n')).not.toContain(client_secret)
  })

  it('x-request-id of a trusted proxy is used and echoed when its characters are safe', async () => {
    const { get } = await startApp({ ...FILE, trusted_proxies: ['10.0.0.1'] })
    const id = async (given: string, address: string) =>
      (await get('/healthz', { headers: { 'x-request-id': given }, address })).headers.get('x-request-id')
    expect(await id('f00-Bar_1.2', '10.0.0.1')).toBe('f00-Bar_1.2')
    for (const bad of ['a b', '"', '{}', 'x'.repeat(129), 'é'])
      expect(await id(bad, '10.0.0.1')).toMatch(GENERATED_ID)
    // Otherwise a client could make the lines of two requests look like one request's.
    expect(await id('f00-Bar_1.2', '203.0.113.5')).toMatch(GENERATED_ID)
  })
})

const GENERATED_ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/
