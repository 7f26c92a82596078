/** The keys `audit.sinks`, what a receiver can be, and a server that delivers. */

import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openAuditStore } from '@ostiary/audit'
import { documentServer } from '@ostiary/test-kit/document-server'
import { eventually } from '@ostiary/test-kit/eventually'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sinkFetch } from '../src/audit/open-sinks.js'
import { configuredLog, createApp, readConfig } from '../src/index.ts'
import { HOSTILE } from './hostile-hosts.ts'
import { privateAddress } from './private-address.ts'
import { configure, FILE, faults, inMemory } from './support.ts'

const SECRET = `whsec_${Buffer.from('a secret of more than 24 bytes').toString('base64')}`
const ENV = { SIEM_SECRET: SECRET }
const URL_ = 'https://siem.example.com/ostiary'
const SINK = { url: URL_, secret_env: 'SIEM_SECRET' }
const withSinks = (...sinks: object[]) => ({ ...FILE, audit: { enabled: true, sinks } })

describe('audit.sinks', () => {
  it('are none by default, and have defaults', async () => {
    expect(await configure({ ...FILE, audit: { enabled: true } })).not.toHaveProperty('audit_sinks')
    const config = await configure(withSinks(SINK), ENV)
    expect(config.audit).toEqual({ keep_days: 365, events: 'security' })
    expect(config.audit_sinks).toEqual([{ url: URL_, format: 'json', allow_private: false, secret: SECRET }])
  })

  it.each([
    [[{ url: 'http://siem.example.com', format: 'set' }], 'audit.sinks.0.url: give an https URL'],
    [[SINK, { url: URL_, format: 'set' }], 'audit.sinks.1.url: sink 0 has it too'],
    [[{ ...SINK, format: 'set' }], 'audit.sinks.0.secret_env: format set has none'],
    [[{ url: URL_ }], 'audit.sinks.0.secret_env: format json needs one'],
    [[{ ...SINK, secret_env: 'NOT_SET' }], 'audit.sinks.0.secret_env: the variable NOT_SET is not set'],
    [[{ ...SINK, secret_env: 'SHORT' }], 'audit.sinks.0.secret_env: it has 3 bytes, and needs 24 to 64'],
    [[{ ...SINK, events: ['user.updated'] }], 'audit.sinks.0.events.0: there is no type "user.updated"'],
    [[{ ...SINK, events: ['token.issued'] }], 'audit.sinks.0.events.0: token.issued is only kept with'],
    [[{ ...SINK, format: 'xml' }], 'audit.sinks.0.format'],
    [[{ ...SINK, ulr: 'x' }], 'audit.sinks.0.ulr: there is no such key'],
    [
      Array.from({ length: 9 }, (_, n) => ({ ...SINK, url: `${URL_}/${n}` })),
      'audit.sinks: there are 9: give at most 8',
    ],
  ])('%j is a fault', async (sinks, text) => {
    expect(await faults(withSinks(...sinks), { ...ENV, SHORT: 'whsec_AAAA' })).toEqual([
      expect.stringContaining(text),
    ])
  })

  it('the probable type is named', async () => {
    const [line] = await faults(withSinks({ ...SINK, events: ['user.updated'] }), ENV)
    expect(line).toContain('user.update')
  })

  it('need audit.enabled', async () => {
    const file = { ...FILE, audit: { sinks: [SINK] } }
    expect(await faults(file, ENV)).toEqual([expect.stringContaining('audit.sinks: they need audit.enabled')])
  })

  it('are given by a variable too, and then also without a file', async () => {
    const given = { OSTIARY_AUDIT__ENABLED: 'true', OSTIARY_AUDIT__SINKS: JSON.stringify([SINK]), ...ENV }
    expect((await configure(FILE, given)).audit_sinks).toHaveLength(1)
  })

  it('have secrets that no line of the log shows', async () => {
    const lines: string[] = []
    const both = { SIEM_SECRET: `${SECRET} whsec_${'A'.repeat(32)}` }
    const log = configuredLog(await configure(withSinks(SINK), both), (line) => void lines.push(line))
    log.info('shown', { text: `first ${SECRET}, second whsec_${'A'.repeat(32)}` })
    expect(lines[0]).toContain('first')
    expect(lines[0]).not.toContain('whsec_')
  })

  it('a command that stores no entry reads no secret', async () => {
    const { file } = await configure(withSinks(SINK), ENV)
    const env = { OIDC_SECRET: 'the-secret-of-the-tests-is-long-enough', OSTIARY_CONFIG: file ?? '' }
    await expect(readConfig(env, '.')).rejects.toThrow('the variable SIEM_SECRET is not set')
    const { audit_sinks } = await readConfig(env, '.', { entry_secrets: false })
    expect(audit_sinks).toMatchObject([{ url: URL_ }])
  })
})

/** A receiver on this machine. */
async function receiver(listener: RequestListener) {
  const requests: { url: string; body: string; headers: NodeJS.Dict<string | string[]> }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    requests.push({
      url: request.url ?? '',
      body: Buffer.concat(chunks).toString(),
      headers: request.headers,
    })
    listener(request, response)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

const sent = (url: string, more: Partial<Parameters<typeof sinkFetch>[0]> = {}) =>
  sinkFetch({ url, format: 'json', ...more })(url, { method: 'POST', body: '{}' }).then(
    ({ status }) => status,
    (error: Error) => error.message,
  )
const hostOf = (address: string) => (address.includes(':') ? `[${address}]` : address)
const literal = (address: string) => `https://${hostOf(address)}/`
const PRIVATE = ['10.0.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', 'fd00::1']
const LOOPBACK = ['127.0.0.1', '127.8.8.8', '::1']

describe('a receiver', () => {
  it.each(HOSTILE)('%s (%s) is not reached', async (_, address) => {
    expect(await sent(literal(address))).toBe('forbidden_address')
  })

  it.each(HOSTILE.filter(([, address]) => ![...PRIVATE, ...LOOPBACK].includes(address)))(
    '%s (%s) is not reached with allow_private either',
    async (_, address) => {
      expect(await sent(literal(address), { allow_private: true })).toBe('forbidden_address')
    },
  )

  it('in a private network, or on this machine, is reached with allow_private', async () => {
    const address = privateAddress()
    for (const at of [address, '127.0.0.1']) {
      const server = await documentServer(['siem.internal'], at)
      onTestFinished(() => server.close())
      const url = `https://${hostOf(at)}:${server.port}/`
      expect(await sent(url)).toBe('forbidden_address')
      // The certificate is not trusted here: the connection was allowed.
      expect(await sent(url, { allow_private: true })).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
    }
    const plain = await receiver((_, response) => void response.writeHead(204).end())
    expect(await sent(plain.url)).toBe('forbidden_scheme')
    expect(await sent(plain.url, { allow_private: true })).toBe(204)
    expect(await sent(`http://${hostOf(address)}:1/`, { allow_private: true })).toBe('forbidden_address')
  })

  it('redirects to nowhere', async () => {
    const to = await receiver((_, response) => void response.writeHead(302, { location: '/other' }).end())
    expect(await sent(to.url, { allow_private: true })).toBe(302)
    expect(to.requests.map(({ url }) => url)).toEqual(['/'])
  })

  it('of Security Event Tokens answers with at most 16 KiB, and the body of other answers is not read', async () => {
    for (const [bytes, expected] of [
      [16_384, 202],
      [16_385, 'too_large'],
    ] as const) {
      const to = await receiver((_, response) => void response.writeHead(202).end('x'.repeat(bytes)))
      expect(await sent(to.url, { allow_private: true, format: 'set' })).toBe(expected)
      expect(await sent(to.url, { allow_private: true })).toBe(202)
    }
  })
})

/** A server in this process, with a clock. */
async function started(sink: object) {
  const config = await configure(withSinks({ secret_env: 'SIEM_SECRET', allow_private: true, ...sink }), ENV)
  const lines: Record<string, unknown>[] = []
  const storage = inMemory()
  const store = openAuditStore(storage)
  let now = Math.floor(Date.now() / 1000)
  const log = configuredLog(config, (line) => void lines.push(JSON.parse(line)))
  const options = { log, storage, now: () => now, tick_every: 5 }
  const app = await createApp(config, options)
  onTestFinished(() => app.stop())
  return {
    app,
    store,
    lines,
    config,
    later: (seconds: number) => {
      now += seconds
    },
    logged: (event: string) => lines.filter((line) => line.event === event),
  }
}

describe('a server', () => {
  it('delivers what was sealed in its order, and a reload of the configuration goes on with the row that is on its way', async () => {
    let is_held = true
    const to = await receiver((_, response) => {
      if (!is_held) response.writeHead(204).end()
    })
    const { app, store, later, config } = await started({ url: to.url })
    await app.start()
    const ids = () => to.requests.map(({ headers }) => headers['webhook-id'])
    await eventually(() => {
      // Each minute a seal: the first one may be before the cursor.
      later(61)
      expect(ids()).toHaveLength(1)
    })
    is_held = false
    await app.reload(config)
    /** Not the order of the ids: an event is written up to a second later, when this clock may be minutes ahead. */
    const sealed = async () =>
      (await store.page('default', { limit: 100 }))
        .filter(({ seal }) => seal !== null)
        .sort((a, b) => Number(a.seal) - Number(b.seal) || Number(a.place) - Number(b.place))
        .map(({ audit_id }) => audit_id)
    await eventually(async () => {
      // The lease of the held row ends.
      later(61)
      const [held, ...others] = ids()
      expect(others.length).toBeGreaterThan(1)
      expect([held, ...others]).toEqual([others[0], ...(await sealed()).slice(-others.length)])
    })
  })

  it('logs a failure with what to do, and keeps no row of it, so that nothing is delivered about deliveries', async () => {
    const to = await receiver((_, response) => void response.writeHead(401).end())
    const { app, store, later, logged } = await started({ url: to.url })
    await app.start()
    await eventually(() => {
      later(61)
      expect(logged('audit.sink_failed').length).toBeGreaterThan(2)
    })
    const { host } = new URL(to.url)
    expect(logged('audit.sink_failed')[0]).toMatchObject({
      level: 'warn',
      host,
      realm: 'default',
      attempts: 1,
      reason: 'status_401',
      hint: expect.stringContaining('secret_env'),
    })
    const types = (await store.page('default', { limit: 1000 })).map(({ type }) => type)
    expect(types).toContain('client.store')
    expect(types.filter((type) => type.startsWith('audit.'))).toEqual([])
    expect(JSON.stringify(logged('audit.sink_failed'))).not.toContain(SECRET)
  })
})
