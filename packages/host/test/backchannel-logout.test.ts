/** Back-channel logout to real receivers over real sockets; the test sets only the provider's clock. */

import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  clientInput,
  clientRecord,
  createProvider,
  type LoginPrompt,
  type OidcEvent,
  type Provider,
} from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { afterEach, expect, it } from 'vitest'
import { guardedFetch } from '../src/network/guarded-fetch.js'

const ISSUER = 'https://id.example.com'
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

interface Receiver {
  uri: string
  tokens: string[]
  /** Answers each request. */
  answer: (response: ServerResponse) => void
}

async function receiver(): Promise<Receiver> {
  const made: Receiver = { uri: '', tokens: [], answer: ok }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    made.tokens.push(new URLSearchParams(body).get('logout_token') ?? '')
    made.answer(response)
  })
  servers.push(server)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  made.uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/logout`
  return made
}

const ok = (response: ServerResponse) => void response.writeHead(204).end()
const failing = (response: ServerResponse) => void response.writeHead(500).end()
const redirecting = (response: ServerResponse) =>
  void response.writeHead(302, { location: '/elsewhere' }).end()
const slow = () => {}

/** A provider in which alice has signed in to both clients. */
async function signedInToBoth(receivers: Record<string, Receiver>) {
  const clock = { now: 1_800_000_000 }
  const events: OidcEvent[] = []
  const prompts: LoginPrompt[] = []
  const storage = memoryStorage()
  const make = (fetch: typeof globalThis.fetch) =>
    createProvider({
      oidc: { issuer: ISSUER },
      secret: 'only-for-tests-only-for-tests-only-for-tests',
      storage,
      accounts: { find: async (sub) => ({ sub, claims: {} }) },
      interactions: {
        login: async (prompt) => {
          prompts.push(prompt)
          return new Response('login')
        },
      },
      now: () => clock.now,
      fetch,
      on_event: (event) => void events.push(event),
    })
  const provider = make(guardedFetch({ allow_loopback: true, total_timeout: 3000 }))
  let cookie = ''
  for (const [client_id, { uri }] of Object.entries(receivers)) {
    const redirect_uris = ['https://client.example.com/cb']
    const input = clientInput.parse({ client_id, redirect_uris, backchannel_logout_uri: uri, trusted: true })
    await storage('default').clients.create(clientRecord(input, { client_secret_hash: null, now: clock.now }))
    const query = new URLSearchParams({
      client_id,
      response_type: 'code',
      scope: 'openid',
      code_challenge_method: 'S256',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    })
    await provider.fetch(new Request(`${ISSUER}/oauth/authorize?${query}`, { headers: { cookie } }))
    const prompt = prompts.pop()
    if (!prompt) continue
    const signedIn = await provider.login(new Request(`${ISSUER}/login`), {
      sub: 'alice',
      amr: ['pwd'],
      return_to: prompt.return_to,
    })
    cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    await provider.fetch(new Request(signedIn.headers.get('location') ?? '', { headers: { cookie } }))
  }
  const [session] = await storage('default').sessions.list('alice')
  if (!session) throw new Error('there is no session')
  return { provider, restarted: make, storage, clock, events, session }
}

/** Runs a tick, and waits for the deliveries that it started. */
async function ticked(provider: Provider) {
  const report = await provider.tick()
  await provider.settled()
  return report
}

it('tells every client of the session once, with a logout token that verifies', async () => {
  const receivers = { one: await receiver(), two: await receiver() }
  const { provider, clock, session } = await signedInToBoth(receivers)
  await (await provider.manage()).sessions.end(session.sid)
  await ticked(provider)
  expect([receivers.one.tokens.length, receivers.two.tokens.length]).toEqual([1, 1])
  clock.now += 86_400
  await ticked(provider)
  expect([receivers.one.tokens.length, receivers.two.tokens.length]).toEqual([1, 1])

  const jwks = await (await provider.fetch(new Request(`${ISSUER}/.well-known/jwks.json`))).json()
  const { payload, protectedHeader } = await jwtVerify(
    receivers.one.tokens[0] ?? '',
    createLocalJWKSet(jwks),
    {
      issuer: ISSUER,
      audience: 'one',
      typ: 'logout+jwt',
      currentDate: new Date((clock.now - 86_400) * 1000),
    },
  )
  expect(protectedHeader).toMatchObject({ alg: 'RS256', typ: 'logout+jwt' })
  expect(payload).toEqual({
    iss: ISSUER,
    aud: 'one',
    sub: 'alice',
    sid: session.sid,
    iat: 1_800_000_000,
    exp: 1_800_000_120,
    jti: expect.any(String),
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  })
  expect(payload).not.toHaveProperty('nonce')
})

it('tries three times (0, 10, 60 s), then hourly; a failing receiver does not delay the other', async () => {
  const receivers = { good: await receiver(), bad: await receiver() }
  const { provider, clock, events, session } = await signedInToBoth(receivers)
  const { bad, good } = receivers
  await (await provider.manage()).sessions.end(session.sid)
  const start = clock.now
  const triesAt = async (seconds: number) => {
    clock.now = start + seconds
    const before = bad.tokens.length
    await ticked(provider)
    return bad.tokens.length - before
  }
  bad.answer = failing
  expect(await triesAt(0)).toBe(1)
  expect(await triesAt(9)).toBe(0)
  bad.answer = slow
  expect(await triesAt(10)).toBe(1)
  expect(await triesAt(59)).toBe(0)
  bad.answer = redirecting
  expect(await triesAt(60)).toBe(1)
  expect(await triesAt(3599)).toBe(0)
  bad.answer = failing
  expect(await triesAt(3600)).toBe(1)
  bad.answer = ok
  expect(await triesAt(7199)).toBe(0)
  expect(await triesAt(7200)).toBe(1)
  expect(await triesAt(90_000)).toBe(0)
  expect(good.tokens).toHaveLength(1)
  const outcomes = events.flatMap((event) =>
    event.type === 'logout.failed' || event.type === 'logout.delivered'
      ? [[event.client_id, event.type]]
      : [],
  )
  expect(outcomes.filter(([client]) => client === 'bad').map(([, type]) => type)).toEqual([
    ...Array<string>(4).fill('logout.failed'),
    'logout.delivered',
  ])
})

it('gives up after 24 hours, with an event', async () => {
  const receivers = { bad: await receiver() }
  receivers.bad.answer = failing
  const { provider, clock, events, session } = await signedInToBoth(receivers)
  await (await provider.manage()).sessions.end(session.sid)
  const start = clock.now
  for (const offset of [0, 10, 60]) {
    clock.now = start + offset
    await ticked(provider)
  }
  for (let hour = 1; hour <= 30; hour += 1) {
    clock.now = start + hour * 3600
    await ticked(provider)
  }
  expect(receivers.bad.tokens).toHaveLength(3 + 24)
  expect(events.at(-1)).toMatchObject({ type: 'logout.failed', attempts: 27, next_attempt_at: null })
})

it('a delivery survives a restart, and two servers never send one twice', async () => {
  const receivers = { one: await receiver() }
  const { provider, restarted, session } = await signedInToBoth(receivers)
  await (await provider.manage()).sessions.end(session.sid)
  const servers = Array.from({ length: 5 }, () => restarted(guardedFetch({ allow_loopback: true })))
  await Promise.all(servers.map(ticked))
  expect(receivers.one.tokens).toHaveLength(1)
})

it('the end of a session by its absolute lifetime is delivered too', async () => {
  const receivers = { one: await receiver() }
  const { provider, clock } = await signedInToBoth(receivers)
  clock.now += 2_592_000
  expect(await ticked(provider)).toMatchObject({ sessions_ended: 1 })
  expect(receivers.one.tokens).toHaveLength(1)
})

it('a logout is answered before anything is delivered', async () => {
  const receivers = { one: await receiver() }
  receivers.one.answer = slow
  const { provider, session } = await signedInToBoth(receivers)
  await (await provider.manage()).sessions.end(session.sid)
  expect(receivers.one.tokens).toHaveLength(0)
  await ticked(provider)
  expect(receivers.one.tokens).toHaveLength(1)
})
