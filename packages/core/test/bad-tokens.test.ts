/** The guard and the three modes of a resource server in another service refuse the same bad tokens. */

import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createResourceServer, type Guard, type ResourceServer } from '@ostiary/resource-server'
import { base64url } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deriveSecrets } from '../src/crypto/secrets.js'
import { BAD_TOKENS, type Forge, forged } from './bad-tokens.js'
import { CLIENT_SECRET, client, redeem, type World, world } from './support.js'

/** As in support.ts: it opens the realm's key. */
const secret = 'only-for-tests-only-for-tests-only-for-tests'
const MODES = ['jwks', 'introspection', 'both'] as const
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

interface Subject {
  resource: string
  /** What answers a request for the API. */
  answers: Record<string, (request: Request) => Promise<Response | null>>
}

/** An API at the issuer's own address, so that all four point at the same document. */
async function subject(w: World, fetch: typeof globalThis.fetch): Promise<Subject> {
  const resource = `${w.issuer}/mcp`
  const here = w.provider.guard({ realm: w.realm, resource: 'mcp' })
  const elsewhere = (mode: (typeof MODES)[number]): ResourceServer =>
    createResourceServer({
      issuer: w.issuer,
      resource,
      mode,
      fetch,
      now: () => w.clock.now,
      timeout_seconds: 60,
      ...(mode !== 'jwks' && { introspection: { client_id: resource, client_secret: CLIENT_SECRET } }),
    })
  const through = (guard: Guard) => async (request: Request) => {
    const principal = await guard.authenticate(request)
    return principal instanceof Response ? principal : guard.checkAudience(resource)(request)
  }
  const answers = Object.fromEntries([
    ['the guard', through(here)],
    ...MODES.map((mode) => [mode, through(elsewhere(mode))] as const),
  ])
  return { resource, answers }
}

const resourceClient = (resource: string) =>
  client({
    client_id: resource,
    client_secret: CLIENT_SECRET,
    token_endpoint_auth_method: 'client_secret_basic',
  })

async function forge(w: World, resource: string): Promise<Forge> {
  const { code } = await w.browser().code({ resource })
  const own = (await redeem(w, code)).body
  const other = (await redeem(w, (await w.browser().code({ resource })).code)).body.access_token
  const unused = String((await w.browser().code({ resource })).code)
  const { access_token, id_token, refresh_token } = own
  return {
    issuer: w.issuer,
    resource,
    now: w.clock.now,
    key: await privateKey(w),
    stranger: rsa,
    stranger_ec: ec,
    own: { access_token, id_token, refresh_token, code: unused, other },
  }
}

/** The checks that only the issuer can do. */
async function privateKey(w: World): Promise<KeyObject> {
  const [record] = await w.storage(w.realm).keys.list()
  if (!record) throw new Error('The realm has no key')
  const sealed = Uint8Array.from(base64url.decode(record.sealed_private_key))
  const additionalData = new TextEncoder().encode(`${w.realm}/${record.kid}`)
  const { seal } = await deriveSecrets(secret)
  const algorithm = { name: 'AES-GCM', iv: sealed.subarray(0, 12), additionalData }
  const key = Buffer.from(await crypto.subtle.decrypt(algorithm, seal, sealed.subarray(12)))
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
}

const request = (token: string) =>
  new Request('https://api.example.com/things', { headers: { authorization: `Bearer ${token}` } })
const seen = async (answer: Response | null) =>
  answer && [
    answer.status,
    await answer.text(),
    answer.headers.get('www-authenticate'),
    answer.headers.get('content-type'),
  ]

it('the table has at least 40 rows, all different', () => {
  expect(BAD_TOKENS.length).toBeGreaterThanOrEqual(40)
  expect(new Set(BAD_TOKENS.map(({ name }) => name)).size).toBe(BAD_TOKENS.length)
})

describe.each(['single', 'path'] as const)('Realms by %s', (routing) => {
  let [w, s, f] = [] as unknown as [World, Subject, Forge]
  beforeAll(async () => {
    w = await world({ routing, oidc: { resources: { mcp: { scopes: [] } } } })
    s = await subject(w, async (input, init) => w.provider.fetch(new Request(input, init)))
    await w.storage(w.realm).clients.create(await resourceClient(s.resource))
    f = await forge(w, s.resource)
  })
  const document = `https://id.example.com/.well-known/oauth-protected-resource${routing === 'path' ? '/realms/acme' : ''}/mcp`
  const refusal = () => [
    401,
    '{"error":"invalid_token"}',
    `Bearer realm="${w.realm}", error="invalid_token", resource_metadata="${document}"`,
    'application/json',
  ]

  describe.each(['the guard', ...MODES])('%s', (name) => {
    const ask = async (token: string) => seen((await s.answers[name]?.(request(token))) ?? null)

    it('accepts the good token that each row starts from', async () => {
      expect(await ask(f.own.access_token)).toBeNull()
      expect(await ask(forged(f))).toBeNull()
      expect(await ask(forged(f, { aud: ['https://other.example.org', s.resource] }))).toBeNull()
      expect(await ask(forged(f, {}, { typ: 'application/at+jwt' }))).toBeNull()
    })

    it.each(BAD_TOKENS)('refuses $name', async ({ make }) => {
      expect(await ask(make(f))).toEqual(refusal())
    })
  })

  it('only the issuer knows of revocations, deleted users and revoked clients: the guard and introspection refuse', async () => {
    const known = {
      revoked: forged(f, { jti: 'gone.abc' }),
      'of an unknown user': forged(f, { sub: 'mallory' }),
      'of an unknown client': forged(f, { sub: 'ghost', client_id: 'ghost', jti: 'random' }),
    }
    for (const [name, token] of Object.entries(known))
      for (const [by, ask] of Object.entries(s.answers)) {
        const answer = await seen(await ask(request(token)))
        expect([name, by, answer]).toEqual([name, by, by === 'jwks' ? null : refusal()])
      }
  })
})

describe('Over a socket', () => {
  let server: Server
  let [w, s, f] = [] as unknown as [World, Subject, Forge]
  beforeAll(async () => {
    server = createServer(async (incoming, outgoing) => {
      const parts: Buffer[] = []
      for await (const part of incoming) parts.push(part)
      const { method = 'GET', url = '/', headers } = incoming
      const answer = await w.provider.fetch(
        new Request(w.issuer + url, {
          method,
          headers: headers as Record<string, string>,
          ...(parts.length > 0 && { body: Buffer.concat(parts).toString() }),
        }),
      )
      outgoing.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    w = await world({ oidc: { issuer, resources: { mcp: { scopes: [] } } } })
    w.issuer = issuer
    s = await subject(w, globalThis.fetch)
    await w.storage(w.realm).clients.create(await resourceClient(s.resource))
  })
  afterAll(() => new Promise((done) => void server.close(done)))

  it('the good token passes, and each bad one is refused, in all modes', async () => {
    f = await forge(w, s.resource)
    for (const ask of Object.values(s.answers)) {
      expect(await ask(request(f.own.access_token))).toBeNull()
      for (const { name, make } of BAD_TOKENS) {
        const answer = await ask(request(make(f)))
        expect([name, answer?.status, await answer?.text()]).toEqual([name, 401, '{"error":"invalid_token"}'])
      }
    }
  })
})
