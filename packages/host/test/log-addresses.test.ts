/** What the log says about where a request comes from: the client's address, in the configured form, and the trace. */

import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
import { filled, formOf } from '@ostiary/test-kit/browser'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loggedAddress } from '../src/log/addresses.ts'
import { FILE, faults, startApp } from './support.ts'

const PROXY = '10.0.0.1'
const PROXIED = { ...FILE, trusted_proxies: [PROXY] }

describe('the logged form of an address', () => {
  it.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8::/48'],
    ['::1', '::/48'],
    ['fe80::1', 'fe80::/48'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['::ffff:cb00:714d', '203.0.113.0/24'],
  ])('%s truncated: %s', (address, network) => {
    expect(loggedAddress(address, 'truncated')).toBe(network)
    expect(loggedAddress(address, 'full')).toBe(address)
    expect(loggedAddress(address, 'none')).toBeUndefined()
  })

  it.each(['', 'unknown', 'a secret', '203.0.113', '1.2.3.4.5', '2001:db8::/32', null, undefined])(
    'of %j, which is none: nothing',
    (text) => {
      for (const form of ['full', 'truncated', 'none'] as const)
        expect(loggedAddress(text, form)).toBeUndefined()
    },
  )
})

describe('log.addresses', () => {
  const CLIENTS = ['198.51.100.9', '2001:db8:7:8::9']
  /** A request, a refused sign-in and an unlisted proxy, all with addresses. */
  async function addressesIn(log: object) {
    const { get, logged, lines } = await startApp({ ...PROXIED, ...log })
    for (const client of CLIENTS) {
      const from = { address: PROXY, headers: { 'x-forwarded-for': client } }
      const page = await get(
        '/oauth/authorize?client_id=app&response_type=code&code_challenge_method=S256',
        from,
      )
      expect(page.status).toBeLessThan(500)
      const login = await get('/login?return_to=/account', from)
      const cookie = login.headers
        .getSetCookie()
        .map((value) => value.split(';')[0])
        .join('; ')
      const body = filled(formOf(await login.text()), { username: 'ann', password: 'wrong' })
      const headers = { ...from.headers, cookie }
      await get('/login', { method: 'POST', body, address: PROXY, headers })
    }
    await get('/healthz', { address: '10.9.8.7', headers: { 'x-forwarded-for': CLIENTS[0] ?? '' } })
    const [warning] = lines.filter((line) => line.includes('trusted_proxies'))
    return {
      requests: [...new Set(logged('request').map(({ address }) => address))],
      events: [...new Set(logged('login.refused').map(({ address }) => address))],
      peer: JSON.parse(warning ?? '{}').peer,
      // A duration and a time may have the digits of an address: 10.96 ms, 18:18:10.901.
      text: lines.map((line) => line.replace(/"duration_ms":[\d.]+|"time":"[^"]*"/g, '')).join('\n'),
    }
  }

  it('full', async () => {
    const { requests, events, peer } = await addressesIn({ log: { addresses: 'full' } })
    expect({ requests, events, peer }).toEqual({
      requests: [...CLIENTS, undefined],
      events: CLIENTS,
      peer: '10.9.8.7',
    })
  })

  it.each([
    ['by default', {}],
    ['when it is set', { log: { addresses: 'truncated' } }],
  ])('truncated %s: no line has a whole address', async (_, log) => {
    const { requests, events, peer, text } = await addressesIn(log)
    const networks = ['198.51.100.0/24', '2001:db8:7::/48']
    expect({ requests, events, peer }).toEqual({
      requests: [...networks, undefined],
      events: networks,
      peer: '10.9.8.0/24',
    })
    for (const address of [...CLIENTS, '10.9.8.7', PROXY]) expect(text).not.toContain(address)
  })

  it('none: no line has any part of one', async () => {
    const { requests, events, peer, text } = await addressesIn({ log: { addresses: 'none' } })
    expect({ requests, events, peer }).toEqual({
      requests: [undefined],
      events: [undefined],
      peer: undefined,
    })
    for (const part of ['198.51', '2001:db8', '10.9', '10.0.0']) expect(text).not.toContain(part)
  })

  it('another word is refused with those that exist', async () => {
    expect(await faults({ ...FILE, log: { addresses: 'some' } })).toEqual([
      'log.addresses: give full, truncated or none',
    ])
  })

  it('a reload changes it', async () => {
    const { app, config, get, logged } = await startApp(PROXIED)
    const from = { address: PROXY, headers: { 'x-forwarded-for': '198.51.100.9' } }
    await get('/healthz', from)
    await app.reload({ ...config, log: { addresses: 'full' } })
    await get('/healthz', from)
    expect(logged('request').map(({ address }) => address)).toEqual(['198.51.100.0/24', '198.51.100.9'])
  })
})

describe('the trace id of a request line', () => {
  const TRACE = 'ab'.repeat(16)
  const traceparent = `00-${TRACE}-${'cd'.repeat(8)}-01`

  it('is that of a trusted proxy, and of no client', async () => {
    const { get, logged } = await startApp(PROXIED)
    const headers = { traceparent }
    await get('/healthz', { address: PROXY, headers })
    await get('/healthz', { address: '203.0.113.5', headers })
    await get('/healthz', { address: PROXY })
    for (const wrong of [
      '00-x',
      `00-${'0'.repeat(32)}-${'cd'.repeat(8)}-01`,
      `${traceparent}x`,
      `x${traceparent}`,
    ])
      await get('/healthz', { address: PROXY, headers: { traceparent: wrong } })
    expect(logged('request').map(({ trace_id }) => trace_id)).toEqual([TRACE, ...Array(6).fill(undefined)])
  })

  it('is that of the span, where OpenTelemetry is registered', async () => {
    trace.setGlobalTracerProvider(new BasicTracerProvider())
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    onTestFinished(() => {
      trace.disable()
      context.disable()
      propagation.disable()
    })
    const { get, logged } = await startApp(PROXIED)
    await get('/healthz', { address: '203.0.113.5', headers: { traceparent } })
    const [{ trace_id } = {}] = logged('request')
    expect(trace_id).toMatch(/^[0-9a-f]{32}$/)
    expect(trace_id).not.toBe(TRACE)
  })
})
