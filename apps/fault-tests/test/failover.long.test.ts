/**
 * The primary is killed under load and its standby promoted, with two servers of Ostiary: by an address with several hosts,
 * and behind the HAProxy of docs/run-it.md; with synchronous and with asynchronous replication.
 */

import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { type ReplicatedPostgres, startReplication } from '@ostiary/local-services/replication'
import { postgresExecutor } from '@ostiary/storage-postgres'
import { eventually } from '@ostiary/test-kit/eventually'
import { SECRET, startServer } from '@ostiary/test-kit/server'
import { expect, it, onTestFinished } from 'vitest'
import { WEEKLY } from '../../../vitest.shared.ts'
import { clients, QUICK_KEYS, send, users } from './client.ts'
import { blockWith, startProgram } from './debian-programs.ts'
import { broken, grantsLost, NOTHING_BROKEN, spendableAgain, succeededTwice } from './ledger.ts'
import { ALL, grown, startWork, total } from './outage-load.ts'
import { report } from './report.ts'

/** A port whose connections go to the servers in turn; it looks at nothing. */
async function spread(ports: () => readonly number[]): Promise<string> {
  let next = 0
  const listener = createServer((near) => {
    const all = ports()
    const far = connect(all[next++ % all.length] ?? 0, '127.0.0.1')
    near.pipe(far).pipe(near)
    near.on('error', () => far.destroy())
    far.on('error', () => near.destroy())
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  onTestFinished(() => void listener.close())
  return `http://localhost:${(listener.address() as AddressInfo).port}`
}

/** Two servers of Ostiary on this database. @returns Their issuer, and their processes. */
async function startServers(DATABASE_URL: string) {
  const ports: number[] = []
  const issuer = await spread(() => ports)
  const config = {
    app: { url: issuer },
    oidc: { keys: QUICK_KEYS, tokens: { refresh_token_grace: 60 } },
    clients,
    users,
  }
  const servers = await Promise.all(
    [1, 2].map(() => startServer({ config, env: { OIDC_SECRET: SECRET, DATABASE_URL } })),
  )
  ports.push(...servers.map(({ port }) => port))
  onTestFinished(async () => {
    await Promise.all(servers.map((server) => server.stop()))
  })
  return { issuer, servers }
}

const severalHosts = async ({ primary, standby }: ReplicatedPostgres): Promise<string> =>
  blockWith('DATABASE_URL=postgres://ostiary:password@db1', {
    'ostiary:password': 'postgres',
    'db1:5432': `127.0.0.1:${standby.port}`,
    'db2:5432': `127.0.0.1:${primary.port}`,
    '/ostiary': '/postgres',
  })
    .trim()
    .slice('DATABASE_URL='.length)

async function connected(url: string): Promise<void> {
  const probe = postgresExecutor(url, { connections: 1 })
  await probe.query('select 1').finally(() => probe.close())
}

async function behindHaproxy({ primary, standby }: ReplicatedPostgres): Promise<string> {
  const admin = postgresExecutor(primary.url)
  await admin.query('create role haproxy login')
  await admin.close()
  const { port } = await startProgram({
    program: 'haproxy',
    configuration: (port) =>
      blockWith('listen postgres', {
        '127.0.0.1:5000': `127.0.0.1:${port}`,
        'db1:5432': `127.0.0.1:${primary.port}`,
        'db2:5432': `127.0.0.1:${standby.port}`,
      }),
  })
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  // Until its first checks, HAProxy takes every server for a primary.
  await eventually(() => Promise.all(Array.from({ length: 10 }, () => connected(url))))
  return url
}

const ADDRESSES = { 'several hosts': severalHosts, HAProxy: behindHaproxy }

/** Of each pair, one in the long run; the weekly run has the others. */
const WAYS: readonly (readonly [keyof typeof ADDRESSES, boolean])[] = WEEKLY
  ? [
      ['HAProxy', true],
      ['several hosts', false],
    ]
  : [
      ['several hosts', true],
      ['HAProxy', false],
    ]

it.each(WAYS)('failover by %s, synchronous: %j', async (address, synchronous) => {
  const database = await startReplication({ synchronous })
  onTestFinished(() => database.stop())
  const { issuer, servers } = await startServers(await ADDRESSES[address](database))
  const load = await startWork(issuer, { may_forget: !synchronous })
  const { tally, ledger } = load
  const under = (work: Promise<unknown>) => Promise.race([work, load.working])
  await under(grown(tally.served, ALL, ledger.faults))
  if (!synchronous) {
    // What is answered from now on is not on the standby.
    await database.standby.disconnect()
    for (let times = 0; times < 5; times += 1) await under(grown(tally.served, ALL, ledger.faults))
  }

  await database.primary.kill()
  await under(grown(tally.unavailable, [['authorize', 'redeem'], ['refresh'], ['introspect']], ledger.faults))
  for (const { issuer: origin } of servers) expect((await send(`${origin}/readyz`)).status).toBe(503)
  const writes = () => tally.served.redeem + tally.served.refresh
  const before = writes()
  const asked_at = performance.now()
  let promoted_at = asked_at
  const promotion = database.standby.promote().then(() => {
    promoted_at = performance.now()
  })
  await under(eventually(() => writes() > before || ledger.faults.length > 0))
  const written_at = performance.now()
  await promotion
  const seconds = Math.max(0, written_at - promoted_at) / 1000
  await under(grown(tally.served, ALL, ledger.faults))
  await load.stop()

  const promoted = postgresExecutor(database.standby.url)
  onTestFinished(() => promoted.close())
  const found = await broken(promoted, ledger)
  const spendable = await spendableAgain(promoted, ledger)
  const twice = succeededTwice(ledger)
  report(`Failover by ${address}, ${synchronous ? 'synchronous' : 'asynchronous'} (${database.source})`, {
    requests: total(tally.served) + total(tally.unavailable) + tally.forgotten + ledger.faults.length,
    answered_503: total(tally.unavailable),
    other_errors: ledger.faults.length,
    codes_lost: tally.codes_lost,
    forgotten: tally.forgotten,
    spendable_again: spendable,
    grants_lost: await grantsLost(promoted, ledger),
    ...twice,
    ...found,
    seconds_of_the_promotion: Math.round((promoted_at - asked_at) / 100) / 10,
    seconds_from_the_promotion_to_the_first_write: Math.round(seconds * 10) / 10,
  })
  expect(ledger.faults).toEqual([])
  expect(twice).toMatchObject({ codes_redeemed_twice: 0, refresh_tokens_with_two_successors: 0 })
  for (const { child } of servers) expect(child.exitCode).toBeNull()
  if (!synchronous) {
    expect(tally.forgotten).toBeGreaterThan(0)
    return
  }
  expect(found).toEqual(NOTHING_BROKEN)
  expect(spendable).toEqual({ refresh_tokens: 0, codes: 0 })
  expect(await grantsLost(promoted, ledger)).toBe(0)
})
