/**
 * PostgreSQL and Redis restart under load. This Redis keeps nothing: sessions are lost with it, and users sign in again.
 * Grants are in PostgreSQL and survive.
 */

import { postgresExecutor } from '@ostiary/storage-postgres'
import { expect, it, onTestFinished, vi } from 'vitest'
import { backend, clients, codeForm, newCode, post, send, signIn, textOf, users } from './client.ts'
import { broken, grantsLost, NOTHING_BROKEN, newLedger } from './ledger.ts'
import { KINDS, type Kind, newTally, startClients } from './outage-load.ts'
import { type Provider, provider } from './provider.ts'
import { report } from './report.ts'
import { ownPostgres, ownRedis, type Service } from './services.ts'

const config = (origin: string) => ({
  app: { url: origin },
  // An answer may be lost with the database; the same token is then presented again.
  oidc: { tokens: { refresh_token_grace: 3600 } },
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

const ALL: Kind[][] = KINDS.map((kind) => [kind])
const TOKENS: Kind[][] = [['refresh'], ['client_credentials'], ['introspect'], ['userinfo']]

/** Resolves when the sum of these has grown by three. */
async function grown(counts: Record<Kind, number>, groups: Kind[][], faults: string[]): Promise<void> {
  const sum = (kinds: Kind[]) => kinds.reduce((total, kind) => total + counts[kind], 0)
  const goals = groups.map((kinds) => [kinds, sum(kinds) + 3] as const)
  const reached = () => faults.length > 0 || goals.every(([kinds, goal]) => sum(kinds) >= goal)
  await vi.waitUntil(reached, { timeout: 180_000, interval: 20 })
  expect(faults).toEqual([])
}

/** Requests that need only keys are served throughout, and /readyz names the storage that is away. */
async function looksDown({ origin }: Provider, parts: Part[]): Promise<void> {
  const { status, body } = await send(`${origin}/readyz`)
  expect([status, body]).toMatchObject([503, Object.fromEntries(parts.map((part) => [NAMED[part], 'down']))])
  for (const path of ['/.well-known/openid-configuration', '/.well-known/jwks.json', '/healthz'])
    expect([path, (await send(`${origin}${path}`)).status]).toEqual([path, 200])
}

/** Signs Ann in; repeats it if the storage goes away meanwhile. @returns Her cookies. */
async function signInAtLast(issuer: string): Promise<string> {
  const ann = await vi.waitFor(() => signIn(issuer), { timeout: 180_000, interval: 50 })
  return [...ann.cookies].map((pair) => pair.join('=')).join('; ')
}

it('restarts of PostgreSQL and Redis under load: errors are 503 only, and no grant is lost', async () => {
  const services: Record<Part, Service> = { postgres: await ownPostgres(), redis: await ownRedis() }
  const urls = { DATABASE_URL: services.postgres.url, REDIS_URL: services.redis.url }
  const env = { ...urls, OSTIARY_SESSIONS: 'redis' }
  const server = await provider({ config, env })
  const issuer = server.origin
  const tally = newTally()
  const ledger = newLedger()
  const ann = await signIn(issuer)
  const own = codeForm(await newCode(ann, issuer, { client_id: 'backend' }), backend)
  const access_token = textOf(await post(`${issuer}/oauth/token`, own), 'access_token')
  const load = startClients(issuer, {
    tally,
    ledger,
    access_token,
    held: [],
    signIn: () => signInAtLast(issuer),
  })
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
  const database = postgresExecutor(services.postgres.url)
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
