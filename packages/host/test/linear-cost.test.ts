/** The cost of a request grows no faster than the length of its texts: a long run of one character cannot slow the server. */

import { cookieJar, hiddenField } from '@ostiary/test-kit/browser'
import { describe, expect, it } from 'vitest'
import { LONG } from '../../../vitest.shared.ts'
import {
  ACME,
  API,
  type Base,
  CALLBACK,
  FILE,
  type Fields,
  FRONT_DOOR,
  ORIGIN,
  PROVIDER,
  signInPages,
} from './route-requests.ts'
import { PASSWORD, type RunningApp, startApp } from './support.ts'

/** All printable characters of ASCII. */
const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(0x20 + index))

/** A letter, and what separates the parts of lists, fields and tokens: test/regular-expressions.test.ts decides about all patterns. */
const SEPARATORS_AND_SAMPLES = [...'a ,.&']

const CHARACTERS = LONG ? PRINTABLE : SEPARATORS_AND_SAMPLES

/** Characters of a run. */
const LENGTH = 16_000

/** CPU time that may be noise. A quadratic pattern takes far more on such a run. */
const FLOOR_MICROSECONDS = 2_000

/** Ten times the length: linear cost is 10 times as much, quadratic cost 100 times. */
const TIMES_SHORTER = 10
const HIGHEST_RATIO = 30

/** Noise differs between attempts; a cost that is not linear shows in each of them. */
const ATTEMPTS = 5

interface Probe {
  /** Names the long text. */
  name: string
  length: number
  /** @param text The long text. */
  request: (text: string) => Request
}

/** After these beginnings, a pattern reads the rest of the text. */
const BEGINNINGS: Record<string, string[]> = {
  id_token_hint: ['eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.'],
  token: ['eyJhbGciOiJSUzI1NiIsInR5cCI6ImF0K2p3dCJ9.'],
  subject_token: ['eyJhbGciOiJSUzI1NiIsInR5cCI6ImF0K2p3dCJ9.'],
  redirect_uri: [CALLBACK, 'https://'],
  redirect_uris: ['https://client.example.com/', 'https://'],
  post_logout_redirect_uris: ['https://client.example.com/'],
  backchannel_logout_uri: ['https://client.example.com/'],
  resource: [`${API}/`, 'https://'],
  audience: [`${API}/`],
  scope: ['openid '],
}

/** Requests with one long header, or several that do not affect each other. */
const headerProbes = (text: string): Fields[] => [
  {
    authorization: `Bearer ${text}`,
    cookie: text,
    accept: text,
    'if-none-match': text,
    'x-forwarded-for': `${text}, 192.0.2.1`,
    'x-request-id': text,
  },
  {
    authorization: `Basic ${text}`,
    cookie: `ostiary_csrf=${text}; ostiary_session=${text}; ostiary_session.acme=${text}`,
    accept: `text/html;${text}`,
    'if-none-match': `W/"${text}"`,
    'x-forwarded-for': `[${text}]`,
    traceparent: text,
  },
  { authorization: text, 'content-type': text, 'x-forwarded-for': `192.0.2.1%${text}` },
  { 'content-type': `application/x-www-form-urlencoded;${text}`, origin: text, 'sec-fetch-site': text },
]

let addresses = 0

/** Every request has its own address, so that requests do not share a rate limit. */
function newAddress(): string {
  addresses += 1
  return `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`
}

function requestTo(base: Base, headers: Fields = {}): Request {
  const search = base.query ? `?${new URLSearchParams(base.query)}` : ''
  const body = base.json ? JSON.stringify(base.json) : base.form && new URLSearchParams(base.form)
  return new Request(`${ORIGIN}${base.path}${search}`, {
    method: base.method,
    headers: { 'x-forwarded-for': newAddress(), ...headers },
    ...(body !== undefined && { body }),
  })
}

/** The grants read the same field in different ways. */
const fieldName = ({ form }: Base, name: string): string =>
  form?.grant_type === undefined ? name : `${name} of ${form.grant_type}`

/** Each text of the request that can be long, one at a time. @param cookie The cookie of a signed-in browser. */
function* probes(base: Base, cookie: string): Iterable<Probe> {
  const { length = LENGTH } = base
  const headers = { cookie }
  const probe = (name: string, request: (text: string) => Request): Probe => ({
    name: `${base.method} ${base.path}, ${name}`,
    length,
    request,
  })
  const path = (pathWith: (text: string) => string) => (text: string) =>
    requestTo({ ...base, path: pathWith(text) }, headers)
  yield probe(
    'the rest of the path',
    path((text) => `${base.path}/${text}`),
  )
  yield probe(
    'the realm',
    path((text) => base.path.replace(ACME, `/realms/${encodeURIComponent(text)}`)),
  )
  yield probe(
    'the query',
    (text) => new Request(`${ORIGIN}${base.path}?${text}`, { method: base.method, headers }),
  )
  if (base.method !== 'GET') {
    const type = base.json ? 'application/json' : 'application/x-www-form-urlencoded'
    const init = { method: base.method, headers: { cookie, 'content-type': type } }
    yield probe('the body', (text) => new Request(ORIGIN + base.path, { ...init, body: text }))
  }
  for (const [index] of headerProbes('').entries())
    yield probe(`headers ${index}`, (text) => requestTo(base, { cookie, ...headerProbes(text)[index] }))
  for (const kind of ['query', 'form', 'json'] as const)
    for (const [name, value] of Object.entries(base[kind] ?? {}))
      for (const beginning of ['', ...(BEGINNINGS[name] ?? [])])
        yield probe(`${kind} field ${fieldName(base, name)}, after "${beginning}"`, (text) => {
          const long = Array.isArray(value) ? [beginning + text] : beginning + text
          return requestTo({ ...base, [kind]: { ...base[kind], [name]: long } }, headers)
        })
}

/** The lowest CPU time of several runs, in microseconds: other work on the machine can only add to it. */
async function cost(app: RunningApp['app'], newRequest: () => Request, runs: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run += 1) {
    const request = newRequest()
    const before = process.cpuUsage()
    const response = await app.fetch(request, { address: '127.0.0.1' })
    const { user, system } = process.cpuUsage(before)
    await response.body?.cancel()
    least = Math.min(least, user + system)
  }
  return least
}

/** The run is between two other characters, so that a pattern for the end of the text does not match. */
const textOf = (character: string, length: number) => `a${character.repeat(length)}!`

async function faultOf(app: RunningApp['app'], probe: Probe, character: string): Promise<string | null> {
  let costs = { long: 0, short: 0 }
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const requestOf = (length: number) => () => probe.request(textOf(character, length))
    const long = await cost(app, requestOf(probe.length), attempt === 0 ? 1 : 3)
    if (long < FLOOR_MICROSECONDS) return null
    const short = await cost(app, requestOf(probe.length / TIMES_SHORTER), 3)
    if (long <= short * HIGHEST_RATIO) return null
    costs = { long, short }
  }
  return `${probe.name}, ${JSON.stringify(character)}: ${costs.short} µs, ${costs.long} µs at ${TIMES_SHORTER} times the length`
}

const MAX_REPORTED_FAULTS = 3

async function faultsOf({ app }: RunningApp, bases: readonly Base[], cookie: string): Promise<string[]> {
  const faults: string[] = []
  // The requests of one path share most of their probes.
  const seen = new Map<string, Probe>()
  for (const probe of bases.flatMap((base) => [...probes(base, cookie)]))
    if (!seen.has(probe.name)) seen.set(probe.name, probe)
  for (const probe of seen.values())
    for (const character of CHARACTERS) {
      const fault = await faultOf(app, probe, character)
      if (fault !== null) faults.push(fault)
      if (faults.length >= MAX_REPORTED_FAULTS) return faults
    }
  return faults
}

/** Signs Ann in. @returns Her cookies, and the CSRF tokens of the two pages' forms. */
async function signIn({ get: fetch }: RunningApp) {
  const jar = cookieJar()
  const send = async (path: string, init: RequestInit = {}) => {
    const headers = { cookie: jar.header() }
    const response = await fetch(path, { ...init, address: '127.0.0.1', headers })
    jar.keep(response)
    return response
  }
  const secret = async (path: string) => hiddenField(await (await send(path)).text(), 'csrf_token')
  const login = await secret(`${ACME}/login?return_to=/account`)
  const form = { csrf_token: login, return_to: '/account', username: 'ann', password: PASSWORD }
  const signedIn = await send(`${ACME}/login`, { method: 'POST', body: new URLSearchParams(form) })
  expect(signedIn.headers.get('location')).toBe(`${ORIGIN}${ACME}/account`)
  const account = await secret(`${ACME}/account`)
  expect([login, account]).not.toContain('')
  return { cookie: jar.header(), csrf_token: { login, account } }
}

describe('the cost of a run of 16 KB is linear: about ten times that of a run of 1.6 KB', () => {
  it('of each kind of character, in the path, the query, the fields and the headers of every route of the provider', async () => {
    const started = await startApp(FILE)
    const { cookie } = await signIn(started)
    expect(await faultsOf(started, Object.values(PROVIDER).flat(), cookie)).toEqual([])
  })

  it('in an authorization request of a browser that is not signed in', async () => {
    const started = await startApp(FILE)
    expect(await faultsOf(started, PROVIDER['oidc.authorize'], '')).toEqual([])
  })

  it('in requests to the sign-in and account pages', async () => {
    const started = await startApp(FILE)
    const { cookie, csrf_token } = await signIn(started)
    expect(await faultsOf(started, signInPages(csrf_token), cookie)).toEqual([])
  })

  it('in requests to the health endpoints and to unknown paths', async () => {
    const started = await startApp(FILE)
    expect(await faultsOf(started, FRONT_DOOR, '')).toEqual([])
  })
})
