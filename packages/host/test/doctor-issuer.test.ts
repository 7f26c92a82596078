/** What doctor says about an issuer that does not answer with its discovery document: the server is not ready, or a proxy answers. */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { freePort } from '@ostiary/test-kit/ports'
import { expect, it, onTestFinished } from 'vitest'
import { checkIssuer } from '../src/doctor/issuer.ts'
import { readiness } from '../src/server/health.ts'
import { restored, starting } from '../src/server/starting.ts'
import { configure, FILE } from './support.ts'

/** A program that answers requests, on a port of its own. */
async function listening(answer: (request: Request) => Promise<Response>): Promise<number> {
  const server = createServer(async (request, response) => {
    const { status, headers, body } = await answer(new Request(`http://127.0.0.1${request.url}`))
    response.writeHead(status, Object.fromEntries(headers)).end(body && (await new Response(body).text()))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** @param ports Of the issuer, and of the server. */
const findings = async (ports: { issuer: number; server: number }) => {
  const file = { ...FILE, app: { url: `http://127.0.0.1:${ports.issuer}` } }
  return checkIssuer(await configure(file, { PORT: String(ports.server) }))
}

const fromServer = (handler: typeof starting) => (request: Request) =>
  Promise.resolve(handler(request, { address: '127.0.0.1' }))

const WAIT = 'Wait a few seconds, and run doctor again. The check of a part that stays down says what to do.'
const PROXY = 'Configure the proxy to forward every path to this server, unchanged.'

const documentAt = (port: number) => `http://127.0.0.1:${port}/.well-known/openid-configuration`

it('a server that starts: wait, and look again', async () => {
  const port = await listening(fromServer(starting))
  expect(await findings({ issuer: port, server: port })).toEqual([
    {
      check: 'issuer',
      status: 'fault',
      message: `${documentAt(port)} answers with status 503, because the server is not ready yet (status: starting)`,
      advice: WAIT,
    },
  ])
})

it('a server that waits for a part names the part, and not those that work', async () => {
  const parts = { database: () => Promise.reject(new Error('it is away')), redis: async () => {} }
  const answers = readiness(parts)
  const port = await listening((request) =>
    request.url.endsWith('/readyz')
      ? answers.answer('ready')
      : Promise.resolve(new Response(null, { status: 503 })),
  )
  const [finding] = await findings({ issuer: port, server: port })
  expect(finding).toMatchObject({
    message: expect.stringMatching(/\(status: unavailable, database: down\)$/),
  })
})

it('a server whose database was restored says so', async () => {
  const port = await listening(fromServer(restored))
  const [finding] = await findings({ issuer: port, server: port })
  expect(finding?.message).toMatch(/\(status: unavailable, database: restored\)$/)
})

it('behind a proxy that keeps /readyz to itself, the server on this machine is asked', async () => {
  const server = await listening(fromServer(starting))
  const issuer = await listening(async () => new Response('Bad gateway', { status: 502 }))
  const [finding] = await findings({ issuer, server })
  expect(finding).toMatchObject({
    message: expect.stringMatching(/answers with status 502, because .* \(status: starting\)$/),
    advice: WAIT,
  })
})

it.each([
  ['nothing that looks like a server', () => new Response('Bad gateway', { status: 502 })],
  ['a document of another program', () => Response.json({ status: 'sleeping' }, { status: 503 })],
  ['a document that is no object', () => Response.json(null, { status: 503 })],
])('a proxy with %s: configure the proxy', async (_, answer) => {
  const issuer = await listening(async () => answer())
  const [finding] = await findings({ issuer, server: await freePort() })
  expect(finding).toMatchObject({
    message: `${documentAt(issuer)} answers with status ${answer().status}`,
    advice: PROXY,
  })
})

it('a proxy that leads elsewhere, with a server that is ready: configure the proxy', async () => {
  const ready = readiness({ database: async () => {} })
  const server = await listening(() => ready.answer('ready'))
  const issuer = await listening(async () => new Response('Not found', { status: 404 }))
  const [finding] = await findings({ issuer, server })
  expect(finding?.advice).toBe(PROXY)
})

it('no text of another program reaches the terminal as it is', async () => {
  const body = { status: 'unavailable', database: '\u001b[2Jdown\n', other: 'x'.repeat(1000) }
  const port = await listening(async () => Response.json(body, { status: 503 }))
  const [finding] = await findings({ issuer: port, server: port })
  expect(finding?.message).toMatch(/^[ -~]{1,400}$/)
})
