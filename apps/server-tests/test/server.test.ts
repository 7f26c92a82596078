import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { eventually } from '@ostiary/test-kit/eventually'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { person } from '@ostiary/test-kit/person'
import { freePort } from '@ostiary/test-kit/ports'
import {
  builtMain,
  configFor,
  run,
  runtimeProgram,
  SECRET,
  type ServerProcess,
  type StartOptions,
  startServer,
  startTestServer,
  WITHOUT_ARGON2,
} from '@ostiary/test-kit/server'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'

const CONFIG = configFor('http://localhost:8080/callback')
const POST_HEAD =
  'POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n'

/** Only tests about the embedded database use it: it is slow to start. */
const MEMORY = { OSTIARY_STORAGE: 'memory' }

const startInMemory = ({ env, ...start }: StartOptions = {}): Promise<ServerProcess> =>
  startTestServer({ ...start, env: { ...MEMORY, ...env } })

describe('serve', () => {
  it('starts, is healthy, and exits with 0 on SIGTERM', async () => {
    const server = await startInMemory({ config: CONFIG, env: { OIDC_SECRET: SECRET } })
    expect(await (await fetch(`${server.issuer}/healthz`)).json()).toEqual({ status: 'ok' })
    expect(await (await fetch(`${server.issuer}/readyz`)).json()).toEqual({
      status: 'ready',
    })
    expect(await server.stop()).toMatchObject({ code: 0, signal: null, stderr: '' })
  })

  it('exits with 0 on SIGINT, also on a second one', async () => {
    const server = await startInMemory()
    const exited = once(server.child, 'close')
    server.child.kill('SIGINT')
    server.child.kill('SIGINT')
    expect(await exited).toEqual([0, null])
  })

  it('SIGTERM lets a running request finish, and takes no new one', async () => {
    const server = await startInMemory({
      config: CONFIG,
      env: { OIDC_SECRET: SECRET, OSTIARY_STOP_SECONDS: '600' },
    })
    const socket = connect(server.port, '127.0.0.1')
    socket.setEncoding('utf8')
    const form = 'grant_type=nothing'
    socket.write(`${POST_HEAD}Content-Length: ${form.length}\r\n\r\n${form.slice(0, 5)}`)
    // The server has read the head once it has answered a later request.
    await fetch(`${server.issuer}/healthz`, { headers: { connection: 'close' } })
    const exited = once(server.child, 'close')
    server.child.kill('SIGTERM')
    await untilRefused(server.port)
    socket.write(form.slice(5))
    const [answer] = await once(socket, 'data')
    expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*unsupported_grant_type/)
    // The client keeps the connection open; the server closes it, and does not wait ten minutes.
    expect(await exited).toEqual([0, null])
  })

  it('SIGTERM does not wait indefinitely for a client that does not finish', async () => {
    const server = await startInMemory({ env: { OSTIARY_STOP_SECONDS: '1' } })
    const socket = connect(server.port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(`${POST_HEAD}Content-Length: 5\r\n\r\nabc`)
    await fetch(`${server.issuer}/healthz`, { headers: { connection: 'close' } })
    const cut = once(socket, 'close')
    expect(await server.stop()).toMatchObject({ code: 0 })
    await cut
  })

  it('after SIGTERM /readyz fails while requests are still served with Connection: close, until SIGINT', async () => {
    const server = await startInMemory({ env: { OSTIARY_DRAIN_SECONDS: '600' } })
    const exited = once(server.child, 'close')
    server.child.kill('SIGTERM')
    const ask = (path: string) => fetch(`${server.issuer}${path}`)
    await eventually(async () => (await ask('/readyz')).status === 503)
    const discovery = await ask('/.well-known/openid-configuration')
    expect([discovery.status, discovery.headers.get('connection')]).toEqual([200, 'close'])
    // A second one, as a service manager sends to each process of a group, changes nothing.
    server.child.kill('SIGTERM')
    expect(await (await ask('/readyz')).json()).toEqual({ status: 'stopping' })
    server.child.kill('SIGINT')
    expect(await exited).toEqual([0, null])
  })

  it('SIGHUP reloads the configuration; with a fault the old one stays, and the log says why', async () => {
    const server = await startInMemory({ config: CONFIG, env: { OIDC_SECRET: SECRET } })
    const reload = async (clients: object[]) => {
      const file = { ...CONFIG(server.port), clients }
      await writeFile(join(server.cwd, 'ostiary.config.json'), JSON.stringify(file))
      server.child.kill('SIGHUP')
    }
    const callback = 'https://app.example.com/callback'
    const authorize = async () => {
      const query = new URLSearchParams({ client_id: 'new', redirect_uri: callback, response_type: 'code' })
      return (await fetch(`${server.issuer}/oauth/authorize?${query}`, { redirect: 'manual' })).status
    }
    expect(await authorize()).toBe(400)
    await reload([{ client_id: 'new', redirect_uris: [callback] }])
    await eventually(() => server.logged('the configuration is reloaded').length === 1)
    expect(await authorize()).toBe(302)
    await reload([{ client_id: 'new', redirect_uri: callback }])
    const refused = 'the configuration was not reloaded, the old one stays'
    await eventually(() =>
      expect(server.logged(refused)).toEqual([
        expect.objectContaining({
          level: 'error',
          faults: ['clients.0.redirect_uri: there is no such key; did you mean redirect_uris?'],
        }),
      ]),
    )
    expect(await authorize()).toBe(302)
    expect(await server.stop()).toMatchObject({ code: 0, signal: null, stderr: '' })
  })

  it('in a terminal, SIGHUP stops it: the terminal was closed', async () => {
    const port = await freePort()
    const cwd = await temporaryFolder()
    const { PATH = '', HOME = '' } = process.env
    const env = { PATH, HOME, PORT: String(port), ...MEMORY }
    const command = `${runtimeProgram()} ${builtMain()} serve`
    const terminal = spawn('script', ['-qec', command, '/dev/null'], {
      cwd,
      env,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    onTestFinished(() => void terminal.kill('SIGKILL'))
    const health = () =>
      fetch(`http://localhost:${port}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      )
    await eventually(health)
    terminal.kill('SIGKILL')
    await eventually(async () => !(await health()))
  })

  it('/metrics has a separate port', async () => {
    const port = await freePort()
    const server = await startInMemory({ env: { OSTIARY_METRICS_PORT: String(port) } })
    const metrics = await fetch(`http://127.0.0.1:${port}/metrics`)
    expect(metrics.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(await metrics.text()).toContain('# TYPE ostiary_requests_total counter\n')
    expect((await fetch(`${server.issuer}/metrics`)).status).toBe(404)
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(404)
    expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status).toBe(405)
  })

  it('the admin API has a separate port where it is given one, and ends with the server', async () => {
    const port = await freePort()
    const config = (own: number) => ({
      ...CONFIG(own),
      oidc: { ...CONFIG(own).oidc, acr: 'require' },
      admin: { enabled: true, listen: { port } },
    })
    const server = await startInMemory({ config, env: { OIDC_SECRET: SECRET } })
    await eventually(() =>
      expect(server.logged('the admin API is listening')).toEqual([
        expect.objectContaining({ port, host: '127.0.0.1' }),
      ]),
    )
    const statuses = async (origin: string) =>
      Promise.all(
        ['/admin/api/v1/realms/default/clients', '/.well-known/openid-configuration', '/healthz'].map(
          async (path) => (await fetch(origin + path)).status,
        ),
      )
    expect(await statuses(`http://127.0.0.1:${port}`)).toEqual([401, 404, 200])
    expect(await statuses(server.issuer)).toEqual([404, 200, 200])
    expect(await server.stop()).toMatchObject({ code: 0, signal: null, stderr: '' })
    await untilRefused(port)
  })

  it.each([
    ['logs the network of the client address of the socket', {}, '127.0.0.0/24'],
    [
      'logs no client address behind a proxy that is not configured',
      { 'x-forwarded-for': '198.51.100.9' },
      null,
    ],
  ])('%s', async (_, headers, address) => {
    const server = await startInMemory({ config: CONFIG, env: { OIDC_SECRET: SECRET } })
    const query = new URLSearchParams({
      client_id: 'notes',
      response_type: 'code',
      scope: 'openid',
      code_challenge_method: 'S256',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    })
    const user = person(server.issuer, headers)
    const page = await user.open(`${server.issuer}/oauth/authorize?${query}`)
    expect(await user.submit(page, { username: 'ann', password: 'wrong' })).toMatchObject({ status: 422 })
    await eventually(() =>
      expect(server.logged('login.refused')).toEqual([expect.objectContaining({ address })]),
    )
  })
})

describe('a malformed request', () => {
  let server: ServerProcess
  beforeAll(async () => {
    server = await startServer({ env: MEMORY })
    return async () => void (await server.stop())
  })

  it.each([
    ['a head of more than 16 KiB', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
    ['a malformed Host', 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n', 400],
    ['not HTTP', 'HELO there\r\n\r\n', 400],
  ])('%s gets an error, and the server keeps running', async (_, text, status) => {
    const socket = connect(server.port, '127.0.0.1').setEncoding('utf8')
    socket.end(text)
    const [answer] = await once(socket, 'data')
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect((await fetch(`${server.issuer}/healthz`)).status).toBe(200)
  })
})

describe('a start that fails', () => {
  it('an unreachable database: exit code 1 and one line that names DATABASE_URL', async () => {
    const DATABASE_URL = `postgres://ann:hidden@127.0.0.1:${await freePort()}/x`
    const { code, stderr } = await run({ config: CONFIG, env: { OIDC_SECRET: SECRET, DATABASE_URL } })
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^ostiary: The database that DATABASE_URL names cannot be used: .*ECONNREFUSED 127\.0\.0\.1:\d+\. Start it, or correct DATABASE_URL; check the firewall\.\n$/,
    )
  })

  it('without the native module of argon2: exit code 1, before any sign-in fails', async () => {
    const env = { ...MEMORY, OIDC_SECRET: SECRET, ...WITHOUT_ARGON2 }
    const { code, stdout, stderr } = await run({ config: { ...CONFIG(1), users: [] }, env })
    expect([code, stdout]).toEqual([1, expect.not.stringContaining('listening')])
    expect(stderr).toMatch(
      /^ostiary: passwords cannot be checked: @node-rs\/argon2 cannot be loaded on .* \(Cannot find native binding\)\. Install the packages on .*\.\n$/,
    )
  })

  it('a port in use: exit code 1 and one line that names PORT, or the setting of the other port', async () => {
    const { port } = await startInMemory()
    const inUse = (setting: string) =>
      `ostiary: port ${port} of 127.0.0.1 is in use; stop what runs there, or set ${setting} to another one`
    const refused = await run({ port, env: MEMORY })
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(new RegExp(`^${inUse('PORT')}: PORT=\\d+ \\S+ \\S+main\\.js serve\n$`))
    const metrics = await run({ env: { ...MEMORY, OSTIARY_METRICS_PORT: String(port) } })
    expect(metrics).toMatchObject({ code: 1, stderr: `${inUse('OSTIARY_METRICS_PORT')}\n` })
    const config = (own: number) => ({
      ...CONFIG(own),
      oidc: { ...CONFIG(own).oidc, acr: 'require' },
      admin: { enabled: true, listen: { port } },
    })
    const admin = await run({ config, env: { ...MEMORY, OIDC_SECRET: SECRET } })
    expect(admin).toMatchObject({ code: 1, stderr: `${inUse('admin.listen.port')}\n` })
  })

  it('a HOST that is not an address of this machine', async () => {
    const env = { OIDC_SECRET: SECRET, HOST: '203.0.113.1', ...MEMORY }
    const { code, stderr } = await run({ config: CONFIG, env })
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^ostiary: HOST is 203\.0\.113\.1, which is not an address of this machine \(EADDRNOTAVAIL\)\n$/,
      ),
    ])
  })

  it.each([
    [
      'a DATA_DIR that cannot be read',
      { DATA_DIR: '/dev/null/x' },
      /DATA_DIR: .* cannot be read \(ENOTDIR\)/,
    ],
    ['a DATA_DIR that cannot be written', { DATA_DIR: '/sys/x' }, /DATA_DIR: .* cannot be written \(/],
  ])('%s', async (_, env, message) => {
    const { code, stderr } = await run({ env })
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)])
  })
})

/** Resolves when the port no longer accepts connections. */
async function untilRefused(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const open = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (!open) return
  }
}
