/**
 * PostgreSQL and Redis restart under load. This Redis keeps nothing: sessions are lost with it, and users sign in again.
 * Grants are in PostgreSQL and survive.
 */

import { postgresExecutor } from '@ostiary/storage-postgres'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { expect, it, onTestFailed, onTestFinished } from 'vitest'
import { clients, QUICK_KEYS, send, users } from './client.ts'
import { broken, grantsLost, NOTHING_BROKEN } from './ledger.ts'
import { ALL, grown, type Kind, startWork } from './outage-load.ts'
import { type Provider, provider } from './provider.ts'
import { report } from './report.ts'
import { ownPostgres, ownRedis, type Service } from './services.ts'

const config = (origin: string) => ({
  app: { url: origin },
  // An answer may be lost with the database; the same token is then presented again.
  oidc: { keys: QUICK_KEYS, tokens: { refresh_token_grace: 60 } },
  clients,
  users,
})

type Part = 'postgres' | 'redis'

const OUTAGES: Part[][] = [['postgres'], ['redis'], ['postgres', 'redis'], ['redis'], ['postgres']]
/** Which clients are refused; a client that gets codes is at one of two requests. The others may go on. */
const turnedAway = (parts: Part[]): Kind[][] =>
  parts.includes('postgres')
    ? [['authorize', 'redeem'], ['refresh'], ['introspect'], ['userinfo']]
    : [['authorize']]
const NAMED = { postgres: 'database', redis: 'redis' }

const TOKENS: Kind[][] = [['refresh'], ['client_credentials'], ['introspect'], ['userinfo']]

/** Requests that need only keys are served throughout, and /readyz names the storage that is away. */
async function looksDown({ origin }: Provider, parts: Part[]): Promise<void> {
  const { status, body } = await send(`${origin}/readyz`)
  const down = Object.fromEntries(parts.map((part) => [NAMED[part], 'down']))
  expect([status, body]).toMatchObject([parts.includes('postgres') ? 503 : 200, down])
  for (const path of ['/.well-known/openid-configuration', '/.well-known/jwks.json', '/healthz'])
    expect([path, (await send(`${origin}${path}`)).status]).toEqual([path, 200])
}

/** The lines of the log that tell why requests have failed. An outage is logged too, as a cause of 503. */
const causes = (output: string): string =>
  output
    .split('\n')
    .filter((line) => line.includes('"msg":"server.error"'))
    .join('\n')

it('restarts of PostgreSQL and Redis under load: errors are 503 only, and no grant is lost', async () => {
  const services: Record<Part, Service> = { postgres: await ownPostgres(), redis: await ownRedis() }
  const urls = { DATABASE_URL: services.postgres.url, REDIS_URL: services.redis.url }
  const env = { ...urls, OSTIARY_SESSIONS: 'redis' }
  const server = await provider({ config, env })
  onTestFailed(() => console.error(causes(server.output())))
  const issuer = server.origin
  const load = await startWork(issuer)
  const { tally, ledger } = load
  const under = (work: Promise<void>) => Promise.race([work, load.working.then(() => {})])

  await under(grown(tally.served, ALL, ledger.faults))
  for (const parts of OUTAGES) {
    await Promise.all(parts.map((part) => services[part].pause()))
    await under(grown(tally.unavailable, turnedAway(parts), ledger.faults))
    await looksDown(server, parts)
    if (!parts.includes('postgres')) await under(grown(tally.served, TOKENS, ledger.faults))
    await Promise.all(parts.map((part) => services[part].resume()))
    await under(grown(tally.served, ALL, ledger.faults))
  }
  await load.stop()
  const database = postgresExecutor(services.postgres.url, UNLIMITED)
  onTestFinished(() => database.close())
  const found = await broken(database, ledger)
  const grants_lost = await grantsLost(database, ledger)
  const { served, unavailable, codes_lost, sign_ins } = tally
  report('Restarts of PostgreSQL and Redis under load', {
    outages: OUTAGES.length,
    served,
    answered_503: unavailable,
    other_errors: ledger.faults.length,
    codes_lost,
    sign_ins_after_a_loss: sign_ins,
    tokens_received: ledger.received.size,
    ...found,
    grants_lost,
  })
  expect(ledger.faults).toEqual([])
  expect(found).toEqual(NOTHING_BROKEN)
  expect(grants_lost).toBe(0)
})
