import { once } from 'node:events'
import { eventually } from '@ostiary/test-kit/eventually'
import { person } from '@ostiary/test-kit/person'
import { PASSWORD, run, type ServerProcess, USERNAME } from '@ostiary/test-kit/server'
import { describe, expect, it } from 'vitest'
import { signal, twoWorkers } from './two-workers.ts'

const runs = (pid: number): boolean => signal(pid, 0)
const health = async (server: ServerProcess) =>
  (await fetch(`${server.issuer}/healthz`, { headers: { connection: 'close' } })).status

describe('workers: 2', () => {
  it('one session in both processes; metrics of both in one place; all end on SIGTERM', async () => {
    const server = await twoWorkers()
    const ann = person(server.issuer, { connection: 'close' })
    const query = new URLSearchParams({
      client_id: 'notes',
      redirect_uri: 'http://localhost:8080/callback',
      response_type: 'code',
      scope: 'openid',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    })
    const authorize = `${server.issuer}/oauth/authorize?${query}`
    const consent = await ann.submit(await ann.open(authorize), { username: USERNAME, password: PASSWORD })
    await ann.submit(consent)
    for (let times = 0; times < 20; times++) {
      const { url } = await ann.open(`${authorize}&prompt=none`)
      expect(url.searchParams.get('code')).toMatch(/^.{45}$/)
    }
    for (let times = 0; times < 20; times++) expect(await health(server)).toBe(200)

    // A busy worker answers later: then its last metrics are shown.
    await eventually(async () => {
      const text = await (await fetch(server.metrics)).text()
      expect(text).toContain('ostiary_requests_total{route="healthz",method="GET",status="200"} 20\n')
      expect(text).toContain('ostiary_logins_total{outcome="success"} 1\n')
      expect(text).toContain('ostiary_logout_deliveries_waiting 0\n')
      expect(text).toContain('ostiary_mail_pending 0\n')
      expect(text).toContain('ostiary_database_connections_max 20\n')
      expect(text).toContain('ostiary_workers_answering 2\n')
    })

    expect(await server.stop()).toMatchObject({ code: 0, signal: null, stderr: '' })
    expect(server.pids().some(runs)).toBe(false)
  })

  it('a worker that dies is started again; SIGHUP reloads all; the port is served throughout', async () => {
    const server = await twoWorkers()
    const [first] = server.logged('a worker has been started')
    process.kill(Number(first?.pid), 'SIGKILL')
    await eventually(() => server.logged('a worker has ended and is started again').length === 1)
    expect(await health(server)).toBe(200)
    await eventually(() => server.logged('listening').length === 3)
    for (let times = 0; times < 10; times++) expect(await health(server)).toBe(200)
    server.child.kill('SIGHUP')
    await eventually(() => server.logged('the configuration is reloaded').length === 2)
    for (let times = 0; times < 10; times++) expect(await health(server)).toBe(200)
    expect(await server.stop()).toMatchObject({ code: 0 })
  })

  it('no worker outlives the process that started it', async () => {
    const server = await twoWorkers()
    const gone = once(server.child, 'exit')
    server.child.kill('SIGKILL')
    await gone
    const pids = server.pids()
    await eventually(() => !pids.some(runs))
  })
})

describe('workers that are refused', () => {
  it.each([
    ['on the embedded database', {}, 'OSTIARY_WORKERS: the embedded database takes one process'],
    ['in memory', { OSTIARY_STORAGE: 'memory' }, 'OSTIARY_WORKERS: processes do not share their memory'],
  ])('%s: exit code 1 and a sentence', async (_, env, sentence) => {
    const { code, stderr } = await run({ env: { OSTIARY_WORKERS: '2', ...env } })
    expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)])
  })
})
