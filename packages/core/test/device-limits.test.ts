/** Limits of the device authorization grant (RFC 8628 §5.1, §5.2): each at its number and one above, and whose it is. */

import type { Browser } from '@ostiary/test-kit/browser'
import { publishedDocuments } from '@ostiary/test-kit/published-documents'
import { describe, expect, it } from 'vitest'
import {
  ask,
  askFrom,
  browserAt,
  confirmation,
  DEVICE_CODE,
  type DeviceWorld,
  decide,
  deviceClient,
  deviceWorld,
  enter,
  polled,
  reasons,
  watchedStorage,
} from './device.js'

const OF_ADDRESS = 20
const OF_REALM = 10_000
const GUESSES_OF_USER = 10
const GUESSES_OF_ADDRESS = 30
const GUESSES_OF_REALM = 1000
/** 5% of the realm's, for an IPv4 address or a /48. */
const SHARE = 50
const WINDOW = 600

/** How many of these are answered before the first 429. */
async function passed(most: number, send: (index: number) => Promise<{ status: number }>): Promise<number> {
  for (let index = 0; index < most; index += 1) if ((await send(index)).status === 429) return index
  return most
}

const CLIENTS = [
  await deviceClient(),
  await deviceClient({ client_id: 'radio' }),
  await deviceClient({ client_id: 'lamp' }),
]

describe('devices that wait', () => {
  const request = (w: DeviceWorld, address: string, client_id = 'tv') =>
    askFrom(w, { address, form: { client_id } })

  it(`of one client at one address are ${OF_ADDRESS} in ten minutes; the next one is told when to come again`, async () => {
    const w = await deviceWorld({ clients: CLIENTS })
    for (const [client_id, address] of [
      ['tv', '192.0.2.1'],
      ['tv', '192.0.2.2'],
      ['radio', '192.0.2.1'],
      ['radio', '2001:db8::1'],
    ] as const)
      expect(await passed(30, () => request(w, address, client_id))).toBe(OF_ADDRESS)
    const { status, headers, body } = await request(w, '192.0.2.1')
    expect([status, body.error, headers.get('retry-after')]).toEqual([
      429,
      'temporarily_unavailable',
      String(WINDOW - (w.clock.now % WINDOW)),
    ])
    expect(reasons(w).at(-1)).toBe('too_many_device_requests')
    w.clock.now += WINDOW
    expect((await request(w, '192.0.2.1')).status).toBe(200)
  })

  it('of a /48 are four times as many, and of each /64 in it 20', async () => {
    const w = await deviceWorld()
    expect(await passed(30, () => request(w, '2001:db8:1:1::1'))).toBe(OF_ADDRESS)
    expect(await passed(100, (n) => request(w, `2001:db8:1:${(n + 2).toString(16)}::1`))).toBe(60)
    expect((await request(w, '2001:db8:2::1')).status).toBe(200)
  })

  it('have no record when they are refused', async () => {
    let stored = 0
    const count = () => {
      stored += 1
    }
    const w = await deviceWorld({ storage: watchedStorage({ put: count }) })
    await passed(30, () => request(w, '192.0.2.1'))
    stored = 0
    expect((await request(w, '192.0.2.1')).status).toBe(429)
    expect(stored).toBe(0)
    expect((await request(w, '192.0.2.2')).status).toBe(200)
    expect(stored).toBe(2)
  })

  it(`of a realm are ${OF_REALM}, of which one address has 5%`, async () => {
    const clients = await Promise.all(
      Array.from({ length: 30 }, (_, n) => deviceClient({ client_id: `client-${n}` })),
    )
    const w = await deviceWorld({ clients })
    const own = await passed(600, (n) => request(w, '192.0.2.1', `client-${n % 30}`))
    expect(own).toBe(500)
    expect(reasons(w).at(-1)).toBe('share_of_limit')
    expect((await request(w, '192.0.2.2', 'client-0')).status).toBe(200)
    const { throttle } = w.storage('default')
    while ((await throttle.hit('device', WINDOW, w.clock.now)) < OF_REALM - 1);
    expect((await request(w, '192.0.2.3', 'client-0')).status).toBe(200)
    const refused = await request(w, '192.0.2.4', 'client-0')
    expect([refused.status, refused.body.error]).toEqual([429, 'temporarily_unavailable'])
    expect(reasons(w).at(-1)).toBe('realm_limit')
  })

  it('of clients with documents are counted apart from the operator’s', async () => {
    const client_id = 'https://tool.example.com/client.json'
    const documents = publishedDocuments()
    documents.put({
      client_id,
      redirect_uris: ['https://tool.example.com/callback'],
      grant_types: ['authorization_code', DEVICE_CODE],
    })
    const { fetch_document } = documents
    const clients = { metadata_documents: { enabled: true }, device_authorization: 'documents' as const }
    const w = await deviceWorld({ fetch_document, oidc: { clients } })
    expect((await request(w, '192.0.2.1', client_id)).status).toBe(200)
    const { throttle } = w.storage('default')
    while ((await throttle.hit('device-others', WINDOW, w.clock.now)) < OF_REALM);
    expect((await request(w, '192.0.2.1', client_id)).status).toBe(429)
    expect((await request(w, '192.0.2.1')).status).toBe(200)
  })
})

describe('codes that are entered', () => {
  /** A wrong code, of another user each time. */
  async function guesses(w: DeviceWorld, users: number) {
    const subs = Array.from({ length: users }, (_, n) => `user-${n}`)
    for (const sub of subs) w.accounts.set(sub, { sub, claims: {} })
    const at = new Map<string, Browser>()
    return async (address: string, n: number) => {
      const sub = subs[n % users] ?? ''
      const browser = at.get(`${address} ${sub}`) ?? (await browserAt(w, address, sub))
      at.set(`${address} ${sub}`, browser)
      return enter(w, browser, 'BBBB-BBBB')
    }
  }

  it(`of one user are ${GUESSES_OF_USER} in ten minutes, from whatever browser and address`, async () => {
    const w = await deviceWorld()
    const at = (n: number) => browserAt(w, `192.0.2.${n}`)
    const wrong = await passed(20, async (n) => enter(w, await at(n), 'BBBB-BBBB'))
    expect(wrong).toBe(GUESSES_OF_USER)
    const { body } = await ask(w)
    const refused = await enter(w, await at(50), body.user_code)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([
      429,
      String(WINDOW - (w.clock.now % WINDOW)),
    ])
    expect(reasons(w).at(-1)).toBe('too_many_user_codes')
    const bob = await browserAt(w, '192.0.2.1', 'bob')
    expect((await enter(w, bob, body.user_code)).status).toBe(200)
    w.clock.now += WINDOW
    expect((await enter(w, await at(50), 'BBBB-BBBB')).status).toBe(400)
  })

  it('that are right do not count', async () => {
    const w = await deviceWorld()
    const browser = await browserAt(w)
    for (let n = 0; n < GUESSES_OF_USER; n += 1) {
      const { body } = await ask(w)
      expect((await enter(w, browser, body.user_code)).status).toBe(200)
    }
    expect(await passed(20, () => enter(w, browser, 'BBBB-BBBB'))).toBe(GUESSES_OF_USER)
  })

  it(`of one address are ${GUESSES_OF_ADDRESS}, and of a /64 too`, async () => {
    const w = await deviceWorld()
    const guess = await guesses(w, 30)
    for (const address of ['192.0.2.1', '192.0.2.2', '2001:db8:1::1'])
      expect(await passed(40, (n) => guess(address, n))).toBe(GUESSES_OF_ADDRESS)
    expect((await guess('2001:db8:1::2', 29)).status).toBe(429)
    expect((await guess('192.0.2.3', 29)).status).toBe(400)
  })

  it(`of a /48 are ${SHARE}, 5% of the realm’s`, async () => {
    const w = await deviceWorld()
    const guess = await guesses(w, 50)
    expect(await passed(80, (n) => guess(`2001:db8:1:${(n % 40).toString(16)}::1`, n))).toBe(SHARE)
    expect((await guess('2001:db8:2::1', 0)).status).toBe(400)
  })

  it(`of a realm are ${GUESSES_OF_REALM}, from 1,000 addresses: then nobody is told whether a code is right`, async () => {
    const w = await deviceWorld()
    const { throttle } = w.storage('default')
    const guess = await guesses(w, 2)
    while ((await throttle.hit('device-guesses', WINDOW, w.clock.now)) < GUESSES_OF_REALM - 1);
    expect((await guess('192.0.2.1', 0)).status).toBe(400)
    const { body } = await ask(w)
    const browser = await browserAt(w)
    expect((await enter(w, browser, body.user_code)).status).toBe(429)
    w.clock.now += WINDOW
    const later = (await ask(w)).body
    await enter(w, browser, later.user_code)
    expect(confirmation(w).user_code).toBe(later.user_code)
  })

  it('a stranger at 1,000 addresses of 20 networks leaves the user’s device alone', async () => {
    const w = await deviceWorld()
    const { body } = await ask(w)
    const guess = await guesses(w, 300)
    const statuses = new Map<number, number>()
    for (let n = 0; n < 1000; n += 1) {
      const { status } = await guess(`2001:db8:${(n % 20).toString(16)}:${n.toString(16)}::1`, n)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    expect([...statuses.keys()].sort()).toEqual([400, 429])
    expect(statuses.get(400)).toBeLessThanOrEqual(GUESSES_OF_REALM - SHARE)
    await decide(w, await browserAt(w), body)
    expect((await polled(w, body.device_code))[0]).toBe(200)
  })
})

it('a session asks at most 60 times a minute', async () => {
  const w = await deviceWorld()
  const { body } = await ask(w)
  const [browser, other] = [await browserAt(w), await browserAt(w)]
  expect(await passed(70, () => enter(w, browser, body.user_code))).toBe(60)
  expect((await enter(w, other, body.user_code)).status).toBe(200)
})
