/** examples/mcp-worker, in workerd: a request that its client gives up must not harm the requests after it. */

import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { freePort } from '@ostiary/test-kit/ports'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startExample } from './examples.ts'

const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })

let issuer: Server
let url: string
/** The first request for the discovery document, which is never answered. */
let held: Promise<ServerResponse>
let resource: string
let stop: () => Promise<void>
let headers: Record<string, string>

beforeAll(async () => {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256', use: 'sig' }
  let hold: ((response: ServerResponse) => void) | null = null
  held = new Promise((resolve) => {
    hold = resolve
  })
  issuer = createServer((request, response) => {
    if (hold) {
      hold(response)
      hold = null
      return
    }
    const document = request.url === '/jwks' ? { keys: [jwk] } : { issuer: url, jwks_uri: `${url}/jwks` }
    response.end(JSON.stringify(document))
  }).listen(0, '127.0.0.1')
  await once(issuer, 'listening')
  url = `http://localhost:${(issuer.address() as AddressInfo).port}`
  const port = await freePort()
  resource = `http://localhost:${port}/mcp`
  stop = await startExample('mcp-worker', { url: resource, port }, url)
  const token = await new SignJWT({ client_id: 'agent', scope: 'notes.read' })
    .setProtectedHeader({ alg: 'RS256', kid: 'k', typ: 'at+jwt' })
    .setIssuer(url)
    .setAudience(resource)
    .setSubject('ann')
    .setJti('1')
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(privateKey)
  headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
})
afterAll(async () => {
  await stop?.()
  issuer.closeAllConnections()
  issuer.close()
})

it('the first request disconnects while the keys are fetched: the next one fetches them again, and is served', async () => {
  const { hostname, port, pathname } = new URL(resource)
  const socket = connect(Number(port), '127.0.0.1')
  const lines = Object.entries({ host: hostname, 'content-length': String(LIST.length), ...headers })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.write(`POST ${pathname} HTTP/1.1\r\n${head}\r\n${LIST}`)
  const abandoned = once(await held, 'close')
  socket.resetAndDestroy()
  // workerd drops the incoming request, and what it waited for.
  await abandoned

  const served = await fetch(resource, { method: 'POST', headers, body: LIST })
  expect(served.status).toBe(200)
  expect(await served.text()).toContain('list_notes')
})
