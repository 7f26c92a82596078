import { cookieJar, filled, formOf, hiddenField } from '@ostiary/test-kit/browser'
import { eventually } from '@ostiary/test-kit/eventually'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createApp, createLog } from '../src/index.ts'
import { readiness } from '../src/server/health.ts'
import { configure, FILE, inMemory, PASSWORD, type RunningApp, SECRET, startApp } from './support.ts'

describe('createApp', () => {
  it('closes the storage when the provider cannot be made', async () => {
    const config = await configure(FILE)
    const close = vi.fn(async () => {})
    const start = createApp(
      { ...config, secret: '' },
      { log: createLog({ write: () => {} }), storage: { ...inMemory(), close } },
    )
    await expect(start).rejects.toThrow('secret: give at least 32')
    expect(close).toHaveBeenCalledOnce()
  })
})

describe('health', () => {
  it('GET /healthz: 200 while the process answers', async () => {
    const { get } = await startApp()
    const response = await get('/healthz')
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toEqual({ status: 'ok' })
  })

  it('GET /readyz: 503 while starting and stopping, 200 with the state of each part in between', async () => {
    const config = await configure(FILE)
    const storage = { ...inMemory(), parts: { database: async () => [] } }
    const app = await createApp(config, { log: createLog({ write: () => {} }), storage })
    const asked = async () => {
      const response = await app.fetch(new Request('http://localhost:4000/readyz'))
      expect(response.headers.get('cache-control')).toBe('no-store')
      return [response.status, await response.json()]
    }
    expect(await asked()).toEqual([503, { status: 'starting' }])
    await app.start()
    expect(await asked()).toEqual([200, { status: 'ready', database: 'ok' }])
    app.drain()
    expect(await asked()).toEqual([503, { status: 'stopping' }])
    await app.stop()
    expect(await asked()).toEqual([503, { status: 'stopping' }])
  })

  it.each([
    ['fails', () => Promise.reject(new Error('no connection'))],
    ['does not answer', () => new Promise<never>(() => {})],
  ])('GET /readyz: 503 with the name of a part that %s', async (_, works) => {
    const response = await readiness({ database: works, redis: async () => 'PONG' }).answer('ready')
    expect([response.status, await response.json()]).toEqual([
      503,
      { status: 'unavailable', database: 'down', redis: 'ok' },
    ])
  })

  it.each([true, false])(
    'GET /readyz without a part that some requests need, ready without it: %s',
    async (ready) => {
      const redis = { check: () => Promise.reject(new Error('away')), readyWithout: () => ready }
      const { answer, now } = readiness({ database: async () => [], redis })
      const response = await answer('ready')
      expect([response.status, await response.json()]).toEqual([
        ready ? 200 : 503,
        { status: ready ? 'ready' : 'unavailable', database: 'ok', redis: 'down' },
      ])
      expect(await now('ready')).toEqual({ ready, parts: { database: 'ok', redis: 'down' } })
      expect(await now('stopping')).toMatchObject({ ready: false })
    },
  )

  it.each([
    ['none', [] as string[], [200, 'ready']],
    ['one', ['buckets 0-2047'], [200, 'ready']],
    ['each', ['buckets 0-2047', 'buckets 2048-4095'], [503, 'unavailable']],
  ])('GET /readyz when %s of the ranges of the database is down', async (_, degraded, [status, word]) => {
    const rangeOf = (name: string) => [
      name,
      async () => degraded.includes(name) && Promise.reject(new Error('away')),
    ]
    const ranges = Object.fromEntries(['buckets 0-2047', 'buckets 2048-4095'].map(rangeOf))
    const { answer, now } = readiness({ database: async () => [] }, { ranges })
    const response = await answer('ready')
    expect([response.status, await response.json()]).toEqual([
      status,
      { status: word, database: 'ok', degraded },
    ])
    expect(await now('ready')).toMatchObject({ ready: status === 200 })
  })

  it('GET /readyz is 503 without the home database, whatever the ranges answer', async () => {
    const database = () => Promise.reject(new Error('away'))
    const { answer } = readiness({ database }, { ranges: { 'buckets 0-4095': async () => [] } })
    expect((await answer('ready')).status).toBe(503)
  })

  it('HEAD answers without a body, other methods get 405', async () => {
    const { get } = await startApp()
    const head = await get('/healthz', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const post = await get('/readyz', { method: 'POST' })
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})

describe('the icon of the server', () => {
  const icon = async (theme = {}) => (await startApp({ ...FILE, theme })).get('/favicon.ico')

  it('is the mark of the pages, which a browser may keep', async () => {
    const response = await icon()
    expect(response.headers.get('content-type')).toBe('image/svg+xml')
    expect(response.headers.get('cache-control')).toBe('public, max-age=86400')
    expect(await response.text()).toContain(
      'rect{fill:#3247c5}path{fill:#ffffff}@media (prefers-color-scheme:dark){rect{fill:#a6b4ff}',
    )
  })

  it('has the accent color of the theme, where that is a color by itself', async () => {
    const variables = { '--ostiary-accent': '#0a6b4f' }
    expect(await (await icon({ variables })).text()).toContain(
      'rect{fill:#0a6b4f}path{fill:#ffffff}@media (prefers-color-scheme:dark){rect{fill:#0a6b4f}',
    )
    const dark_variables = { '--ostiary-accent': '#5ad1a8' }
    expect(await (await icon({ variables, dark_variables })).text()).toContain('dark){rect{fill:#5ad1a8}')
    const other = { '--ostiary-accent': 'var(--ostiary-text)' }
    expect(await (await icon({ variables: other })).text()).toContain('rect{fill:#3247c5}')
  })
})

describe('GET /readyz limits how often it checks the parts', () => {
  it('once for all requests at the same time, and again after a second', async () => {
    const clock = { now: 5000 }
    const pending: ((works: boolean) => void)[] = []
    const database = () =>
      new Promise<void>((resolve, reject) => pending.push((works) => (works ? resolve() : reject())))
    const { answer: readyz } = readiness({ database }, { now: () => clock.now })
    const all = Promise.all(Array.from({ length: 50 }, () => readyz('ready')))
    expect(pending).toHaveLength(1)
    pending[0]?.(true)
    expect((await all).map(({ status }) => status)).toEqual(Array(50).fill(200))
    clock.now += 999
    expect((await readyz('ready')).status).toBe(200)
    // The state of the process itself is not remembered.
    expect((await readyz('stopping')).status).toBe(503)
    expect(pending).toHaveLength(1)
    clock.now += 1
    const next = readyz('ready')
    expect(pending).toHaveLength(2)
    pending[1]?.(false)
    expect((await next).status).toBe(503)
    expect((await readyz('ready')).status).toBe(503)
    expect(pending).toHaveLength(2)
  })
})

describe('the app', () => {
  it('serves the provider and the sign-in page', async () => {
    const { get } = await startApp()
    const discovery = await get('/.well-known/openid-configuration')
    expect(await discovery.json()).toMatchObject({ issuer: 'http://localhost:4000' })
    expect((await get('/login/style.css')).headers.get('content-type')).toContain('text/css')
    expect((await get('/login?return_to=x')).headers.get('content-type')).toContain('text/html')
  })

  it('logs once that a proxy is missing in trusted_proxies, and quotes no header', async () => {
    const { get, lines } = await startApp()
    const said = () => lines.filter((line) => line.includes('trusted_proxies'))
    const headers = { 'x-forwarded-for': '198.51.100.9' }
    await get('/healthz', { headers, address: '203.0.113.5' })
    await get('/healthz', { address: '10.0.0.7' })
    expect(said()).toEqual([])
    for (const address of ['10.0.0.7', '10.0.0.8']) await get('/healthz', { headers, address })
    expect(said()).toHaveLength(1)
    expect(JSON.parse(said()[0] ?? '')).toMatchObject({ level: 'warn', peer: '10.0.0.0/24' })
    expect(said()[0]).not.toContain('198.51.100.9')
  })

  it('sends HSTS when the issuer is https', async () => {
    const paths = ['/.well-known/openid-configuration', '/login', '/nope', '/healthz', '/oauth/token']
    const found = async (app: object) => {
      const { get } = await startApp({ ...FILE, app })
      const answers = await Promise.all(paths.map((path) => get(path)))
      return answers.map(({ headers }) => headers.get('strict-transport-security'))
    }
    expect(await found({ url: 'https://id.example.com' })).toEqual(paths.map(() => 'max-age=31536000'))
    expect(await found(FILE.app)).toEqual(paths.map(() => null))
  })

  it('has no demo outside try-out mode', async () => {
    const { get } = await startApp()
    for (const path of ['/', '/demo', '/demo/demo.js']) {
      const response = await get(path)
      expect([response.status, await response.json()]).toEqual([
        404,
        expect.objectContaining({ error: 'not_found' }),
      ])
    }
  })

  it('an unexpected error is 500 JSON without detail, and a log line with the detail', async () => {
    const { app, logged } = await startApp()
    const request = new Request('http://localhost:4000/healthz')
    Object.defineProperty(request, 'url', { value: 'not a url' })
    const response = await app.fetch(request)
    expect(response.status).toBe(500)
    expect(await response.json()).toEqual({
      error: 'server_error',
      error_description: 'Something went wrong on our side. Try again later.',
    })
    const request_id = response.headers.get('x-request-id')
    expect(logged('request failed')).toEqual([
      expect.objectContaining({
        level: 'error',
        request_id,
        error: expect.objectContaining({ name: 'TypeError' }),
      }),
    ])
    expect(logged('request')).toEqual([expect.objectContaining({ status: 500, request_id })])
  })

  it('counts sign-in attempts by the address that a trusted proxy names', async () => {
    const { get, logged } = await startApp({ ...FILE, trusted_proxies: ['127.0.0.1'] })
    const query = new URLSearchParams({
      client_id: 'app',
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: 'openid',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    })
    const login = (await get(`/oauth/authorize?${query}`)).headers.get('location') ?? ''
    const page = await get(login)
    const cookie = (page.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    const body = filled(formOf(await page.text()), { username: 'ann', password: 'wrong' })
    const headers = { cookie, 'x-forwarded-for': '1.1.1.1, 198.51.100.9' }
    await get('/login', { method: 'POST', body, headers, address: '127.0.0.1' })
    expect(logged('login.refused')).toEqual([
      expect.objectContaining({ reason: 'wrong_password', client_id: 'app', address: '198.51.100.0/24' }),
    ])
  })

  it('starts and stops its background work, and logs a failure of it', async () => {
    const first = await startFailingApp()
    await eventually(() => first.lines.length > 1)
    await first.app.stop()
    const ticks = first.lines.length
    expect(first.lines[0]).toContain(
      '"msg":"background work failed","error":{"name":"Error","message":"the clock has stopped"',
    )
    // While another app with the same interval ticks ten times, the first one would have ticked too.
    const second = await startFailingApp()
    await eventually(() => second.lines.length > 10)
    await second.app.stop()
    expect(first.lines).toHaveLength(ticks)
  })
})

/** An app whose background work fails every millisecond, and the lines that it logged since its start. */
async function startFailingApp() {
  const lines: string[] = []
  const clock = { stopped: false }
  const now = () => {
    if (clock.stopped) throw new Error('the clock has stopped')
    return 1_800_000_000
  }
  const log = createLog({ write: (line) => lines.push(line) })
  const app = await createApp(await configure(FILE), { log, now, tick_every: 1, storage: inMemory() })
  await app.start()
  expect(lines.splice(0).map((line) => JSON.parse(line).msg)).toEqual(['key.created'])
  clock.stopped = true
  return { app, lines }
}

it('the start fails when OIDC_SECRET is not the secret that encrypted the signing keys, and says how to replace them', async () => {
  const storage = inMemory()
  const start = async (OIDC_SECRET: string) => {
    const log = createLog({ write: () => {} })
    const app = await createApp(await configure(FILE, { OIDC_SECRET }), { log, storage })
    onTestFinished(() => app.stop())
    await app.start()
  }
  await start(SECRET)
  await start(SECRET)
  await expect(start('another-secret-than-the-one-of-the-tests')).rejects.toThrow(
    /^The signing key \S+ of realm default cannot be decrypted: .* than OIDC_SECRET\. Set OIDC_SECRET to that secret, .* ostiary keys revoke \S/,
  )
})

describe('the line of a sign-in: who, when, from where, at which client', () => {
  const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'

  async function signIn({ get, logged }: RunningApp, path: string, username = 'ann') {
    const jar = cookieJar()
    const headers = () => ({ cookie: jar.header(), 'user-agent': agent })
    const send = async (to: string, init: RequestInit = {}) => {
      const response = await get(to, { address: '192.0.2.7', headers: headers(), ...init })
      jar.keep(response)
      return response
    }
    const login = (await send(path)).headers.get('location') ?? ''
    const html = await (await send(login)).text()
    const fields = { return_to: hiddenField(html, 'return_to'), csrf_token: hiddenField(html, 'csrf_token') }
    await send('/login', {
      method: 'POST',
      body: new URLSearchParams({ ...fields, username, password: PASSWORD }),
    })
    return logged('session.started')
  }

  const authorize = (client_id: string) =>
    `/oauth/authorize?${new URLSearchParams({
      client_id,
      redirect_uri: 'http://localhost:8080/callback',
      response_type: 'code',
      scope: 'openid',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    })}`

  it('of each client and user', async () => {
    const [client] = FILE.clients
    const clients = [...FILE.clients, { ...client, client_id: 'shop' }]
    const users = [...FILE.users, { username: 'Bob', password: PASSWORD }]
    const started = await startApp({ ...FILE, clients, users })
    await signIn(started, authorize('app'))
    // The name of the account, and not what was typed.
    const lines = await signIn(started, authorize('shop'), ' BOB ')
    const from = { address: '192.0.2.0/24', user_agent: agent, time: expect.any(String) }
    const sub = expect.stringMatching(/./)
    expect(lines).toMatchObject([
      { client_id: 'app', username: 'ann', sub, ...from },
      { client_id: 'shop', username: 'Bob', sub, ...from },
    ])
    expect(await signIn(started, '/account')).toMatchObject([{}, {}, { client_id: null, username: 'ann' }])
  })

  it.each([
    ['full', '192.0.2.7'],
    ['none', undefined],
  ])('its address obeys log.addresses: %s', async (addresses, address) => {
    const [line] = await signIn(await startApp({ ...FILE, log: { addresses } }), authorize('app'))
    expect(line).toMatchObject({ client_id: 'app' })
    expect(line?.address ?? undefined).toBe(address)
  })
})

describe('the account page', () => {
  it('exists, and asks the user to sign in', async () => {
    const { get } = await startApp()
    const response = await get('/account')
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe('http://localhost:4000/login?return_to=%2Faccount')
  })

  it('does not exist with account: false', async () => {
    const { get } = await startApp({ ...FILE, account: false })
    expect((await get('/account')).status).toBe(404)
    expect((await get('/login?return_to=%2Faccount')).status).toBe(400)
  })

  it('logs the user and the reason, and no password, when a form is refused', async () => {
    const { get, lines, logged } = await startApp()
    const jar = cookieJar()
    const send = async (path: string, fields?: Record<string, string>) => {
      const form = fields && { method: 'POST', body: new URLSearchParams(fields) }
      const response = await get(path, { address: '192.0.2.7', headers: { cookie: jar.header() }, ...form })
      jar.keep(response)
      return response
    }
    const csrfOf = async (path: string) => hiddenField(await (await send(path)).text(), 'csrf_token')
    const csrf_token = await csrfOf('/login?return_to=%2Faccount')
    await send('/login', { csrf_token, return_to: '/account', username: 'ann', password: PASSWORD })
    const fields = { action: 'change_password', csrf_token: await csrfOf('/account') }
    const passwords = { new_password: 'four words in a row', new_password_again: 'four words in a row' }
    await send('/account', { ...fields, ...passwords, current_password: 'my other password' })
    await send('/account', { ...fields, ...passwords, current_password: PASSWORD })
    const [{ sub } = {}] = logged('session.started')
    expect(logged('account.refused')).toMatchObject([
      { level: 'warn', reason: 'wrong_password', action: 'change_password', sub, address: '192.0.2.0/24' },
    ])
    expect(logged('account.password_changed')).toMatchObject([
      { level: 'info', sub, address: '192.0.2.0/24' },
    ])
    expect(lines.join('\n')).not.toMatch(/four words in a row|my other password|correct horse/)
  })
})
