/** Documents that are answered at once: the headers, the log line and the counts are those of every other request. */

import { expect, it, onTestFinished } from 'vitest'
import { configuredLog, createApp } from '../src/index.ts'
import { exposition } from '../src/metrics/prometheus.ts'
import { configure, FILE, inMemory } from './support.ts'

const JWKS = '/.well-known/jwks.json'
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'

async function running(more: object = {}) {
  const file = { ...FILE, server: { metrics: { port: 9464 } }, trusted_proxies: ['10.0.0.1'], ...more }
  const config = await configure(file)
  const lines: string[] = []
  const log = configuredLog(config, (line) => lines.push(line))
  const clock = { now: 1_800_000_000 }
  const app = await createApp(config, { log, storage: inMemory(), now: () => clock.now })
  await app.start()
  onTestFinished(() => app.stop())
  const requests = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
  return { app, clock, requests, config }
}

/** From a proxy, with everything that it may send. */
const proxied = (path: string) =>
  new Request(`http://localhost:4000${path}`, {
    headers: {
      'x-request-id': 'r1',
      'x-forwarded-for': '203.0.113.5',
      traceparent: `00-${TRACE}-00f067aa0ba902b7-01`,
    },
  })
const PROXY = { address: '10.0.0.1' }

const counted = async (text: Promise<string>) =>
  (await text).split('\n').filter((line) => /^ostiary_request.*(?:_total|_count)\{/.test(line))

it('a document at once has the same headers, line and counts as one that is waited for', async () => {
  const { app, clock, requests } = await running()
  const shown = async (response: Response) => [[...response.headers], response.status, await response.text()]
  clock.now += 31
  const waited = app.answer(proxied(JWKS), PROXY)
  expect(waited).toBeInstanceOf(Promise)
  const first = await shown(await waited)
  const atOnce = app.answer(proxied(JWKS), PROXY)
  expect(atOnce).toBeInstanceOf(Response)
  expect(await shown(await atOnce)).toEqual(first)
  expect(first[0]).toContainEqual(['x-request-id', 'r1'])

  const [one, two] = requests()
  expect(two).toEqual({ ...one, time: two.time, duration_ms: two.duration_ms })
  expect(two).toEqual({
    time: expect.any(String),
    level: 'info',
    msg: 'request',
    method: 'GET',
    route: 'oidc.jwks',
    path: JWKS,
    status: 200,
    duration_ms: expect.any(Number),
    request_id: 'r1',
    address: '203.0.113.0/24',
    trace_id: TRACE,
  })
  expect(await counted(app.metrics().then((snapshot) => exposition([snapshot])))).toEqual([
    'ostiary_requests_total{route="oidc.jwks",method="GET",status="200"} 2',
    'ostiary_request_duration_seconds_count{route="oidc.jwks"} 2',
  ])
})

it('a document at once believes no proxy that is not trusted, and a stopping server closes the connection', async () => {
  const { app, requests } = await running({ app: { url: 'https://id.example.com' } })
  const added = new Map<string, string>()
  const header = (name: string, value: string | string[]) => void added.set(name, String(value))
  app.drain()
  const answer = app.answer(proxied(JWKS), { address: '198.51.100.7', header })
  expect(answer).toBeInstanceOf(Response)
  const [line] = requests()
  expect(Object.fromEntries(added)).toEqual({
    'x-request-id': line.request_id,
    'strict-transport-security': 'max-age=31536000',
    connection: 'close',
  })
  expect(line.request_id).toMatch(/^[0-9a-f-]{36}$/)
  expect([line.address, line.trace_id]).toEqual(['198.51.100.0/24', undefined])
})

it('an ETag that matches is 304, and an ambiguous path 404', async () => {
  const { app, requests } = await running()
  const { headers } = await app.fetch(proxied(JWKS))
  const held = new Request(`http://localhost:4000${JWKS}`, {
    headers: { 'if-none-match': headers.get('etag') ?? '' },
  })
  const fresh = app.answer(held, PROXY)
  expect(fresh).toBeInstanceOf(Response)
  expect((await fresh).status).toBe(304)
  expect((await app.answer(proxied(JWKS), { ...PROXY, ambiguous_path: true })).status).toBe(404)
  expect(requests().map(({ route, status }) => [route, status])).toEqual([
    ['oidc.jwks', 200],
    ['oidc.jwks', 304],
    ['other', 404],
  ])
})

it('a reload changes the document with the next request', async () => {
  const { app, config } = await running()
  const document = async () => (await app.answer(proxied('/.well-known/openid-configuration'), PROXY)).json()
  expect(await document()).not.toHaveProperty('dpop_signing_alg_values_supported')
  await app.reload({ ...config, oidc: { ...config.oidc, dpop: 'on' } })
  expect(await document()).toHaveProperty('dpop_signing_alg_values_supported')
})
