/** DPoP through each adapter, over a socket: both challenges as headers of their own, and the nonces. */

import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dpopKey, dpopProof } from '@ostiary/test-kit/dpop'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { protect as protectExpress } from '../src/adapters/express.js'
import { protect as protectFastify } from '../src/adapters/fastify.js'
import { protect as protectHono } from '../src/adapters/hono.js'
import type { ResourceServer } from '../src/index.js'
import { api, METADATA, NOW, RESOURCE, testIssuer } from './support.js'

interface Answer {
  status: number
  /** The values of `WWW-Authenticate`, as they were sent. */
  challenges: string[]
  /** Of `DPoP-Nonce`. */
  nonces: string[]
  body: string
}
type Send = (path: string, headers: Record<string, string | string[]>) => Promise<Answer>
interface TestApp {
  send: Send
  close(): Promise<unknown>
}

async function expressApp(server: ResourceServer): Promise<TestApp> {
  const auth = protectExpress(server)
  const app = express()
  const notes = express.Router()
  notes.use(auth.authenticate)
  notes.get('/:id', auth.checkScopes('read'), (req, res) => void res.send(req.principal?.clientId()))
  notes.post('/:id', auth.checkScopes('admin'), (_req, res) => void res.send('never'))
  app.use('/notes', notes)
  const listening = createServer(app)
  await new Promise<void>((done) => listening.listen(0, '127.0.0.1', done))
  return {
    send: sender((listening.address() as AddressInfo).port),
    close: () => new Promise((done) => void listening.close(() => done(null))),
  }
}

async function fastifyApp(server: ResourceServer): Promise<TestApp> {
  const auth = protectFastify(server)
  const app = fastify()
  await app.register(auth.plugin)
  app.get('/notes/:id', { onRequest: [auth.authenticate, auth.checkScopes('read')] }, async (request) =>
    request.principal?.clientId(),
  )
  app.post('/notes/:id', { onRequest: [auth.authenticate, auth.checkScopes('admin')] }, async () => 'never')
  await app.listen({ port: 0, host: '127.0.0.1' })
  return { send: sender((app.server.address() as AddressInfo).port), close: () => app.close() }
}

async function honoApp(server: ResourceServer): Promise<TestApp> {
  const auth = protectHono(server)
  const app = new Hono()
    .use('/notes/*', auth.authenticate)
    .get('/notes/:id', auth.checkScopes('read'), () => new Response('app'))
    .post('/notes/:id', auth.checkScopes('admin'), (c) => c.text('never'))
  const send: Send = async (path, { method, ...sent }) => {
    const headers = Object.entries(sent).flatMap(([name, value]) =>
      [value].flat().map((each): [string, string] => [name, String(each)]),
    )
    const response = await app.request(path, { method: String(method ?? 'GET'), headers })
    return {
      status: response.status,
      // A Response has one value for each name.
      challenges: [response.headers.get('www-authenticate') ?? ''].flatMap((value) =>
        value.split(/, (?=DPoP )/),
      ),
      nonces: [response.headers.get('dpop-nonce') ?? []].flat(),
      body: await response.text(),
    }
  }
  return { send, close: async () => null }
}

const sender =
  (port: number): Send =>
  (path, { method = 'GET', ...headers }) =>
    new Promise((resolve, reject) => {
      const options = { port, host: '127.0.0.1', path, method: String(method), headers, agent: false }
      const sent = httpRequest(options, (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => void parts.push(part))
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            challenges: answer.headersDistinct['www-authenticate'] ?? [],
            nonces: answer.headersDistinct['dpop-nonce'] ?? [],
            body: Buffer.concat(parts).toString(),
          }),
        )
      })
      sent.on('error', reject).end()
    })

describe.each([
  ['Hono', honoApp],
  ['Express', expressApp],
  ['Fastify', fastifyApp],
] as const)('%s', (_, serve) => {
  const issuer = testIssuer()
  const key = dpopKey()
  const server = api(issuer, { dpop: { nonce_secret: 'a secret for nonces, of 32 characters or more' } })
  let app: TestApp
  let token: string
  beforeAll(async () => {
    app = await serve(server)
    token = await issuer.token({ cnf: { jkt: key.jkt } })
  })
  afterAll(() => app.close())
  const headers = (nonce?: string, method = 'GET') => {
    const asked = { method, url: `${RESOURCE}/5`, now: issuer.clock.now, access_token: token }
    return {
      method,
      authorization: `DPoP ${token}`,
      dpop: dpopProof(key, nonce === undefined ? asked : { ...asked, nonce }),
    }
  }
  const challenges = (scheme: 'Bearer' | 'DPoP' | null, error = '', scope = '') => {
    const on = (name: string) => (name === scheme ? ` error="${error}",` : '')
    return [
      `Bearer realm="default",${on('Bearer')}${scope} resource_metadata="${METADATA}"`,
      `DPoP realm="default",${on('DPoP')}${scope} algs="ES256 EdDSA Ed25519 PS256 RS256", resource_metadata="${METADATA}"`,
    ]
  }

  it('asks for a nonce, accepts it, and names the next one once the minute has changed', async () => {
    const first = await app.send('/notes/5?page=2', headers())
    expect(first).toEqual({
      status: 401,
      challenges: challenges('DPoP', 'use_dpop_nonce'),
      nonces: [expect.stringMatching(/^[\w-]{43}$/)],
      body: '{"error":"use_dpop_nonce"}',
    })
    const [nonce] = first.nonces
    const second = await app.send('/notes/5?page=2', headers(nonce))
    expect([second.status, second.body, second.nonces]).toEqual([200, 'app', []])
    issuer.clock.now = NOW + 60
    const third = await app.send('/notes/5', headers(nonce))
    expect([third.status, third.body, third.nonces.length]).toEqual([200, 'app', 1])
    expect(third.nonces).not.toEqual([nonce])
    const denied = await app.send('/notes/5', headers(nonce, 'POST'))
    expect(denied).toMatchObject({
      status: 403,
      challenges: challenges('DPoP', 'insufficient_scope', ' scope="admin",'),
    })
    issuer.clock.now = NOW
  })

  it('sends both challenges, each with a header of its own, and the error with the scheme that was used', async () => {
    expect(await app.send('/notes/5', {})).toMatchObject({ status: 401, challenges: challenges(null) })
    expect(await app.send('/notes/5', { authorization: `Bearer ${token}` })).toMatchObject({
      status: 401,
      challenges: challenges('Bearer', 'invalid_token'),
      nonces: [],
    })
  })

  it('refuses two headers Authorization with 400', async () => {
    const nonce = (await app.send('/notes/5', headers())).nonces[0] ?? ''
    const { authorization, ...rest } = headers(nonce)
    for (const both of [
      [authorization, `Bearer ${token}`],
      [authorization, authorization],
    ])
      expect(await app.send('/notes/5', { ...rest, authorization: both })).toMatchObject({
        status: 400,
        challenges: challenges('DPoP', 'invalid_request'),
        body: '{"error":"invalid_request"}',
      })
  })

  it('refuses two headers DPoP, and the proof of another path or method', async () => {
    const nonce = (await app.send('/notes/5', headers())).nonces[0] ?? ''
    const refused = { status: 401, challenges: challenges('DPoP', 'invalid_dpop_proof') }
    const { dpop, ...rest } = headers(nonce)
    expect(await app.send('/notes/5', { ...rest, dpop: [dpop, dpop] })).toMatchObject(refused)
    expect(await app.send('/notes/6', { ...rest, dpop })).toMatchObject(refused)
    expect(await app.send('/notes/5', { ...rest, dpop, method: 'POST' })).toMatchObject(refused)
    expect(await app.send('/notes/5', { ...rest, dpop })).toMatchObject({ status: 200 })
  })
})
