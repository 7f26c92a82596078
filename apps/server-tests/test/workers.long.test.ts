/** Settings of a server with workers: each process follows them. */

import { eventually } from '@ostiary/test-kit/eventually'
import { freePort } from '@ostiary/test-kit/ports'
import { configFor, launch, run, SECRET } from '@ostiary/test-kit/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { prepare } from './storages.ts'
import { twoWorkers } from './two-workers.ts'

describe('workers: 2', () => {
  it('each has the port of the admin API', async () => {
    const port = await freePort()
    const admin = { enabled: true, listen: { port } }
    const server = await twoWorkers({ oidc: { acr: 'require' }, admin })
    const statusAt = async (origin: string) => {
      const headers = { connection: 'close' }
      return (await fetch(`${origin}/admin/api/v1/openapi.json`, { headers })).status
    }
    for (let times = 0; times < 10; times++)
      expect([await statusAt(`http://127.0.0.1:${port}`), await statusAt(server.issuer)]).toEqual([200, 404])
    expect(await server.stop()).toMatchObject({ code: 0, signal: null, stderr: '' })
  })

  it('an issuer on another port: one warning for all of them', async () => {
    const server = await twoWorkers({ app: { url: 'http://localhost:1' } })
    expect(server.stdout().match(/"the issuer \(app\.url\) has another port/g)).toHaveLength(1)
  })

  it('with LOG_FORMAT=text, every line of every process is for people', async () => {
    const { env, remove } = await prepare('postgres')
    onTestFinished(remove)
    const { child, exited, output } = await launch({
      config: (port: number) => ({
        ...configFor('http://localhost:8080/callback')(port),
        server: { workers: 2, log_format: 'json' },
      }),
      env: { OIDC_SECRET: SECRET, LOG_FORMAT: 'text', ...env },
    })
    await eventually(() => output.stdout.split(' listening issuer=').length > 2)
    child.kill('SIGTERM')
    await exited
    for (const line of output.stdout.trimEnd().split('\n'))
      expect(line).toMatch(/^\d\d:\d\d:\d\d (?:info|warn) {2}\S.*$/)
    expect(output.stdout).not.toContain('\u001b')
  })
})

it('workers of which none can start: exit code 1 and the reason', async () => {
  const DATABASE_URL = `postgres://127.0.0.1:${await freePort()}/x`
  const { code, stderr } = await run({
    config: configFor('http://localhost:8080/callback'),
    env: { OSTIARY_WORKERS: '2', OIDC_SECRET: SECRET, DATABASE_URL },
  })
  expect([code, stderr]).toEqual([1, expect.stringContaining('The database that DATABASE_URL names')])
})
