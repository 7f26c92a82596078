/**
 * Every quota, place and cache of the documents that clients publish, with its key: a stranger at the limit of a row leaves others
 * what is theirs. A constant of src/documents without a row fails.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { documentCache } from '../src/documents/document-cache.ts'
import { type FetchCause, fetchBudgets } from '../src/documents/fetch-budgets.ts'
import { keySets } from '../src/features/client-keys/key-sets.ts'
import type { FetchDocument, FetchedDocument } from '../src/index.ts'

const START = 1_800_000_000

const served = (json: unknown, status = 200): FetchedDocument => ({
  status,
  headers: new Headers({ 'content-type': 'application/json' }),
  body: new TextEncoder().encode(JSON.stringify(json)),
})

const STRANGER = { realm: 'default', address: '192.0.2.1', used_by: 'none' } as const
const cause = (changes: Partial<FetchCause> & { host?: string }): FetchCause => {
  const { host = 'shared.example', ...rest } = changes
  return { ...STRANGER, url: `https://${host}/x`, ...rest }
}

const takes = (take: () => () => void): (() => void) | null => {
  try {
    return take()
  } catch {
    return null
  }
}

/** A budget: what the stranger does until it is refused, and who is not refused then. */
interface BudgetRow {
  limits: string[]
  key: string
  /** True: the stranger's requests do not end. */
  held?: boolean
  stranger(index: number): FetchCause
  others: Record<string, FetchCause>
}

const own = (index: number) => ({ host: `${index}.example`, address: `198.51.100.${index % 250}` })
const users = cause({ used_by: 'users', address: '203.0.113.1' })
const operator = cause({ used_by: 'operator', address: '203.0.113.1' })

const BUDGETS: BudgetRow[] = [
  {
    limits: ['MAX_PER_ADDRESS'],
    key: 'address, kind of client',
    stranger: (index) => cause({ host: `${index}.example` }),
    others: {
      'another address': cause({ address: '203.0.113.1' }),
      'the same address, for a client of users': cause({ used_by: 'users' }),
      'the same address, for a client of the operator': cause({ used_by: 'operator' }),
    },
  },
  {
    limits: ['MAX_PER_ADDRESS'],
    key: 'IPv6 /48, kind of client: a quarter of those of a realm',
    stranger: (index) => cause({ host: `${index}.example`, address: `2001:db8:1:${index.toString(16)}::1` }),
    others: {
      'another /48': cause({ address: '2001:db8:2::1' }),
      'the same /48, for a client of users': cause({ used_by: 'users', address: '2001:db8:1::1' }),
      'the same /48, for a client of the operator': cause({ used_by: 'operator', address: '2001:db8:1::1' }),
    },
  },
  {
    limits: ['MAX_PER_HOST'],
    key: 'host, kind of client; realm where the client is in use',
    stranger: (index) => cause({ address: own(index).address }),
    others: { 'a client of users': users, 'one of the operator': operator, 'another host': cause(own(999)) },
  },
  {
    limits: ['MAX_PER_REALM', 'WINDOW_SECONDS'],
    key: 'realm, kind of client',
    stranger: (index) => cause(own(index)),
    others: {
      'a client of users': users,
      'one of the operator': operator,
      'another realm': cause({ ...own(999), address: '203.0.113.1', realm: 'other' }),
    },
  },
  {
    limits: ['MAX_PER_HOST', 'MAX_PER_REALM'],
    key: 'clients of users of another realm',
    stranger: (index) => cause({ used_by: 'users', address: own(index).address }),
    others: {
      'one of this realm at another host': cause({ ...own(999), used_by: 'users' }),
      'one of another realm at the same host': { ...users, realm: 'other' },
      'one of the operator': operator,
    },
  },
  {
    limits: ['MAX_COUNTERS'],
    key: 'kind of client',
    stranger: (index) =>
      cause({
        ...own(index),
        realm: `realm-${index >> 5}`,
        address: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
      }),
    others: { 'a client of users': users, 'one of the operator': operator },
  },
  {
    limits: ['MAX_UNDER_WAY', 'RESERVED', 'PLACE_RETRY_AFTER'],
    key: 'places; four are for clients in use',
    held: true,
    stranger: (index) => cause(own(index)),
    others: { 'a client of users': users, 'one of the operator': operator },
  },
  {
    limits: ['MAX_UNDER_WAY', 'RESERVED_FOR_OPERATOR'],
    key: 'places of clients of users; two are for those of the operator',
    held: true,
    stranger: (index) => cause({ ...own(index), used_by: 'users' }),
    others: { 'one of the operator': operator },
  },
  {
    limits: ['MAX_UNDER_WAY_PER_ADDRESS'],
    key: 'places of an address, for clients that no operator made',
    held: true,
    stranger: (index) => cause({ host: `${index}.example`, used_by: index % 2 === 0 ? 'users' : 'none' }),
    others: {
      'another address': cause({ address: '203.0.113.1' }),
      'a client of users': users,
      'the same address, for a client of the operator': cause({ used_by: 'operator' }),
    },
  },
  {
    limits: ['MAX_UNDER_WAY_PER_ADDRESS'],
    key: 'places of an IPv6 /48',
    held: true,
    stranger: (index) =>
      cause({ host: `${index}.example`, address: `2001:db8:1:${(index % 65_536).toString(16)}::1` }),
    others: { 'another /48': cause({ address: '2001:db8:2::1' }), 'a client of users': users },
  },
  {
    limits: ['MAX_UNDER_WAY_PER_HOST', 'RESERVED_PER_HOST'],
    key: 'places at a host; one is for clients in use',
    held: true,
    stranger: (index) => cause({ address: own(index).address }),
    others: { 'a client of users': users, 'one of the operator': operator, 'another host': cause(own(999)) },
  },
]

describe.each(BUDGETS)('$limits, by $key', ({ held, stranger, others }) => {
  it.each(Object.entries(others))('a stranger does not use up that of %s', (_, other) => {
    const budgets = fetchBudgets(() => START)
    let refused = 0
    for (let index = 0; index < 20_000 && refused < 100; index += 1) {
      const release = takes(() => budgets.take(stranger(index)))
      if (release === null) refused += 1
      else if (!held) release()
    }
    expect(refused).toBe(100)
    expect(takes(() => budgets.take(other))).not.toBeNull()
  })
})

it('nine /48 at their limit leave a tenth of the budget of a realm', () => {
  const budgets = fetchBudgets(() => START)
  const passed = (site: number, count: number) => {
    let number = 0
    for (let index = 0; index < count; index += 1) {
      const address = `2001:db8:${site}:${index.toString(16)}::1`
      const release = takes(() => budgets.take(cause({ host: `${site}-${index}.example`, address })))
      release?.()
      if (release !== null) number += 1
    }
    return number
  }
  const sites = Array.from({ length: 9 }, (_, site) => passed(site, 13))
  expect(sites).toEqual(Array(9).fill(12))
  expect(passed(9, 13)).toBe(12)
  expect(passed(10, 1)).toBe(0)
})

it('an address has four requests under way, and a fifth when one has ended; those for clients of the operator do not count', () => {
  const budgets = fetchBudgets(() => START)
  const take = (index: number, used_by: FetchCause['used_by']) =>
    takes(() => budgets.take(cause({ host: `${index}.example`, used_by })))
  const places = (['none', 'users', 'none', 'users'] as const).map((used_by, index) => take(index, used_by))
  expect(places).not.toContain(null)
  expect([take(5, 'users'), take(6, 'none')]).toEqual([null, null])
  for (let index = 10; index < 16; index += 1) expect(take(index, 'operator')).not.toBeNull()
  expect(take(5, 'users')).toBeNull()
  places[0]?.()
  expect(take(5, 'users')).not.toBeNull()
})

it('clients of users have fourteen requests under way, and the operator’s two more', () => {
  const budgets = fetchBudgets(() => START)
  const taken = (used_by: FetchCause['used_by'], from: number) => {
    const tried = Array.from({ length: 20 }, (_, index) =>
      takes(() => budgets.take(cause({ ...own(from + index), used_by }))),
    )
    return tried.filter((release) => release !== null).length
  }
  expect([taken('users', 0), taken('operator', 100)]).toEqual([14, 2])
})

const VICTIM = 'https://victim.example/x'

function cacheOf(fetch_document: FetchDocument, max_entries = 3) {
  const clock = { now: START }
  const now = () => clock.now
  const budgets = fetchBudgets(now)
  const options = { realm: 'default', fetch_document, budgets, now, max_bytes: 100, max_entries }
  return { clock, cache: documentCache<unknown>({ ...options, parse: (json) => json }) }
}

const need = (index: number) => ({ address: `10.0.${index >> 8}.${index & 255}`, used_by: 'none' as const })

/** A cache: what the stranger does, and what is left to the victim. */
const CACHES: Record<string, { limits: string[]; left(): Promise<unknown>; expected: unknown }> = {
  'documents in memory, by URL: one that is dropped is read again with the budget of its own client': {
    limits: ['MAX_DOCUMENTS', 'MAX_KEY_SETS', 'MAX_BYTES', 'MAX_KEY_SET_BYTES', 'TOTAL_TIMEOUT'],
    async left() {
      const { cache } = cacheOf(async () => served({}))
      await cache.read(VICTIM, need(0))
      for (let index = 0; index < 200; index += 1)
        await cache.read(`https://${index}.example/x`, need(index)).catch(() => {})
      return (await cache.read(VICTIM, { ...need(0), used_by: 'users' })).url
    },
    expected: VICTIM,
  },
  'failures, by URL: those of a stranger neither delay another URL nor end its wait': {
    limits: ['MAX_FAILURES', 'FIRST_RETRY_SECONDS', 'MAX_RETRY_SECONDS', 'MAX_STALE_OVER_BUDGET'],
    async left() {
      let requests = 0
      const { cache, clock } = cacheOf(async (url) => {
        if (url === VICTIM) requests += 1
        return served({}, 500)
      })
      for (const wait of [30, 60, 120]) {
        await cache.read(VICTIM, { ...need(0), used_by: 'users' }).catch(() => {})
        clock.now += wait
      }
      await cache.read(VICTIM, { ...need(0), used_by: 'users' }).catch(() => {})
      // As many failures as all budgets admit in the 240 seconds of its wait.
      for (let second = 0; second < 239; second += 1, clock.now += 1)
        for (const used_by of ['none', 'users', 'operator'] as const)
          for (let index = 0; index < 3; index += 1)
            await cache
              .read(`https://${used_by}-${second}-${index}.example/x`, { ...need(second), used_by })
              .catch(() => {})
      await cache.read(VICTIM, { ...need(0), used_by: 'users' }).catch(() => {})
      return requests
    },
    expected: 4,
  },
  'the request for an unknown kid, by client and address': {
    limits: ['REFETCH_SECONDS', 'MAX_STALE_SECONDS'],
    async left() {
      let requests = 0
      const budgets = fetchBudgets(() => START)
      const fetch_document: FetchDocument = async () => {
        requests += 1
        return served({ keys: [] })
      }
      const sets = keySets({ realm: 'default', fetch_document, budgets, now: () => START })
      const read = (client_id: string) =>
        sets.read({ client_id, jwks_uri: VICTIM, kid: 'x', address: null, usedBy: async () => 'none' })
      for (let index = 0; index < 5; index += 1) await read('stranger')
      const before = requests
      await read('victim')
      return [before, requests]
    },
    expected: [2, 3],
  },
}

it.each(Object.entries(CACHES))('%s', async (_, { left, expected }) => {
  expect(await left()).toEqual(expected)
})

/** Limits of what one response or one document may hold: no two clients share them. */
const OF_ONE_DOCUMENT = [
  'ABANDONED_AFTER',
  'DEFAULT_FRESHNESS',
  'MAX_FRESHNESS_SECONDS',
  'MAX_VALIDATOR_LENGTH',
  'MIN_FRESHNESS',
  'STORED_DOCUMENT_SECONDS',
]

it('has a row for each limit of src/documents and of the two caches of documents', () => {
  const source = new URL('../src/', import.meta.url)
  const shared = readdirSync(new URL('documents/', source)).map((name) => `documents/${name}`)
  const caches = ['features/client-documents/documents.ts', 'features/client-keys/key-sets.ts']
  const constants = [...shared, ...caches].flatMap((path) => {
    const text = readFileSync(new URL(path, source), 'utf8')
    return [...text.matchAll(/^(?:export )?const ([A-Z][A-Z_]+) = [\d_ *]+/gm)].map(([, found = '']) => found)
  })
  const rows = [...BUDGETS, ...Object.values(CACHES)].flatMap(({ limits }) => limits)
  expect([...new Set([...rows, ...OF_ONE_DOCUMENT])].sort()).toEqual([...new Set(constants)].sort())
})
