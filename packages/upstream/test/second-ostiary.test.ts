/** An honest provider: a second Ostiary, with its own users, which answers over HTTP on this machine. */

import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createProvider } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { createIdentity, memoryUsers, upsertUser } from '@ostiary/identity'
import { cookieJar, hiddenField } from '@ostiary/test-kit/browser'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { atAccount, browserAt, HASH, isSignedIn, type Place, place, signInWithPassword } from './_place.js'

const PASSWORD = 'correct horse battery'
const CALLBACK = 'https://id.example/login/callback/corp'

async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return chunks.length === 0 ? null : Buffer.concat(chunks)
}

async function secondOstiary() {
  const server: Server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const secret = 'the secret of the other one, 32 characters'
  const storage = memoryStorage()
  const users = memoryUsers()
  const throttle = (realm: string) => storage(realm).throttle
  const identity = createIdentity({ users, throttle, secret, passwords: HASH, on_event: () => {} })
  const { accounts, interactions } = identity
  const receiver: { send: Place['send'] | null } = { send: null }
  const provider = createProvider({
    oidc: { issuer },
    fetch: async (url, init) => {
      if (receiver.send === null) throw new Error('no receiver')
      return receiver.send(new Request(url as string, init))
    },
    secret,
    storage,
    accounts,
    interactions,
    on_event: () => {},
  })
  server.on('request', async (request, response) => {
    const init = {
      method: request.method ?? 'GET',
      headers: new Headers(request.headers as Record<string, string>),
    }
    const body = await bodyOf(request)
    const asked = new Request(
      issuer + request.url,
      body === null ? init : { ...init, body: new Uint8Array(body) },
    )
    const answer = (await identity.fetch(provider, asked)) ?? (await provider.fetch(asked))
    response.writeHead(answer.status, [...answer.headers].flat())
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  const claims = { email: 'ada@corp.example', email_verified: true, name: 'Ada Lovelace' }
  await upsertUser(users('default'), { username: 'ada', password: PASSWORD, ...claims }, { passwords: HASH })
  const { clients } = await provider.manage('default')
  const client = await clients.create({
    client_id: 'ostiary',
    client_name: 'The first one',
    redirect_uris: [CALLBACK],
    grant_types: ['authorization_code'],
    token_endpoint_auth_method: 'client_secret_basic',
    consent_required: false,
    backchannel_logout_uri: 'https://id.example/login/upstream/corp/logout',
    backchannel_logout_session_required: true,
  })
  return { issuer, server, client, provider, users, receiver }
}

/** The user types name and password there. What the browser brings back. */
async function signInThere(location: string): Promise<URLSearchParams> {
  const jar = cookieJar()
  const send = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { cookie: jar.header() } })
    jar.keep(response)
    return response
  }
  const login = (await send(location)).headers.get('location') ?? ''
  const html = await (await send(login)).text()
  const fields = { return_to: hiddenField(html, 'return_to'), csrf_token: hiddenField(html, 'csrf_token') }
  const body = new URLSearchParams({ ...fields, username: 'ada', password: PASSWORD })
  let answer = await send(login.split('?')[0] ?? '', { method: 'POST', body })
  while (!(answer.headers.get('location') ?? '').startsWith(CALLBACK)) {
    const next = answer.headers.get('location')
    if (next === null) throw new Error(`${answer.status} ${await answer.text()}`)
    answer = await send(next)
  }
  return new URL(answer.headers.get('location') ?? '').searchParams
}

let there: Awaited<ReturnType<typeof secondOstiary>>
beforeAll(async () => {
  there = await secondOstiary()
})
afterAll(() => {
  there.server.close()
})

async function placeWith(more: NonNullable<Parameters<typeof place>[0]>['corp']): Promise<Place> {
  const client_secret = there.client.client_secret ?? ''
  const p = await place({ corp: { issuer: there.issuer, client_secret, ...more } })
  p.corp.fetch = (url, init) => fetch(url, init)
  there.receiver.send = p.send
  return p
}

it('signs a user up with a real discovery document, keys, a code and an ID token', async () => {
  const p = await placeWith({
    signup: true,
    domains: ['corp.example'],
    authoritative_domains: ['corp.example'],
  })
  const b = browserAt(p)
  const params = await signInThere((await b.start('corp')).location)
  expect([...params.keys()].sort()).toEqual(['code', 'iss', 'state'])
  const answer = await b.callback('corp', params)
  expect(p.events.filter(({ type }) => type === 'login.refused')).toEqual([])
  expect(isSignedIn(answer)).toBe(true)
  const [, user] = (await p.users('default').list({ limit: 9 })).sort((one) => (one.password_hash ? -1 : 1))
  const sub = (await there.users('default').findByUsername('ada'))?.sub
  expect(
    (await p.links('default').list(user?.sub ?? '')).map(({ issuer, subject }) => [issuer, subject]),
  ).toEqual([[there.issuer, sub]])
  expect(user?.claims).toMatchObject({
    name: 'Ada Lovelace',
    email: 'ada@corp.example',
    email_verified: true,
  })
})

it('adds a link on the account page, and signs in with it', async () => {
  const p = await placeWith({})
  const b = browserAt(p)
  await signInWithPassword(b)
  const sent = await atAccount(b, 'link', { upstream: 'corp' })
  expect((await b.callback('corp', await signInThere(sent.headers.get('location') ?? ''))).status).toBe(303)
  const other = browserAt(p)
  const back = await signInThere((await other.start('corp')).location)
  expect(isSignedIn(await other.callback('corp', back))).toBe(true)
})

it.each(['code', 'iss', 'state'])('an answer without its %s is refused', async (name) => {
  const p = await placeWith({ signup: true })
  const b = browserAt(p)
  const params = await signInThere((await b.start('corp')).location)
  params.delete(name)
  expect(isSignedIn(await b.callback('corp', params))).toBe(false)
})

it('a session that ends there ends here', async () => {
  const p = await placeWith({ signup: true })
  const sub = (await there.users('default').findByUsername('ada'))?.sub ?? ''
  const { sessions } = await there.provider.manage('default')
  await sessions.endAll(sub)
  await there.provider.tick()
  await there.provider.settled()
  const [laptop, phone] = [browserAt(p), browserAt(p)]
  for (const b of [laptop, phone])
    expect(isSignedIn(await b.callback('corp', await signInThere((await b.start('corp')).location)))).toBe(
      true,
    )
  const isHere = async (b: typeof laptop) => (await b.send('https://id.example/account')).status === 200
  expect([await isHere(laptop), await isHere(phone)]).toEqual([true, true])
  const [first] = (await sessions.list(sub)).sort((a, b) => a.created_at - b.created_at)
  await sessions.end(first?.sid ?? '')
  await there.provider.tick()
  await there.provider.settled()
  expect([await isHere(laptop), await isHere(phone)].filter((one) => one)).toHaveLength(1)
  await sessions.endAll(sub)
  await there.provider.tick()
  await there.provider.settled()
  expect([await isHere(laptop), await isHere(phone)]).toEqual([false, false])
})
