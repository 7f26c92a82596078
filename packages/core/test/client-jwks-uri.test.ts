/** private_key_jwt with keys that the client publishes at its jwks_uri: when they are read, kept and read again. */

import type { Client, DocumentRequest, FetchedDocument } from '@ostiary/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { asserted, type ClientKey, clientKey, signed } from './assertions.js'
import { client, type World, type WorldOptions, world } from './support.js'

const JWKS_URI = 'https://keys.example.com/jwks.json'
const oidc = { clients: { private_key_jwt: true } }

let first: ClientKey
let second: ClientKey
let unnamed: ClientKey

beforeAll(async () => {
  first = await clientKey('ES256', { kid: 'first' })
  second = await clientKey('ES256', { kid: 'second' })
  unnamed = await clientKey('ES256')
})

/** The host of the keys: what it serves, and what it was asked. */
interface KeyHost {
  serve: () => Promise<FetchedDocument>
  requests: (DocumentRequest & { url: string })[]
}

const served = (json: unknown, headers: Record<string, string> = {}, status = 200) =>
  Promise.resolve<FetchedDocument>({
    status,
    headers: new Headers({ 'content-type': 'application/jwk-set+json', ...headers }),
    body: new TextEncoder().encode(typeof json === 'string' ? json : JSON.stringify(json)),
  })
const keySet = (...keys: ClientKey[]) => ({ keys: keys.map(({ public_jwk }) => public_jwk) })

async function start(fields: Partial<Client> = {}, options: WorldOptions = {}) {
  const host: KeyHost = { serve: () => served(keySet(first)), requests: [] }
  const made = (client_id: string) =>
    client({
      client_id,
      token_endpoint_auth_method: 'private_key_jwt',
      jwks_uri: JWKS_URI,
      grant_types: ['client_credentials'],
      ...fields,
    })
  const w = await world({
    oidc,
    clients: [await made('service'), await made('other')],
    fetch_document: (url, request) => {
      host.requests.push({ url, ...request })
      return host.serve()
    },
    ...options,
  })
  return { w, host }
}

const serviceAt = (client_id: string, fields: Partial<Client>) =>
  client({
    client_id,
    token_endpoint_auth_method: 'private_key_jwt',
    jwks_uri: JWKS_URI,
    grant_types: ['client_credentials'],
    ...fields,
  })

/** A promise, and what settles it. */
function hold() {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  return { held, release }
}

let assertions = 0
async function send(w: World, { private_key, public_jwk }: ClientKey, changes: Record<string, unknown> = {}) {
  const { kid = public_jwk.kid ?? null, client_id = 'service', address = '192.0.2.1' } = changes
  const claims = {
    iss: client_id,
    sub: client_id,
    aud: w.issuer,
    jti: `jti ${++assertions}`,
    exp: w.clock.now + 60,
  }
  const token = await signed({ key: private_key, header: kid === null ? {} : { kid }, claims })
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...asserted(token) })
  const request = new Request(`${w.issuer}/oauth/token`, { method: 'POST', body })
  const response = await w.provider.fetch(request, { address: String(address) })
  return response.status
}

const reasonOf = (w: World) => {
  const event = w.events.findLast(({ type }) => type === 'client.authentication_failed')
  return event && 'reason' in event ? event.reason : null
}

describe('Keys at jwks_uri', () => {
  it('are read when the first assertion needs them, and kept for an hour; then they are asked for with their validators', async () => {
    const { w, host } = await start()
    host.serve = () => served(keySet(first), { etag: '"v1"' })
    expect(host.requests).toEqual([])
    for (let i = 0; i < 3; i += 1) expect(await send(w, first)).toBe(200)
    expect(host.requests).toEqual([
      { url: JWKS_URI, max_bytes: 65_536, accept: 'application/json', headers: {} },
    ])
    w.clock.now += 3599
    expect(await send(w, first)).toBe(200)
    expect(host.requests.length).toBe(1)
    w.clock.now += 1
    host.serve = () => served('', {}, 304)
    expect(await send(w, first)).toBe(200)
    expect(host.requests.slice(1)).toMatchObject([{ headers: { 'if-none-match': '"v1"' } }])
  })

  it('are not read for an unknown client, another method, another algorithm, or where private_key_jwt is off', async () => {
    const { w, host } = await start({ token_endpoint_auth_signing_alg: 'RS256' })
    expect([await send(w, first), await send(w, first, { client_id: 'nobody' })]).toEqual([401, 401])
    const by_secret = await start({ token_endpoint_auth_method: 'client_secret_post' })
    const revoked = await start({ revoked_at: 1 })
    const off = await start({}, { oidc: {} })
    for (const other of [by_secret, revoked, off]) expect(await send(other.w, first)).toBe(401)
    expect([host, by_secret.host, revoked.host, off.host].flatMap(({ requests }) => requests)).toEqual([])
  })

  it('are shared by clients with the same address, but a client’s assertion is not that of another', async () => {
    const { w, host } = await start()
    expect([await send(w, first), await send(w, first, { client_id: 'other' })]).toEqual([200, 200])
    expect(host.requests.length).toBe(1)
  })

  it('may lie beside keys for other uses', async () => {
    const { w, host } = await start()
    const encryption = { ...second.public_jwk, use: 'enc' }
    host.serve = () => served({ keys: [encryption, { kty: 'EC', crv: 'P-384' }, first.public_jwk] })
    expect(await send(w, first)).toBe(200)
    expect([await send(w, second), reasonOf(w)]).toEqual([401, 'unknown_assertion_key'])
  })
})

describe('A kid that is not among the keys', () => {
  it('makes them be read again at once: a client can rotate its keys', async () => {
    const { w, host } = await start()
    expect(await send(w, first)).toBe(200)
    w.clock.now += 1
    host.serve = () => served(keySet(first, second))
    expect(await send(w, second)).toBe(200)
    expect(host.requests.length).toBe(2)
  })

  it('does so once in 60 seconds, however many assertions a stranger sends', async () => {
    const { w, host } = await start()
    expect(await send(w, first)).toBe(200)
    w.clock.now += 1
    for (let i = 0; i < 30; i += 1) expect(await send(w, second, { kid: `random ${i}` })).toBe(401)
    expect([host.requests.length, reasonOf(w)]).toEqual([2, 'unknown_assertion_key'])
    w.clock.now += 59
    await send(w, second, { kid: 'random' })
    expect(host.requests.length).toBe(2)
    w.clock.now += 1
    await send(w, second, { kid: 'random' })
    expect(host.requests.length).toBe(3)
  })

  it('is waited for by all assertions at the same time, with one request', async () => {
    const { w, host } = await start()
    expect(await send(w, first)).toBe(200)
    w.clock.now += 1
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let announce = () => {}
    const asked = new Promise<void>((resolve) => {
      announce = resolve
    })
    host.serve = async () => {
      announce()
      await held
      return served(keySet(second))
    }
    const sent = [send(w, second, { kid: 'random' }), ...Array.from({ length: 20 }, () => send(w, second))]
    await Promise.race([asked, Promise.all(sent)])
    release()
    expect(await Promise.all(sent)).toEqual([401, ...Array(20).fill(200)])
    expect(host.requests.length).toBe(2)
  })

  it('causes no further request when the keys were just read, or have the kid for another algorithm', async () => {
    const { w, host } = await start()
    expect(await send(w, second)).toBe(401)
    expect(host.requests.length).toBe(1)
    w.clock.now += 61
    expect(await send(w, second, { kid: 'first' })).toBe(401)
    expect([host.requests.length, reasonOf(w)]).toEqual([1, 'assertion_signature'])
  })

  it('makes them be read again within the second in which they were read', async () => {
    const { w, host } = await start()
    expect(await send(w, first)).toBe(200)
    host.serve = () => served(keySet(first, second))
    expect([await send(w, second), host.requests.length]).toEqual([200, 2])
  })

  it('of a stranger’s client with the same address leaves a client the request for its own new kid', async () => {
    const { w, host } = await start()
    const { clients } = w.storage(w.realm)
    await clients.create(await serviceAt('stranger', { origin: 'registered', expires_at: 1_900_000_000 }))
    expect(await send(w, first)).toBe(200)
    const attack = (i: number) =>
      send(w, second, { client_id: 'stranger', kid: `invented ${i}`, address: `192.0.2.${i}` })
    // An assertion every 1.5 seconds.
    for (let i = 0; i < 60; i += 1) {
      w.clock.now += (i % 2) + 1
      expect(await attack(i)).toBe(401)
    }
    expect(host.requests.length).toBe(3)
    host.serve = () => served(keySet(second))
    expect([await send(w, second, { address: '198.51.100.1' }), await send(w, first)]).toEqual([200, 401])
  })

  it('is that of each client: one that was refused a request does not use up that of another', async () => {
    const { w, host } = await start()
    expect(await send(w, first)).toBe(200)
    expect([await send(w, second), await send(w, second)]).toEqual([401, 401])
    expect(host.requests.length).toBe(2)
    host.serve = () => served(keySet(first, second))
    expect(await send(w, second)).toBe(401)
    expect([await send(w, second, { client_id: 'other' }), host.requests.length]).toEqual([200, 3])
  })

  it('that a budget has stopped is looked for as soon as the budget allows it', async () => {
    const { w, host } = await start()
    const { clients } = w.storage(w.realm)
    for (let i = 0; i < 30; i += 1)
      await clients.create(await serviceAt(`neighbor-${i}`, { jwks_uri: `${JWKS_URI}?${i}` }))
    expect(await send(w, first)).toBe(200)
    w.clock.now += 90
    for (let i = 0; i < 30; i += 1)
      expect(await send(w, first, { client_id: `neighbor-${i}`, address: `192.0.2.${i}` })).toBe(200)
    host.serve = () => served(keySet(second))
    expect(await send(w, second, { address: '198.51.100.1' })).toBe(429)
    w.clock.now += 30
    expect(await send(w, second, { address: '198.51.100.1' })).toBe(200)
  })

  it('is looked for again after a failure, when the host is asked again', async () => {
    const { w, host } = await start()
    expect(await send(w, first)).toBe(200)
    host.serve = () => Promise.reject(new Error('ECONNREFUSED'))
    expect([await send(w, second), await send(w, first)]).toEqual([401, 200])
    host.serve = () => served(keySet(second))
    w.clock.now += 29
    expect([await send(w, second), host.requests.length]).toEqual([401, 2])
    w.clock.now += 1
    expect([await send(w, second), host.requests.length]).toEqual([200, 3])
  })

  it('joins a request that another client has caused before, and asks once more if that has no such key', async () => {
    const { w, host } = await start()
    expect(await send(w, first)).toBe(200)
    const { held, release } = hold()
    const { held: asked, release: announce } = hold()
    host.serve = async () => {
      announce()
      await held
      return served(keySet(first))
    }
    const others = send(w, second, { client_id: 'other', kid: 'invented' })
    await asked
    const own = send(w, second)
    host.serve = () => served(keySet(first, second))
    release()
    expect([await others, await own, host.requests.length]).toEqual([401, 200, 3])
  })

  it('needs none: without one the keys in memory are tried', async () => {
    const { w, host } = await start()
    host.serve = () => served(keySet(first, unnamed))
    expect(await send(w, unnamed)).toBe(200)
    w.clock.now += 61
    expect([await send(w, second, { kid: null }), reasonOf(w)]).toEqual([401, 'assertion_signature'])
    expect(host.requests.length).toBe(1)
  })
})

describe('When the host of the keys is down', () => {
  const down = () => Promise.reject(new Error('ECONNREFUSED'))

  it('the keys in memory are used for 24 hours, and the host is asked again every 30 seconds at most', async () => {
    const { w, host } = await start()
    expect(await send(w, first)).toBe(200)
    host.serve = down
    w.clock.now += 3600
    for (let i = 0; i < 5; i += 1) expect(await send(w, first)).toBe(200)
    expect(host.requests.length).toBe(2)
    w.clock.now += 82_799
    expect(await send(w, first)).toBe(200)
    w.clock.now += 1
    expect([await send(w, first), reasonOf(w)]).toEqual([401, 'assertion_keys_unreachable'])
  })

  it('a failed request for an unknown kid changes nothing for the known ones', async () => {
    const { w, host } = await start()
    expect(await send(w, first)).toBe(200)
    host.serve = down
    w.clock.now += 1
    expect([await send(w, second), await send(w, first)]).toEqual([401, 200])
  })

  it.each<[string, () => Promise<FetchedDocument>, string]>([
    ['no connection', down, 'unreachable'],
    [
      'an address that is not public',
      () => Promise.reject(new Error('forbidden_address')),
      'address_not_public',
    ],
    ['a time limit', () => Promise.reject(new Error('timeout')), 'timeout'],
    ['404', () => served('', {}, 404), 'not_found'],
    ['a redirect', () => served('', { location: 'https://evil.example/' }, 302), 'redirected'],
    ['500', () => served('', {}, 500), 'http_error'],
    ['HTML', () => served('<html>', { 'content-type': 'text/html' }), 'not_json'],
    ['broken JSON', () => served('{'), 'not_json'],
    ['a repeated member', () => served('{"keys":[],"keys":[]}'), 'not_json'],
    ['more than 64 KiB', () => served(`{"keys":[],"pad":"${'x'.repeat(65_536)}"}`), 'too_large'],
    ['no key set', () => served([]), 'invalid_keys'],
    ['a private key', () => served({ keys: [{ ...first.public_jwk, d: 'AA' }] }), 'invalid_keys'],
    ['a shared secret', () => served({ keys: [first.public_jwk, { kty: 'oct', k: 'AA' }] }), 'invalid_keys'],
    ['eleven keys', () => served({ keys: Array(11).fill(first.public_jwk) }), 'invalid_keys'],
  ])('%s: 401, with the reason in the event', async (_, serve, reason) => {
    const { w, host } = await start()
    host.serve = serve
    expect([await send(w, first), reasonOf(w)]).toEqual([401, `assertion_keys_${reason}`])
  })

  it('a provider that reads no documents refuses', async () => {
    const { w } = await start()
    const without = await start({}, { fetch_document: undefined as never })
    expect([await send(w, first), await send(without.w, first)]).toEqual([200, 401])
    expect(reasonOf(without.w)).toBe('assertion_keys_unreachable')
  })

  it('their failure is the answer until the host is asked again', async () => {
    const { w, host } = await start()
    host.serve = down
    for (let i = 0; i < 5; i += 1)
      expect([await send(w, first), reasonOf(w)]).toEqual([401, 'assertion_keys_unreachable'])
    expect(host.requests.length).toBe(1)
    w.clock.now += 30
    host.serve = () => served(keySet(first))
    expect(await send(w, first)).toBe(200)
  })

  it('the requests that one address causes are limited: 429', async () => {
    const { w, host } = await start()
    const statuses = []
    for (let i = 0; i < 13; i += 1) {
      const client_id = `service-${i}`
      const jwks_uri = `https://keys-${i}.example.com/jwks.json`
      await w.storage(w.realm).clients.create(await serviceAt(client_id, { jwks_uri }))
      statuses.push(await send(w, first, { client_id }))
    }
    expect(statuses).toEqual([...Array(12).fill(200), 429])
    expect(host.requests.length).toBe(12)
  })

  it.each([
    ['an operator', { origin: 'operator' as const, expires_at: null }],
    ['a user', { origin: 'registered' as const, expires_at: null }],
  ])(
    'strangers with clients of their own cannot use up the budget of a client in use by %s',
    async (_, kept) => {
      const { w, host } = await start()
      const { clients } = w.storage(w.realm)
      for (let i = 0; i <= 30; i += 1) {
        const strangers = {
          origin: 'registered' as const,
          expires_at: 1_900_000_000,
          jwks_uri: `${JWKS_URI}?${i}`,
        }
        await clients.create(await serviceAt(`stranger-${i}`, strangers))
      }
      await clients.create(await serviceAt('kept', kept))
      host.serve = down
      const statuses = []
      for (let i = 0; i <= 30; i += 1)
        statuses.push(await send(w, first, { client_id: `stranger-${i}`, address: `192.0.2.${i}` }))
      expect(statuses).toEqual([...Array(30).fill(401), 429])
      host.serve = () => served(keySet(first))
      expect(await send(w, first, { client_id: 'kept', address: '192.0.2.99' })).toBe(200)
    },
  )
})

it.each(['http://keys.example.com/', 'https://10.0.0.1/', 'https://localhost:8443/'])(
  'an address that is not allowed is not read, even if it is stored: %s',
  async (jwks_uri) => {
    const { w, host } = await start({ jwks_uri })
    expect([await send(w, first), reasonOf(w), host.requests]).toEqual([
      401,
      'assertion_keys_invalid_url',
      [],
    ])
  },
)

it('an address of this computer is read with an issuer on this computer, by https alone', async () => {
  const options = { oidc: { ...oidc, issuer: 'http://localhost:3000' } }
  const secure = await start({ jwks_uri: 'https://localhost:8443/' }, options)
  expect([await send(secure.w, first), secure.host.requests.length]).toEqual([200, 1])
  const plain = await start({ jwks_uri: 'http://localhost:8080/' }, options)
  expect([await send(plain.w, first), plain.host.requests]).toEqual([401, []])
})
