/**
 * Every limit of requests that the storage counts, with its key: a stranger at the limit of a row leaves others what is theirs, and
 * at least 90% of a limit that all share. A call that counts without a row fails.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { authorizeLong, pushFrom, register, tokenFrom } from './counted-requests.js'
import { ON } from './par.js'
import { CLIENT_SECRET, client, type World, world } from './support.js'

const CLIENTS = [
  await client({ client_id: 'app' }),
  await client({ client_id: 'registered', origin: 'registered' }),
  await client({ client_id: 'secret', client_secret: CLIENT_SECRET }),
  await client({ client_id: 'other-secret', client_secret: CLIENT_SECRET }),
]

/** The addresses of a stranger: one address, and a /48 that has many. */
const STRANGERS = {
  address: () => '192.0.2.1',
  site: (index: number) => `2001:db8:1:${index.toString(16)}::1`,
}
type Stranger = keyof typeof STRANGERS
const OTHER = '198.51.100.1'
const OTHER_SITE = '2001:db8:2::1'

/** One request. False when a limit refuses it. */
type Ask = (index: number) => Promise<boolean>

interface Asked {
  stranger: Ask
  others: Record<string, Ask>
}

interface Row {
  /** The calls that count, as `<file below src> <function>`. */
  calls: string[]
  key: string
  /** How many requests of a stranger pass. */
  passes: Partial<Record<Stranger, number>>
  /** The limit of the realm, where all addresses share one. */
  shared?: number
  ask(w: World, address: (index: number) => string): Promise<Asked>
}

const FEW = { register: 3, authorize: 3, client_secret: 3 }
const UNLIMITED = { register: 1_000_000, authorize: 1_000_000, client_secret: 1_000_000 }

const isPassed = async (asked: Promise<Response>): Promise<boolean> => {
  const { status, headers } = await asked
  return status < 429 && !headers.get('location')?.includes('error=temporarily_unavailable')
}

/** The same request of the stranger and from other addresses. */
const fromAddresses =
  (send: (w: World, address: string) => Promise<Response>): Row['ask'] =>
  async (w, address) => ({
    stranger: (index) => isPassed(send(w, address(index))),
    others: {
      'another address': () => isPassed(send(w, OTHER)),
      'another /48': () => isPassed(send(w, OTHER_SITE)),
    },
  })

const push = (client_id: string) => (w: World, address: string) => pushFrom(w, address, { client_id })
const pushWithSecret = (w: World, client_id: string) =>
  pushFrom(w, OTHER, { client_id, client_secret: CLIENT_SECRET })
const long = (client_id: string) => (w: World, address: string) => authorizeLong(w, address, client_id)

const cancel = async (w: World, address: string) => {
  await w.browser().authorize()
  const { return_to = '' } = w.logins.at(-1) ?? {}
  return w.provider.cancel(new Request(`${w.issuer}/login`, { method: 'POST' }), { return_to }, { address })
}

const wrongSecret = (w: World, address: string, client_id: string) =>
  tokenFrom(w, address, { grant_type: 'authorization_code', client_id, client_secret: 'wrong', code: 'x' })

/** Of two kinds of client: a stranger has reached the limit of the first. */
const fromKinds =
  (
    send: (client_id: string) => (w: World, address: string) => Promise<Response>,
    [kind, other]: [string, string],
  ): Row['ask'] =>
  async (w, address) => {
    const { stranger, others } = await fromAddresses(send(kind))(w, address)
    const ofOther = () => isPassed(send(other)(w, address(0)))
    return { stranger, others: { ...others, [`the same address, for the kind of ${other}`]: ofOther } }
  }

const fromSessions =
  (send: (browser: ReturnType<World['browser']>, w: World) => Promise<Response>): Row['ask'] =>
  async (w) => {
    const [stranger, other] = [w.browser(), w.browser()]
    await stranger.authorize()
    await stranger.signIn()
    await other.authorize()
    await other.signIn()
    // The consent after a sign-in is a question too.
    w.clock.now += 60
    return {
      stranger: () => isPassed(send(stranger, w)),
      others: { 'another session of the user': () => isPassed(send(other, w)) },
    }
  }

const RATES: Row[] = [
  {
    calls: ['features/registration/endpoint.ts throttle'],
    key: 'address and /48: registrations in a minute',
    passes: { address: 3, site: 12 },
    ask: fromAddresses(register),
  },
  {
    calls: ['features/par/pushed-request.ts throttle'],
    key: 'address and /48: pushed requests in a minute',
    passes: { address: 3, site: 12 },
    ask: fromAddresses(push('app')),
  },
  {
    calls: ['authorize/pending-request.ts throttle'],
    key: 'address and /48: requests that are too long for a URL, in a minute',
    passes: { address: 3, site: 12 },
    ask: fromAddresses(long('app')),
  },
  {
    calls: ['authorize/cancel-request.ts throttle'],
    key: 'address and /48: ways back from a sign-in, in a minute',
    passes: { address: 3, site: 12 },
    ask: fromAddresses(cancel),
  },
  {
    calls: ['clients/wrong-secrets.ts hit'],
    key: 'client, and address and /48: wrong secrets in a quarter of an hour',
    passes: { address: 3, site: 12 },
    ask: async (w, address) => {
      const send = (from: string, client_id: string) => isPassed(wrongSecret(w, from, client_id))
      return {
        stranger: (index) => send(address(index), 'secret'),
        others: {
          'another address': () => send(OTHER, 'secret'),
          'another /48': () => send(OTHER_SITE, 'secret'),
          'the same address, for another client': () => send(address(0), 'other-secret'),
          'the same address, for an unknown client': () => send(address(0), 'unknown'),
        },
      }
    },
  },
  {
    calls: ['authorize/ask-consent.ts throttleSession'],
    key: 'session: questions for consent in a minute',
    passes: { address: 60 },
    ask: fromSessions((browser) => browser.authorize({ prompt: 'consent' })),
  },
  {
    calls: ['features/logout/confirmation.ts throttleSession'],
    key: 'session: questions whether to sign out, in a minute',
    passes: { address: 60 },
    ask: fromSessions((browser, w) => browser.get(`${w.issuer}/oauth/logout`)),
  },
]

/**
 * Per user: approved clients with a document (document-approvals.test.ts). Each request needs another client. Devices that ask, that
 * poll, and their codes that are entered: several limits for each request (device-limits.test.ts, device-polls.test.ts).
 */
const TESTED_ELSEWHERE = [
  'features/client-documents/approvals.ts hit',
  'features/device/confirmation.ts throttleSession',
  'features/device/limits.ts countUnderCeiling',
  'features/device/limits.ts hit',
  'features/device/limits.ts hit',
  'features/device/limits.ts hit',
]

/** Far more than there are connections to a database. */
const HITS_AT_ONCE = 1000

const CEILINGS: Row[] = [
  {
    calls: ['features/registration/register-client.ts countUnderCeiling'],
    key: 'realm: registrations in a day',
    passes: { address: 5, site: 5 },
    shared: 100,
    ask: fromAddresses(register),
  },
  {
    calls: ['features/par/pushed-request.ts countStored'],
    key: 'realm, kind of client: pushed requests in ten minutes, for the operator’s clients',
    passes: { address: 500, site: 500 },
    shared: 10_000,
    ask: fromKinds(push, ['app', 'registered']),
  },
  {
    calls: ['features/par/pushed-request.ts countStored'],
    key: 'realm, kind of client: pushed requests in ten minutes, for other clients',
    passes: { address: 500, site: 500 },
    shared: 10_000,
    ask: fromKinds(push, ['registered', 'app']),
  },
  {
    calls: ['authorize/pending-request.ts countStored'],
    key: 'realm, kind of client: long requests in ten minutes, for the operator’s clients',
    passes: { address: 200, site: 200 },
    shared: 4000,
    ask: fromKinds(long, ['app', 'registered']),
  },
  {
    calls: ['authorize/pending-request.ts countStored'],
    key: 'realm, kind of client: long requests in ten minutes, for other clients',
    passes: { address: 200, site: 200 },
    shared: 4000,
    ask: fromKinds(long, ['registered', 'app']),
  },
  {
    calls: ['features/par/pushed-request.ts countStored'],
    key: 'authenticated client: pushed requests in ten minutes',
    passes: { address: 1 },
    async ask(w) {
      const { throttle } = w.storage('default')
      const hit = () => throttle.hit('par-client:secret', 600, w.clock.now)
      // Many at a time: one after the other, each waits for a round trip to the database.
      for (let n = 0; n < 59_999; n += HITS_AT_ONCE)
        await Promise.all(Array.from({ length: Math.min(HITS_AT_ONCE, 59_999 - n) }, hit))
      return {
        stranger: () => isPassed(pushWithSecret(w, 'secret')),
        others: {
          'another client with a secret': () => isPassed(pushWithSecret(w, 'other-secret')),
          'a public client': () => isPassed(push('app')(w, OTHER)),
        },
      }
    },
  },
]

/** Each row with each of its strangers. */
const casesOf = (rows: Row[], throttle: typeof FEW) =>
  rows.flatMap((row) =>
    Object.entries(row.passes).map(([stranger, passes]) => ({
      ...row,
      passes,
      address: STRANGERS[stranger as Stranger],
      throttle: { ...throttle, registrations_per_day: row.shared ?? 1_000_000 },
      name: `${row.key}; the stranger is one ${stranger}`,
    })),
  )

describe.each([...casesOf(RATES, FEW), ...casesOf(CEILINGS, UNLIMITED)])(
  '$name',
  ({ ask, passes, shared, address, throttle }) => {
    it(`passes ${passes} requests of the stranger, and then those of others`, async () => {
      const registration = { enabled: true }
      const w = await world({ clients: CLIENTS, oidc: { ...ON, clients: { registration }, throttle } })
      const { stranger, others } = await ask(w, address)
      let passed = 0
      for (let index = 0; index < passes + 20; index += 1) if (await stranger(index)) passed += 1
      expect(passed).toBe(passes)
      if (shared !== undefined) expect(passed).toBeLessThanOrEqual(shared / 10)
      for (const [who, other] of Object.entries(others)) expect([who, await other(0)]).toEqual([who, true])
    })
  },
)

/** What the calls of the rows are made of, and the second call of a file. */
const COUNTED_BELOW = [
  'features/par/pushed-request.ts countStored',
  'request/ceiling.ts hit',
  'request/ceiling.ts hitBoth',
  'request/throttle.ts count',
  'request/throttle.ts count',
  'request/throttle.ts hit',
  'authorize/pending-request.ts countUnderCeiling',
]

it('has a row for each call that counts requests', () => {
  const folder = new URL('../src/', import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const calls = files
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .flatMap((name) => {
      const text = readFileSync(new URL(name, folder), 'utf8')
      const found = text.matchAll(
        /(?<!function )\b(throttle|throttleSession|countUnderCeiling|countStored|(?<=await )count|(?<=\bthrottle\.)(?:hit|hitBoth))\(/g,
      )
      return [...found].map(([, call]) => `${name.replaceAll('\\', '/')} ${call}`)
    })
  const rows = [...RATES, ...CEILINGS].flatMap((row) => row.calls)
  // A call has several rows when it counts several kinds of client.
  expect(calls.sort()).toEqual([...new Set(rows), ...TESTED_ELSEWHERE, ...COUNTED_BELOW].sort())
})
