/** The documents that clients publish: how long they are kept, what is refused, and how many requests there may be. */

import { describe, expect, it } from 'vitest'
import { type CachedDocument, type DocumentNeed, documentCache } from '../src/documents/document-cache.ts'
import { fetchBudgets, type UsedBy } from '../src/documents/fetch-budgets.ts'
import { freshness } from '../src/documents/freshness.ts'
import type { DocumentRequest, FetchDocument, FetchedDocument } from '../src/index.ts'
import { DocumentError } from '../src/refusals/document-error.ts'

const URL_A = 'https://client.example.com/a.json'
const START = 1_800_000_000
const NEED: DocumentNeed = { address: '192.0.2.1', used_by: 'none' }

interface Answer {
  status?: number
  headers?: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer>
}

function answer({ status = 200, headers = {}, body = '{}' }: Answer = {}): FetchedDocument {
  const all = new Headers({ 'content-type': 'application/json', ...headers })
  return { status, headers: all, body: typeof body === 'string' ? new TextEncoder().encode(body) : body }
}

function setUp(serve: FetchDocument, max_entries = 1000) {
  const clock = { now: START }
  const requests: { url: string; options: DocumentRequest }[] = []
  const budgets = fetchBudgets(() => clock.now)
  const cache = documentCache<unknown>({
    realm: 'default',
    budgets,
    now: () => clock.now,
    max_bytes: 100,
    max_entries,
    fetch_document: (url, options) => {
      requests.push({ url, options })
      return serve(url, options)
    },
    parse(json, { text }) {
      if (json === null) throw new DocumentError('invalid_metadata')
      return text
    },
  })
  const read = (url = URL_A, need: Partial<DocumentNeed> = {}) => cache.read(url, { ...NEED, ...need })
  return { cache, budgets, clock, requests, read }
}

const reasonOf = (reading: Promise<unknown>): Promise<unknown> =>
  reading.then(
    () => null,
    (error) => error.reason,
  )

describe('freshness', () => {
  const date = (seconds: number) => new Date((START + seconds) * 1000).toUTCString()

  it.each<[Record<string, string>, number]>([
    [{}, 3600],
    [{ 'cache-control': 'max-age=1000' }, 1000],
    [{ 'cache-control': 'public, MAX-AGE="1000"' }, 1000],
    [{ 'cache-control': 'max-age=1000, s-maxage=2000' }, 2000],
    [{ 'cache-control': 'max-age=1000, max-age=9000' }, 1000],
    [{ 'cache-control': 'max-age=1000', age: '600' }, 400],
    [{ 'cache-control': 'max-age=1000', age: '600, 1' }, 1000],
    [{ 'cache-control': 'max-age=1000', age: '900' }, 300],
    [{ 'cache-control': 'max-age=0' }, 300],
    [{ 'cache-control': 'max-age=-1' }, 300],
    [{ 'cache-control': 'max-age=soon' }, 300],
    [{ 'cache-control': 'max-age' }, 300],
    [{ 'cache-control': 'max-age=99999999999' }, 300],
    [{ 'cache-control': 'max-age=9999999999' }, 86_400],
    [{ 'cache-control': 'no-store, max-age=1000' }, 300],
    [{ 'cache-control': 'max-age=1000, no-cache' }, 300],
    [{ 'cache-control': 'private="set-cookie", max-age=1000' }, 300],
    [{ 'cache-control': 'x-no-storex, max-age=1000' }, 1000],
    [{ expires: date(1000) }, 1000],
    [{ expires: date(1000), date: date(-500) }, 1500],
    [{ expires: date(1000), 'cache-control': 'max-age=2000' }, 2000],
    [{ expires: date(-1) }, 300],
    [{ expires: '0' }, 300],
    [{ expires: date(999_999) }, 86_400],
  ])('%j: %i seconds', (headers, expected) => {
    expect(freshness(new Headers(headers), START)).toBe(expected)
  })
})

describe('a document', () => {
  it('is read once while it is fresh, and then asked for with its validators', async () => {
    const validators = { etag: '"1"', 'last-modified': 'Wed, 21 Oct 2015 07:28:00 GMT' }
    const answers = [answer({ body: '{"a":1}', headers: validators }), answer({ status: 304, body: '' })]
    const { read, clock, requests } = setUp(async () => answers.shift() ?? answer({ body: '{"b":2}' }))
    const first = await read()
    expect(first).toEqual({
      url: URL_A,
      value: '{"a":1}',
      etag: '"1"',
      last_modified: validators['last-modified'],
      fetched_at: START,
      fresh_until: START + 3600,
    })
    clock.now += 3599
    expect(await read()).toBe(first)
    clock.now += 1
    const confirmed = await read()
    expect(confirmed).toEqual({ ...first, fetched_at: START + 3600, fresh_until: START + 7200 })
    clock.now += 3600
    expect((await read()).value).toBe('{"b":2}')
    expect(requests.map(({ options }) => options.headers)).toEqual([
      {},
      { 'if-none-match': '"1"', 'if-modified-since': validators['last-modified'] },
      { 'if-none-match': '"1"', 'if-modified-since': validators['last-modified'] },
    ])
    expect(requests[0]?.options).toMatchObject({ max_bytes: 100, accept: 'application/json' })
  })

  it('without a validator is not confirmed by a 304 that nobody has asked for', async () => {
    const answers = [answer(), answer({ status: 304, body: '' })]
    const { cache, read, clock } = setUp(async () => answers.shift() ?? answer())
    const first = await read()
    clock.now += 3600
    expect(await reasonOf(read())).toBe('redirected')
    expect(cache.peek(URL_A)).toBe(first)
  })

  it('is asked for again when it is not enough, also within the same second, unless there is another one', async () => {
    const { read, requests } = setUp(async () => answer())
    const first = await read()
    const second = await read(URL_A, { newer_than: first })
    expect([second === first, requests.length]).toEqual([false, 2])
    expect(await read(URL_A, { newer_than: first })).toBe(second)
    expect(requests).toHaveLength(2)
  })

  it('is read by one request for all calls that wait for it', async () => {
    let serve = (_: FetchedDocument) => {}
    const held = new Promise<FetchedDocument>((resolve) => {
      serve = resolve
    })
    const { read, requests } = setUp(() => held)
    const calls = [read(), read(), read(URL_A, { address: '192.0.2.2' })]
    serve(answer({ body: '{"a":1}' }))
    const [one, two, three] = await Promise.all(calls)
    expect([two, three]).toEqual([one, one])
    expect(requests).toHaveLength(1)
  })

  it('keeps no longer validator than 256 characters, and none with other characters than ASCII', async () => {
    const kept = async (etag: string) => {
      const { read } = setUp(async () => answer({ headers: { etag, 'last-modified': 'gest\xe9rn' } }))
      const { etag: found, last_modified } = await read()
      return { found, last_modified }
    }
    const [longest, longer] = [254, 255].map((length) => `"${'a'.repeat(length)}"`)
    expect(await kept(longest ?? '')).toEqual({ found: longest, last_modified: null })
    expect(await kept(longer ?? '')).toEqual({ found: null, last_modified: null })
  })
})

describe('a response that is refused', () => {
  const code = (message: string) => () => Promise.reject(new Error(message))
  it.each<[string, FetchDocument]>([
    ['not_found', async () => answer({ status: 404 })],
    ['not_found', async () => answer({ status: 410 })],
    ['redirected', async () => answer({ status: 301, headers: { location: 'https://b.example.com/' } })],
    ['redirected', async () => answer({ status: 307 })],
    ['redirected', async () => answer({ status: 304 })],
    ['http_error', async () => answer({ status: 201 })],
    ['http_error', async () => answer({ status: 206 })],
    ['http_error', async () => answer({ status: 403 })],
    ['http_error', async () => answer({ status: 500 })],
    ['encoded', async () => answer({ headers: { 'content-encoding': 'gzip' } })],
    ['not_json', async () => answer({ headers: { 'content-type': 'text/html' } })],
    ['not_json', async () => answer({ headers: { 'content-type': 'application/jsonp' } })],
    ['not_json', async () => answer({ headers: { 'content-type': 'text/json' } })],
    ['not_json', async () => answer({ headers: { 'content-type': 'application/x+jsons' } })],
    ['not_json', async () => ({ ...answer(), headers: new Headers() })],
    ['not_json', async () => answer({ body: '{' })],
    ['not_json', async () => answer({ body: '' })],
    ['not_json', async () => answer({ body: '{"a":{"b":1,"b":2}}' })],
    ['not_json', async () => answer({ body: new Uint8Array([0x22, 0xff, 0x22]) })],
    ['too_large', async () => answer({ body: `"${'a'.repeat(99)}"` })],
    ['invalid_metadata', async () => answer({ body: 'null' })],
    ['too_large', code('too_large')],
    ['encoded', code('content_encoding')],
    ['address_not_public', code('forbidden_address')],
    ['timeout', code('timeout')],
    ['timeout', code('connect_timeout')],
    ['timeout', () => Promise.reject(new DOMException('The operation was aborted', 'TimeoutError'))],
    ['unreachable', code('ECONNREFUSED')],
    ['unreachable', code('constructor')],
    ['unreachable', code('connect ECONNREFUSED 10.0.0.1:443')],
    [
      'unreachable',
      () => {
        throw new Error('unreachable')
      },
    ],
  ])('%s', async (reason, serve) => {
    const { cache, read, requests, budgets, clock } = setUp(serve)
    expect(await reasonOf(read())).toBe(reason)
    // Remembered.
    expect(await reasonOf(read())).toBe(reason)
    clock.now += 29
    expect(await reasonOf(read())).toBe(reason)
    expect([requests.length, cache.size()]).toEqual([1, 0])
    // No place is lost.
    clock.now += 31
    expect(await reasonOf(read())).toBe(reason)
    expect([requests.length, budgets.size()]).toEqual([2, 3])
  })

  it.each([
    'application/json',
    'Application/JSON; charset=utf-8',
    'application/ld+json',
    'application/json ;a',
  ])('%s is JSON', async (type) => {
    const { read } = setUp(async () => answer({ headers: { 'content-type': type } }))
    expect((await read()).value).toBe('{}')
  })

  it('leaves the document in memory, which counts again when its host is down', async () => {
    let isUp = true
    const { cache, read, clock, requests } = setUp(async () => {
      if (!isUp) throw new Error('ECONNREFUSED')
      return answer()
    })
    const stale = (max_stale = 86_400) => cache.readOrStale(URL_A, { ...NEED, max_stale })
    const first = await read()
    isUp = false
    clock.now += 3600
    expect(await reasonOf(read())).toBe('unreachable')
    expect(await stale()).toBe(first)
    // Not asked for 30 seconds.
    clock.now += 29
    expect(await stale()).toBe(first)
    expect(requests).toHaveLength(2)
    clock.now += 1
    expect(await stale()).toBe(first)
    expect(requests).toHaveLength(3)
    clock.now = START + 86_399
    expect(await stale()).toBe(first)
    clock.now += 1
    expect(await reasonOf(stale())).toBe('unreachable')
    isUp = true
    clock.now += 240
    expect((await stale()).fetched_at).toBe(START + 86_640)
  })

  it('is asked for again after 30, 60, 120, 240 and 240 seconds, and a success ends that', async () => {
    let isUp = false
    const { read, clock, requests } = setUp(async () => answer({ status: isUp ? 200 : 500 }))
    for (const [index, wait] of [30, 60, 120, 240, 240].entries()) {
      expect(await reasonOf(read())).toBe('http_error')
      clock.now += wait - 1
      expect(await reasonOf(read())).toBe('http_error')
      expect(requests).toHaveLength(index + 1)
      clock.now += 1
    }
    isUp = true
    await read()
    isUp = false
    clock.now += 3600
    expect(await reasonOf(read())).toBe('http_error')
    clock.now += 30
    expect(await reasonOf(read())).toBe('http_error')
    expect(requests).toHaveLength(8)
  })

  it('of one URL is not that of another', async () => {
    const { read, requests } = setUp(async (url) => answer({ status: url === URL_A ? 500 : 200 }))
    expect(await reasonOf(read())).toBe('http_error')
    expect((await read(`${URL_A}?b`)).value).toBe('{}')
    expect(requests).toHaveLength(2)
  })

  it('is reported once, by the call that has caused the request', async () => {
    const answers = [answer({ body: '{"a":1}' }), answer({ body: '{"b":2}' }), answer({ status: 404 })]
    const { read, clock } = setUp(async () => answers.shift() ?? answer())
    const outcomes: unknown[] = []
    for (let turn = 0; turn < 3; turn += 1) {
      const report = (outcome: object) =>
        outcomes.push('error' in outcome ? (outcome.error as DocumentError).reason : outcome)
      await Promise.allSettled([read(URL_A, { report }), read(URL_A, { report })])
      clock.now += 3600
    }
    const [first, second, third] = outcomes as { document: CachedDocument<unknown> }[]
    expect(first).toMatchObject({ document: { value: '{"a":1}' }, previous: null })
    expect(second).toMatchObject({ document: { value: '{"b":2}' }, previous: first?.document })
    expect([third, outcomes.length]).toEqual(['not_found', 3])
  })
})

describe('a budget that is used up', () => {
  it('lets a stale document count for five minutes after it was fresh, and is no failure of the host', async () => {
    const { cache, read, clock, requests } = setUp(async () => answer())
    const stale = (max_stale = 86_400) => cache.readOrStale(URL_A, { ...NEED, max_stale })
    /** Uses up what the host may be asked in this minute. */
    const useUp = async () => {
      for (let i = 0; i < 30; i += 1)
        await read(`${URL_A}?${clock.now}-${i}`, { address: `10.0.0.${i}` }).catch(() => {})
    }
    const first = await read()
    clock.now = START + 3600 + 299
    await useUp()
    const before = requests.length
    expect(await stale()).toBe(first)
    clock.now += 1
    await useUp()
    expect([await reasonOf(stale()), await reasonOf(read())]).toEqual(['throttled', 'throttled'])
    expect(requests.length - before).toBeLessThanOrEqual(30)
    clock.now += 60
    expect((await stale()).fetched_at).toBe(clock.now)
  })

  it('does not let a document count for longer than an outage would', async () => {
    const { cache, read, clock } = setUp(async () => answer())
    await read()
    clock.now = START + 3600
    for (let i = 0; i < 30; i += 1) await read(`${URL_A}?${i}`, { address: `10.0.0.${i}` })
    expect(await reasonOf(cache.readOrStale(URL_A, { ...NEED, max_stale: 100 }))).toBe('throttled')
  })
})

describe('the memory', () => {
  it('holds a limited number of documents, and drops the one that was used longest ago', async () => {
    const { cache, read, clock, requests } = setUp(async () => answer(), 3)
    const urls = ['a', 'b', 'c', 'd'].map((name) => `https://${name}.example.com/x`)
    for (const url of urls.slice(0, 3)) await read(url)
    clock.now += 60
    await read(urls[0])
    await read(urls[3])
    expect(cache.size()).toBe(3)
    expect(urls.filter((url) => cache.peek(url) === null)).toEqual([urls[1]])
    expect(requests).toHaveLength(4)
  })

  it('takes a document from the storage, unless it has a newer one', async () => {
    const { cache, read, requests } = setUp(async () => answer())
    const stored = { url: URL_A, value: 'stored', etag: null, last_modified: null }
    cache.add({ ...stored, fetched_at: START - 10, fresh_until: START + 10 })
    expect((await read()).value).toBe('stored')
    cache.add({ ...stored, value: 'older', fetched_at: START - 11, fresh_until: START + 10 })
    expect(cache.peek(URL_A)?.value).toBe('stored')
    cache.add({ ...stored, value: 'newer', fetched_at: START - 9, fresh_until: START + 10 })
    expect(cache.peek(URL_A)?.value).toBe('newer')
    expect(requests).toHaveLength(0)
  })
})

describe('the budgets', () => {
  interface Attempt {
    host?: string
    address?: string | null
    realm?: string
    used_by?: UsedBy
  }

  function counters() {
    const clock = { now: START + 10 }
    const budgets = fetchBudgets(() => clock.now)
    const take = ({ host = 'a.example.com', address = null, realm = 'default', used_by = 'none' }: Attempt) =>
      budgets.take({ url: `https://${host}/x`, address, realm, used_by })
    /** How many of the attempts, each of which ends at once, were admitted. */
    const admitted = (count: number, attempt: (index: number) => Attempt): number =>
      Array.from({ length: count }, (_, index) => index).filter((index) => {
        try {
          take(attempt(index))()
          return true
        } catch {
          return false
        }
      }).length
    return { clock, budgets, take, admitted }
  }
  const refusalOf = (call: () => unknown) => {
    try {
      call()
      return null
    } catch (error) {
      const { code, status, headers } = error as { code: string; status: number; headers: object }
      return [code, status, headers]
    }
  }

  it.each<[string, number, (index: number) => Attempt]>([
    ['30 a minute for a host', 30, () => ({})],
    ['30 a minute for all ports of a host', 30, (index) => ({ host: `a.example.com:${8000 + index}` })],
    ['120 a minute for a realm', 120, (index) => ({ host: `${index}.example.com` })],
    ['12 a minute for an address', 12, (index) => ({ host: `${index}.example.com`, address: '192.0.2.1' })],
    [
      '12 a minute for an IPv6 network',
      12,
      (index) => ({ host: `${index}.example.com`, address: `2001:db8::${index}` }),
    ],
    [
      '12 a minute for an IPv6 site',
      12,
      (index) => ({ host: `${index}.example.com`, address: `2001:db8:0:${index}::1` }),
    ],
  ])('%s', (_, limit, attempt) => {
    const { clock, admitted } = counters()
    expect(admitted(limit + 10, attempt)).toBe(limit)
    clock.now = START + 59
    expect(admitted(1, attempt)).toBe(0)
    clock.now = START + 60
    expect(admitted(1, attempt)).toBe(1)
  })

  it('answers 429 with the seconds until the next minute', () => {
    const { take, admitted } = counters()
    admitted(30, () => ({}))
    expect(refusalOf(() => take({}))).toEqual(['temporarily_unavailable', 429, { 'retry-after': '50' }])
  })

  it('16 requests at a time, 4 of them to one host; some only for URLs in use', () => {
    const { take, budgets } = counters()
    const at = (host: string, used_by: UsedBy) => () => take({ host, used_by })
    const places = [0, 1, 2].map(() => at('a.example.com', 'none')())
    expect(refusalOf(at('a.example.com', 'none'))).toEqual([
      'temporarily_unavailable',
      429,
      { 'retry-after': '5' },
    ])
    places.push(at('a.example.com', 'users')())
    expect(refusalOf(at('a.example.com', 'users'))).not.toBeNull()
    for (let index = 0; index < 8; index += 1) places.push(at(`${index}.example.com`, 'none')())
    expect(refusalOf(at('x.example.com', 'none'))).not.toBeNull()
    for (let index = 0; index < 2; index += 1) places.push(at(`${index}.example.org`, 'users')())
    expect(refusalOf(at('x.example.com', 'users'))).not.toBeNull()
    for (let index = 0; index < 2; index += 1) places.push(at(`${index}.example.net`, 'operator')())
    expect(places).toHaveLength(16)
    expect(refusalOf(at('x.example.com', 'operator'))).not.toBeNull()
    for (const release of places) release()
    expect(refusalOf(at('a.example.com', 'none'))).toBeNull()
    expect(budgets.size()).toBeLessThan(40)
  })

  it('a URL in use is read while others have used up host, realm and address', () => {
    const { admitted } = counters()
    const address = '192.0.2.1'
    expect(admitted(40, () => ({ address }))).toBe(12)
    expect(admitted(40, () => ({}))).toBe(18)
    expect(admitted(200, (index) => ({ host: `${index}.example.com` }))).toBe(90)
    expect(admitted(1, () => ({ address }))).toBe(0)
    expect(admitted(1, () => ({ address, used_by: 'users' }))).toBe(1)
  })

  it('are apart for clients of users and of the operator, and for each realm of these', () => {
    const { admitted } = counters()
    const all: UsedBy[] = ['none', 'users', 'operator']
    for (const used_by of all) expect(admitted(40, () => ({ used_by }))).toBe(30)
    for (const used_by of all)
      expect(admitted(200, (index) => ({ used_by, host: `${index}.example.com` }))).toBe(90)
    const elsewhere = all.map((used_by) => admitted(40, () => ({ used_by, realm: 'other' })))
    // Invented URLs of a host are counted for all realms together.
    expect(elsewhere).toEqual([0, 30, 30])
  })

  it('are a limited number of counters', () => {
    const { admitted, budgets } = counters()
    const any = (index: number): Attempt => ({
      host: `${index}.example.com`,
      address: `10.0.${index >> 8}.${index & 255}`,
    })
    expect(admitted(10_000, any)).toBe(120)
    expect(budgets.size()).toBe(241)
  })

  it('are at most 10,000 counters', () => {
    const { admitted, budgets } = counters()
    // Each has a counter of its host and one of its realm.
    expect(admitted(4999, (index) => ({ host: `${index}.example.org`, realm: `${index}` }))).toBe(4999)
    expect(admitted(9, (index) => ({ host: `${index}.example.net`, realm: '0' }))).toBe(2)
    expect(budgets.size()).toBe(10_000)
  })
})

// As in workerd, where the end of a request is lost with the incoming request that caused it.
describe('requests that never end', () => {
  it('are not shared after ten seconds', async () => {
    const answers: Promise<FetchedDocument>[] = [new Promise(() => {}), Promise.resolve(answer())]
    const { read, clock, requests } = setUp(() => answers.shift() ?? Promise.reject(new Error('again')))
    read().catch(() => {})
    clock.now += 9
    read().catch(() => {})
    expect(requests).toHaveLength(1)
    clock.now += 1
    expect((await read()).value).toBe('{}')
    expect(requests).toHaveLength(2)
  })

  it('hold no place after ten seconds', async () => {
    const { read, clock, requests } = setUp(() => new Promise(() => {}))
    const readHost = (i: number) => read(`https://${i}.example.com/client.json`, { address: `192.0.2.${i}` })
    for (let i = 0; i < 12; i++) readHost(i).catch(() => {})
    await expect(readHost(12)).rejects.toMatchObject({ reason: 'throttled' })
    clock.now += 10
    readHost(13).catch(() => {})
    expect(requests).toHaveLength(13)
  })
})
