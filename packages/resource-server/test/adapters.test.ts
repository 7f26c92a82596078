/** Each adapter in its framework and over a real socket; and the resource server without an adapter. */

import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { protect as protectExpress } from '../src/adapters/express.js'
import { protect as protectFastify } from '../src/adapters/fastify.js'
import { protect as protectHono } from '../src/adapters/hono.js'
import type { AccessToken, ResourceServer } from '../src/index.js'
import { AWAY, api, METADATA, RESOURCE, refused, SILENT, seen, testIssuer } from './support.js'

type Send = (path: string, init?: { method?: string; token?: string }) => Promise<Response>
interface TestApp {
  send: Send
  close(): Promise<void>
}

const OTHER = 'https://other.example.com'
const FRESH = { acr_values: ['2'], max_age: 60 }

/** The results of the handlers that have run. */
const handled: unknown[] = []
function ran<T>(answer: T): T {
  handled.push(answer)
  return answer
}

async function honoApp(server: ResourceServer): Promise<TestApp> {
  const auth = protectHono(server)
  const app = new Hono()
    .use(auth.metadata)
    .get('/open', (c) => c.text(ran('open')))
    .use('/notes/*', auth.authenticate)
    .get('/notes/mine', auth.checkScopes('read'), (c) =>
      c.json(ran({ id: c.get('principal').getAuthIdentifier() })),
    )
    .get('/notes/any', (c) => c.text(ran('any')))
    .get('/notes/admin', auth.checkScopes('read', 'admin'), (c) => c.text(ran('never')))
    .get('/notes/other', auth.checkAudience(OTHER), (c) => c.text(ran('never')))
    .get('/notes/fresh', auth.checkAuthentication(FRESH), (c) => c.text(ran('fresh')))
    .get('/unguarded', auth.checkScopes('read'), (c) => c.text(ran('never')))
  const send: Send = async (path, { method = 'GET', token } = {}) =>
    app.request(path, { method, headers: token ? { authorization: `Bearer ${token}` } : {} })
  return { send, close: async () => {} }
}

async function plain(server: ResourceServer): Promise<TestApp> {
  const handler = async (request: Request): Promise<Response> => {
    const document = server.handle(request)
    if (document) return document
    const { pathname } = new URL(request.url)
    if (pathname === '/open') return new Response(ran('open'))
    if (pathname === '/unguarded') return server.checkScopes('read')(request) ?? new Response(ran('never'))
    const principal = await server.authenticate(
      request,
      pathname === '/notes/admin' ? ['read', 'admin'] : ['read'],
    )
    if (principal instanceof Response) return principal
    if (pathname === '/notes/any') return new Response(ran('any'))
    if (pathname === '/notes/other') return server.checkAudience(OTHER)(request) ?? new Response(ran('never'))
    if (pathname === '/notes/fresh')
      return server.checkAuthentication(FRESH)(request) ?? new Response(ran('fresh'))
    return Response.json(ran({ id: principal.getAuthIdentifier() }))
  }
  const send: Send = (path, { method = 'GET', token } = {}) =>
    handler(
      new Request(`http://internal:8080${path}`, {
        method,
        headers: token ? { authorization: `Bearer ${token}` } : {},
      }),
    )
  return { send, close: async () => {} }
}

async function expressApp(server: ResourceServer): Promise<TestApp> {
  const auth = protectExpress(server)
  const app = express()
  app.use(auth.metadata)
  app.get('/open', (_req, res) => void res.send(ran('open')))
  const notes = express.Router()
  notes.use(auth.authenticate)
  notes.get('/mine', auth.checkScopes('read'), (req, res) => {
    res.json(ran({ id: req.principal?.getAuthIdentifier() }))
  })
  notes.get('/any', (_req, res) => void res.send(ran('any')))
  notes.get('/admin', auth.checkScopes('read', 'admin'), (_req, res) => void res.send(ran('never')))
  notes.get('/other', auth.checkAudience(OTHER), (_req, res) => void res.send(ran('never')))
  notes.get('/fresh', auth.checkAuthentication(FRESH), (_req, res) => void res.send(ran('fresh')))
  app.use('/notes', notes)
  app.get('/unguarded', auth.checkScopes('read'), (_req, res) => void res.send(ran('never')))
  const listening = createServer(app)
  await new Promise<void>((done) => listening.listen(0, '127.0.0.1', done))
  return {
    send: sender((listening.address() as AddressInfo).port),
    close: () => new Promise((done) => void listening.close(() => done())),
  }
}

async function fastifyApp(server: ResourceServer): Promise<TestApp> {
  const auth = protectFastify(server)
  const app = fastify()
  await app.register(auth.plugin)
  const { authenticate } = auth
  app.get('/open', async () => ran('open'))
  app.get('/notes/mine', { onRequest: [authenticate, auth.checkScopes('read')] }, async (request) =>
    ran({ id: request.principal?.getAuthIdentifier() }),
  )
  app.get('/notes/any', { onRequest: authenticate }, async () => ran('any'))
  app.get('/notes/admin', { preHandler: [authenticate, auth.checkScopes('read', 'admin')] }, async () =>
    ran('never'),
  )
  app.get('/notes/other', { preHandler: [authenticate, auth.checkAudience(OTHER)] }, async () => ran('never'))
  app.get('/notes/fresh', { onRequest: [authenticate, auth.checkAuthentication(FRESH)] }, async () =>
    ran('fresh'),
  )
  app.get('/unguarded', { onRequest: auth.checkScopes('read') }, async () => ran('never'))
  await app.listen({ port: 0, host: '127.0.0.1' })
  return { send: sender((app.server.address() as AddressInfo).port), close: () => app.close() }
}

/** Node's own client, which sends a path unchanged. */
const sender =
  (port: number): Send =>
  (path, { method = 'GET', token } = {}) =>
    new Promise((resolve, reject) => {
      const headers = token ? { authorization: `Bearer ${token}` } : {}
      const sent = httpRequest({ port, host: '127.0.0.1', path, method, headers, agent: false }, (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => void parts.push(part))
        answer.on('end', () => {
          const status = answer.statusCode ?? 0
          const body = status === 204 || status === 304 ? null : Buffer.concat(parts)
          resolve(new Response(body, { status, headers: answer.headers as Record<string, string> }))
        })
      })
      sent.on('error', reject).end()
    })

describe.each([
  ['Hono', honoApp],
  ['Express', expressApp],
  ['Fastify', fastifyApp],
  ['without an adapter', plain],
] as const)('%s', (_, serve) => {
  const issuer = testIssuer()
  const server = api(issuer, { scopes_supported: ['read', 'admin'] })
  let app: TestApp
  beforeAll(async () => {
    app = await serve(server)
  })
  afterAll(() => app.close())
  const send: Send = (...args) => app.send(...args)
  const document = new URL(METADATA).pathname

  it('passes the verified principal to the route', async () => {
    const answer = await send('/notes/mine', { token: await issuer.token() })
    expect([answer.status, await answer.json()]).toEqual([200, { id: 'alice' }])
    const machine = await send('/notes/mine', { token: await issuer.token({ sub: 'app' }) })
    expect(await machine.json()).toEqual({ id: 'app' })
  })

  it('responds with 401, 403 and the challenge of the guard, and runs no handler', async () => {
    const token = await issuer.token()
    handled.length = 0
    for (const path of ['/notes/mine', '/notes/any']) {
      expect(await seen(await send(path))).toEqual(SILENT)
      expect(await seen(await send(path, { token: 'rubbish' }))).toEqual(refused())
    }
    expect(
      await seen(await send('/notes/mine', { token: await issuer.token({ aud: ISSUER_ONLY }) })),
    ).toEqual(refused())
    expect(await seen(await send('/notes/admin', { token }))).toEqual(
      refused('insufficient_scope', 'read admin'),
    )
    expect(await seen(await send('/notes/other', { token }))).toEqual(refused())
    expect(handled).toEqual([])
    await send('/notes/mine', { token })
    await send('/notes/any', { token })
    expect(handled).toEqual([{ id: 'alice' }, 'any'])
  })

  it('names challenge_scopes in each 401, honors implies, and names all scopes of the operation in one 403', async () => {
    const other = await serve(api(issuer, { challenge_scopes: ['read'], implies: { write: ['read'] } }))
    onTestFinished(() => other.close())
    const token = await issuer.token({ scope: 'write' })
    const header = async (path: string, token?: string) =>
      (await other.send(path, token === undefined ? {} : { token })).headers.get('www-authenticate')
    const metadata = `resource_metadata="${METADATA}"`
    const invalid = `Bearer realm="default", error="invalid_token", scope="read", ${metadata}`
    expect(await header('/notes/mine')).toBe(`Bearer realm="default", scope="read", ${metadata}`)
    expect(await header('/notes/mine', 'rubbish')).toBe(invalid)
    expect(await header('/notes/other', token)).toBe(invalid)
    expect(await header('/unguarded', token)).toBe(invalid)
    expect(await (await other.send('/notes/mine', { token })).json()).toEqual({ id: 'alice' })
    expect(await header('/notes/admin', token)).toBe(
      `Bearer realm="default", error="insufficient_scope", scope="read admin", ${metadata}`,
    )
  })

  it('a check without previous authentication refuses every token', async () => {
    handled.length = 0
    expect(await seen(await send('/unguarded', { token: await issuer.token() }))).toEqual(refused())
    expect(handled).toEqual([])
  })

  it('responds with the challenge of step-up authentication (RFC 9470), and runs the handler after it', async () => {
    handled.length = 0
    const { now } = issuer.clock
    const old = await send('/notes/fresh', { token: await issuer.token({ acr: '2', auth_time: now - 61 }) })
    expect(await seen(old)).toEqual([
      401,
      '{"error":"insufficient_user_authentication"}',
      `Bearer realm="default", error="insufficient_user_authentication", acr_values="2", max_age="60", resource_metadata="${METADATA}"`,
    ])
    expect(handled).toEqual([])
    const token = await issuer.token({ acr: '2', auth_time: now - 60 })
    expect(await (await send('/notes/fresh', { token })).text()).toBe('fresh')
  })

  it('does not change other routes', async () => {
    expect(await (await send('/open')).text()).toBe('open')
  })

  it('responds with 503 when the issuer is unavailable', async () => {
    const away = testIssuer()
    away.broken = async () => new Response(null, { status: 502 })
    const other = await serve(api(away))
    const answer = await other.send('/notes/mine', { token: await issuer.token() })
    await other.close()
    expect(answer.headers.get('retry-after')).toBe('5')
    expect(await seen(answer)).toEqual(AWAY)
  })

  it('a user() that fails is an error of the application: no handler runs, and the next request is served', async () => {
    const users = { away: true }
    const user = async (token: AccessToken) => {
      if (users.away) throw new Error('the users are away')
      return { sub: token.claims.sub }
    }
    const other = await serve(api(issuer, { user }))
    onTestFinished(() => other.close())
    handled.length = 0
    const token = await issuer.token()
    const answer = await other.send('/notes/mine', { token }).catch((error: unknown) => error)
    if (answer instanceof Response) expect(answer.status).toBe(500)
    else expect(answer).toEqual(new Error('the users are away'))
    expect(handled).toEqual([])
    users.away = false
    expect((await other.send('/notes/mine', { token })).status).toBe(200)
  })

  it('serves the metadata document (RFC 9728)', async () => {
    const answer = await send(document)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('application/json')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(await answer.json()).toEqual({
      resource: RESOURCE,
      authorization_servers: [issuer.issuer],
      scopes_supported: ['read', 'admin'],
      bearer_methods_supported: ['header'],
    })
    const head = await send(document, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const preflight = await send(document, { method: 'OPTIONS' })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
    const posted = await send(document, { method: 'POST' })
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })
})

const ISSUER_ONLY = 'https://id.example.com'

describe.each([
  ['Express', expressApp],
  ['Fastify', fastifyApp],
] as const)('%s on a socket', (_, serve) => {
  it.each(['//', '//[', '/%', '/notes/mine?a=%zz', '*'])(
    'an unusual request target (%s) is not a 500',
    async (path) => {
      const app = await serve(api(testIssuer()))
      const method = path === '*' ? 'OPTIONS' : 'GET'
      const answer = await app.send(path, { token: 'rubbish', method })
      await app.close()
      expect([400, 401, 404]).toContain(answer.status)
    },
  )
})
