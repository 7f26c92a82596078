import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { User } from '@ostiary/identity'
import { decodeJwt } from 'jose'
import { expect, it } from 'vitest'
import { refusalOf } from '../src/protocol/failure.js'
import { limitedFetch } from '../src/protocol/limited-fetch.js'
import { protocolOf } from '../src/protocol/protocol-of.js'
import { textOf } from '../src/protocol/trip.js'
import { UpstreamRefusal } from '../src/refusal.js'
import { withGroups } from '../src/rules/groups.js'
import { browserAt, isSignedIn, place, refusals, signInWithCorp } from './_place.js'
import { CLIENT_ID, CLIENT_SECRET, upstream } from './_upstream.js'

const secret = () => randomBytes(32).toString('base64url')
const TRIP = {
  redirect_uri: 'https://id.example/login/callback/corp',
  state: secret(),
  nonce: secret(),
  code_verifier: secret(),
}
const WISHES = { login_hint: null, fresh: false }

it('an answer may have 256 KiB', async () => {
  const read = async (bytes: number) =>
    (await limitedFetch(async () => new Response('x'.repeat(bytes)))('https://login.example', {})).text()
  expect(await read(262_144)).toHaveLength(262_144)
  await expect(read(262_145)).rejects.toMatchObject({ reason: 'unreachable' })
})

it('a secret for Apple is good for five minutes', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const at = upstream('https://appleid.apple.com')
  const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const keys = { private_key, key_id: 'k', team_id: 't' }
  const settings = { type: 'oidc', issuer: at.issuer, client_id: CLIENT_ID, name: 'Apple', ...keys } as const
  const now = Math.floor(Date.now() / 1000)
  const protocol = protocolOf(settings, { fetch: at.fetch, now: () => now })
  await protocol.answer(TRIP, at.signIn(await protocol.authorizationUrl(TRIP, WISHES)))
  const { iat = 0, exp } = decodeJwt(at.token_request?.get('client_secret') ?? '')
  expect([iat, exp]).toEqual([now, iat + 300])
})

it('the reason of an error is looked for in six causes', () => {
  const nested = (depth: number): unknown =>
    depth === 1 ? new UpstreamRefusal('tenant') : new Error('outer', { cause: nested(depth - 1) })
  expect(refusalOf(nested(6)).reason).toBe('tenant')
  expect(refusalOf(nested(7)).reason).toBe('bad_response')
})

it('a discovery document is read again after an hour', async () => {
  const at = upstream('https://login.corp.example')
  const credentials = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET }
  let now = 1_800_000_000
  const settings = { type: 'oidc', issuer: at.issuer, name: 'Corp', ...credentials } as const
  const protocol = protocolOf(settings, { fetch: at.fetch, now: () => now })
  await protocol.authorizationUrl(TRIP, WISHES)
  now += 3_599
  await protocol.authorizationUrl(TRIP, WISHES)
  expect(at.requests).toHaveLength(1)
  now += 1
  await protocol.authorizationUrl(TRIP, WISHES)
  expect(at.requests).toHaveLength(2)
})

it('a failure is kept for five seconds: who begins sign-ins asks an upstream that is down no more often', async () => {
  const at = upstream('https://login.corp.example')
  const credentials = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET }
  let now = 1_800_000_000
  const settings = { type: 'oidc', issuer: at.issuer, name: 'Corp', ...credentials } as const
  const protocol = protocolOf(settings, { fetch: at.fetch, now: () => now })
  const begin = () => protocol.authorizationUrl(TRIP, WISHES)
  const asked = () => at.requests.length
  const is_refused = { reason: 'unreachable' }
  at.is_down = true
  await expect(begin()).rejects.toMatchObject(is_refused)
  at.is_down = false
  const before = asked()
  now += 4
  await expect(begin()).rejects.toMatchObject(is_refused)
  expect(asked()).toBe(before)
  now += 1
  await begin()
  expect(asked()).toBe(before + 1)
})

it('a text of a claim has 255 characters', () => {
  expect(textOf('x'.repeat(255))).toHaveLength(255)
  expect(textOf('x'.repeat(256))).toBeNull()
  for (const odd of ['', '  ', 'a\nb', 'a\u0000', '\ud800', 7, null]) expect(textOf(odd)).toBeNull()
})

it('a name that no user can have, since it is too long in its normal form, is replaced', async () => {
  const p = await place({ corp: { signup: true } })
  p.corp.person = { sub: 'long', preferred_username: '\ufdfa'.repeat(100) }
  expect(isSignedIn(await signInWithCorp(p, browserAt(p)))).toBe(true)
  const link = await p.links('default').find(p.corp.issuer, 'long')
  const user = await p.users('default').find(link?.sub ?? '')
  expect(user?.username).toMatch(/^user-[0-9a-f]{12}$/)
  expect(user?.username_key).toBe(user?.username)
})

it('a user name has 200 characters of the name elsewhere', async () => {
  const p = await place({ corp: { signup: true } })
  p.corp.person = { sub: 'long', preferred_username: 'é'.repeat(255) }
  await signInWithCorp(p, browserAt(p))
  const names = (await p.users('default').list({ limit: 9 })).map(({ username }) => username)
  expect(names).toContain('é'.repeat(200))
})

it('groups of a user who is changed at the same time are tried five times', async () => {
  const p = await place()
  const [user] = await p.users('default').list({ limit: 1 })
  let tries = 0
  const busy = {
    ...p.users('default'),
    update: async () => {
      tries += 1
      return false
    },
  }
  const settings = {
    type: 'github',
    client_id: 'a',
    name: 'a',
    groups: { claim: 'r', map: { a: 'staff' } },
  } as const
  const answer = { groups: ['a'] } as unknown as Parameters<typeof withGroups>[2]['answer']
  await withGroups(busy, user as User, { settings, answer, now: 1 })
  expect(tries).toBe(5)
})

it.each([
  [9, false],
  [10, true],
])(
  'a sign-up that failed in the middle may be tried again after ten seconds: after %i %s',
  async (seconds, expected) => {
    const p = await place({ corp: { signup: true } })
    const links = p.links('default')
    const { add } = links
    links.add = async () => Promise.reject(new Error('the database is away'))
    const first = browserAt(p)
    const b = browserAt(p)
    const { location } = await b.start('corp')
    expect((await first.callback('corp', p.corp.signIn((await first.start('corp')).location))).status).toBe(
      500,
    )
    links.add = add
    p.clock.now += seconds
    expect(isSignedIn(await b.callback('corp', p.corp.signIn(location)))).toBe(expected)
    expect(refusals(p)).toEqual(expected ? [] : ['upstream_busy'])
  },
)

it('a request to go on with that is longer than a cookie of 3,500 characters is whole again', async () => {
  const p = await place({ corp: { signup: true } })
  for (const length of [1, 2_000, 2_200]) {
    const b = browserAt(p)
    const { fields } = await b.openLogin({ state: 's'.repeat(length) })
    const sent = await b.post('https://id.example/login/upstream/corp', fields)
    for (const [name, value] of b.cookies) expect(name.length + value.length).toBeLessThan(4_000)
    const back = await b.callback('corp', p.corp.signIn(sent.headers.get('location') ?? ''))
    expect(isSignedIn(back)).toBe(true)
    expect(fields.return_to.length > 3_500).toBe(length === 2_200)
  }
})

it('a network that has brought too many answers waits until the window ends', async () => {
  const p = await place({ corp: { signup: true } })
  p.clock.now = Math.ceil(p.clock.now / 900) * 900
  p.corp.breaks = { claims: { iat: p.clock.now, exp: p.clock.now + 3_600 } }
  const answer = async () => {
    const b = browserAt(p, { address: '203.0.113.7' })
    return isSignedIn(await b.callback('corp', p.corp.signIn((await b.start('corp')).location)))
  }
  for (let i = 0; i < 100; i++) expect(await answer()).toBe(true)
  p.clock.now += 899
  expect(await answer()).toBe(false)
  p.clock.now += 1
  expect(await answer()).toBe(true)
})
