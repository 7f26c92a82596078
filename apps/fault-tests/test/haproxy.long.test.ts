/** Two servers behind the HAProxy of docs/run-it.md, which restart in turn under load. */

import { ownDatabase } from '@ostiary/test-kit/database'
import { freePort } from '@ostiary/test-kit/ports'
import { SECRET, startServer } from '@ostiary/test-kit/server'
import { expect, it, onTestFinished, vi } from 'vitest'
import { clients, send, users } from './client.ts'
import { blockWith, startProgram } from './debian-programs.ts'
import { ALL, grown, startWork, total } from './outage-load.ts'
import { report } from './report.ts'

it('two servers restart in turn behind HAProxy: no request fails', async () => {
  const ports = [await freePort(), await freePort()]
  const { port: public_port } = await startProgram({
    program: 'haproxy',
    configuration: (port) =>
      blockWith('frontend id', {
        'bind :443 ssl crt /etc/haproxy/id.example.com.pem': `bind 127.0.0.1:${port}`,
        '127.0.0.1:3000': `127.0.0.1:${ports[0]}`,
        '127.0.0.1:3001': `127.0.0.1:${ports[1]}`,
      }),
  })
  const issuer = `http://localhost:${public_port}`
  const env = { DATABASE_URL: await ownDatabase(), OIDC_SECRET: SECRET, OSTIARY_DRAIN_SECONDS: '3' }
  const config = { app: { url: issuer }, trusted_proxies: ['127.0.0.1'], clients, users }
  const start = (port: number) => startServer({ config, env, port })
  const servers = await Promise.all(ports.map(start))
  onTestFinished(async () => {
    await Promise.all(servers.map((server) => server.stop()))
  })
  await vi.waitFor(async () => expect((await send(`${issuer}/readyz`)).status).toBe(200), { timeout: 20_000 })
  const load = await startWork(issuer)
  const { tally, ledger } = load
  const under = (work: Promise<unknown>) => Promise.race([work, load.working])
  await under(grown(tally.served, ALL, ledger.faults))
  for (const [index, port] of ports.entries()) {
    await under(Promise.resolve(servers[index]?.stop()))
    servers[index] = await start(port)
    // HAProxy has seen that it is ready when it answers a check.
    await under(vi.waitUntil(() => checked(servers[index]?.stdout() ?? ''), { timeout: 20_000 }))
    await under(grown(tally.served, ALL, ledger.faults))
  }
  await load.stop()
  report('Two servers restart in turn behind HAProxy', {
    requests: total(tally.served),
    answered_503: total(tally.unavailable),
    other_errors: ledger.faults.length,
  })
  expect(ledger.faults).toEqual([])
  expect(total(tally.unavailable)).toBe(0)
})

/** Whether the log has a request for /readyz that was answered with 200. */
const checked = (log: string): boolean => /"path":"\/readyz","status":200/.test(log)
