import { randomUUID } from 'node:crypto'
import { authenticatorApp } from '@ostiary/test-kit/authenticators/app'
import { CompactSign, generateKeyPair, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { browserAt, isSignedIn, type Place, place, signInWithCorp, type TestBrowser } from './_place.js'
import { CLIENT_ID, KEYS } from './_upstream.js'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const URL_OF = (id: string) => `https://id.example/login/upstream/${id}/logout`

interface Token {
  claims?: Record<string, unknown>
  header?: Record<string, string>
  key?: CryptoKey | Uint8Array
}

async function tokenOf(p: Place, { claims = {}, header = {}, key }: Token = {}): Promise<string> {
  const now = p.clock.now
  const all: Record<string, unknown> = {
    iss: p.corp.issuer,
    aud: CLIENT_ID,
    iat: now,
    exp: now + 120,
    jti: randomUUID(),
    sub: 'ada-1',
    sid: 'laptop',
    events: { [EVENT]: {} },
    ...claims,
  }
  const present = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  const signing = new SignJWT(present).setProtectedHeader({
    alg: 'RS256',
    kid: 'k',
    typ: 'logout+jwt',
    ...header,
  })
  return signing.sign(key ?? (await KEYS).privateKey)
}

async function tell(p: Place, token: string, id = 'corp'): Promise<number> {
  const body = new URLSearchParams({ logout_token: token })
  return (await p.send(new Request(URL_OF(id), { method: 'POST', body }))).status
}

/** A browser that signs in with the session of this name at the provider. */
async function signedIn(p: Place, sid?: string): Promise<TestBrowser> {
  const b = browserAt(p)
  p.corp.breaks = sid === undefined ? {} : { claims: { sid } }
  expect(isSignedIn(await signInWithCorp(p, b))).toBe(true)
  return b
}

const isHere = async (b: TestBrowser): Promise<boolean> =>
  (await b.send('https://id.example/account')).status === 200

/** The hidden fields of the form that does this. */
function formOf(html: string, ...does: [string, string][]): Record<string, string> {
  for (const form of html.split('<form').slice(1)) {
    const inputs = [
      ...(form.split('</form>')[0]?.matchAll(/<(?:input|button)[^>]*name="(.*?)"[^>]*value="(.*?)"/g) ?? []),
    ]
    const fields = Object.fromEntries(inputs.map(([, name, value]) => [name, value]))
    if (does.every(([name, value]) => inputs.some((one) => one[1] === name && one[2] === value)))
      return { ...fields, ...Object.fromEntries(does) }
  }
  throw new Error(`no form ${does.join()}`)
}

/** Adds an app as the second factor in the middle of the sign-in. */
async function enrolApp(b: TestBrowser, page: string, now: number): Promise<Response> {
  const url = 'https://id.example/login'
  const html = await (await b.send(page)).text()
  const enrolment = await (await b.post(url, formOf(html, ['action', 'enrol'], ['method', 'totp']))).text()
  const key = /<code[^>]*>([A-Z2-7 ]+)<\/code>/.exec(enrolment)?.[1] ?? ''
  const code = authenticatorApp(key).code(now)
  const shown = await (await b.post(url, { ...formOf(enrolment, ['action', 'enrolled']), code })).text()
  return b.post(url, formOf(shown, ['action', 'continue']))
}

const ended = (p: Place) => p.provider_events.filter(({ type }) => type === 'session.ended').length

it('ends the sessions that the session there has begun, and no other', async () => {
  const p = await place({ corp: { signup: true } })
  const laptop = await signedIn(p, 'laptop')
  const again = await signedIn(p, 'laptop')
  const phone = await signedIn(p, 'phone')
  expect(await tell(p, await tokenOf(p))).toBe(200)
  expect([await isHere(laptop), await isHere(again), await isHere(phone)]).toEqual([false, false, true])
  // What was looked at is not marked: a second token of the same session ends nothing.
  expect(await tell(p, await tokenOf(p))).toBe(200)
  expect(await isHere(phone)).toBe(true)
  expect(ended(p)).toBe(2)
})

it('without a session it ends all of the user that came from there: a password is not from there', async () => {
  const p = await place({ corp: { signup: true } })
  const browsers = [await signedIn(p, 'laptop'), await signedIn(p)]
  p.corp.person = { sub: 'eve' }
  const other = await signedIn(p)
  expect(await tell(p, await tokenOf(p, { claims: { sid: undefined } }))).toBe(200)
  expect(await Promise.all([...browsers, other].map(isHere))).toEqual([false, false, true])
})

it('a user who is not known, or not linked any more, is no error: nothing is learned of users', async () => {
  const p = await place({ corp: { signup: true } })
  expect(await tell(p, await tokenOf(p, { claims: { sub: 'unknown' } }))).toBe(200)
})

it('a token counts once', async () => {
  const p = await place({ corp: { signup: true } })
  const token = await tokenOf(p)
  expect(await tell(p, token)).toBe(200)
  const b = await signedIn(p, 'laptop')
  expect(await tell(p, token)).toBe(400)
  expect(await isHere(b)).toBe(true)
})

describe('a token is refused that', () => {
  it.each<[string, (p: Place) => Promise<Token> | Token]>([
    ['has the signature of another key', async () => ({ key: (await generateKeyPair('RS256')).privateKey })],
    [
      'is signed with the secret',
      () => ({ header: { alg: 'HS256' }, key: new TextEncoder().encode('x'.repeat(32)) }),
    ],
    ['is of another issuer', (p) => ({ claims: { iss: p.evil.issuer } })],
    ['is for another client', () => ({ claims: { aud: 'other' } })],
    ['is for two clients', () => ({ claims: { aud: [CLIENT_ID, 'other'] } })],
    ['has expired', (p) => ({ claims: { exp: p.clock.now } })],
    ['is good for more than an hour', (p) => ({ claims: { exp: p.clock.now + 3_601 } })],
    ['has no iat', () => ({ claims: { iat: undefined } })],
    ['has no exp', () => ({ claims: { exp: undefined } })],
    ['has no jti', () => ({ claims: { jti: undefined } })],
    ['has no events', () => ({ claims: { events: undefined } })],
    ['has null as events', () => ({ claims: { events: null } })],
    ['has another event', () => ({ claims: { events: { 'http://evil.example': {} } } })],
    ['has a text as its event', () => ({ claims: { events: { [EVENT]: 'yes' } } })],
    ['has a nonce, as an ID token has', () => ({ claims: { nonce: 'n' } })],
    ['is of another type', () => ({ header: { typ: 'at+jwt' } })],
    ['names no user', () => ({ claims: { sub: undefined } })],
    ['has a number as its session', () => ({ claims: { sid: 7 } })],
  ])('%s', async (_, of) => {
    const p = await place({ corp: { signup: true } })
    const b = await signedIn(p, 'laptop')
    expect(await tell(p, await tokenOf(p, await of(p)))).toBe(400)
    expect(await isHere(b)).toBe(true)
  })

  it('is no object, or names a key that the provider does not have', async () => {
    const p = await place({ corp: { signup: true } })
    const b = await signedIn(p, 'laptop')
    const signed = (payload: string, kid: string) =>
      KEYS.then(({ privateKey }) =>
        new CompactSign(new TextEncoder().encode(payload))
          .setProtectedHeader({ alg: 'RS256', kid, typ: 'logout+jwt' })
          .sign(privateKey),
      )
    for (const payload of ['null', '7', '[]', '{'])
      expect([payload, await tell(p, await signed(payload, 'k'))]).toEqual([payload, 400])
    const claims = (await tokenOf(p)).split('.')[1] ?? ''
    expect(await tell(p, await signed(Buffer.from(claims, 'base64url').toString(), 'other'))).toBe(400)
    expect(await isHere(b)).toBe(true)
  })

  it('is not there, is there twice, is no token, or comes to a provider without sessions', async () => {
    const p = await place({ corp: { signup: true } })
    const token = await tokenOf(p)
    const post = async (body: string) =>
      (await p.send(new Request(URL_OF('corp'), { method: 'POST', body: new URLSearchParams(body) }))).status
    expect(await post('')).toBe(400)
    expect(await post(`logout_token=${token}&logout_token=${token}`)).toBe(400)
    expect(await tell(p, 'x.y.z')).toBe(400)
    expect(await tell(p, `${token.split('.').slice(0, 2).join('.')}.`)).toBe(400)
    expect(await tell(p, token, 'github')).toBe(400)
    expect(await tell(p, token, 'unknown')).toBe(404)
    expect((await p.send(new Request(URL_OF('corp')))).status).toBe(405)
  })
})

it('a token for an hour is taken', async () => {
  const p = await place({ corp: { signup: true } })
  expect(await tell(p, await tokenOf(p, { claims: { exp: p.clock.now + 3_600 } }))).toBe(200)
})

it('an answer of a provider that is down is 503, and the token counts later', async () => {
  const p = await place({ corp: { signup: true } })
  const b = await signedIn(p, 'laptop')
  const token = await tokenOf(p)
  p.corp.is_down = true
  expect(await tell(p, token)).toBe(503)
  p.corp.is_down = false
  p.clock.now += 5
  expect(await tell(p, token)).toBe(200)
  expect(await isHere(b)).toBe(false)
})

it('keys are read once in a minute, whatever strangers send', async () => {
  const p = await place()
  const read = () => p.corp.requests.filter((one) => one === 'GET /keys').length
  for (let i = 0; i < 5; i++) await tell(p, await tokenOf(p, { header: { kid: `k${i}` } }))
  expect(read()).toBe(1)
  p.clock.now += 59
  await tell(p, await tokenOf(p))
  expect(read()).toBe(1)
  p.clock.now += 1
  await tell(p, await tokenOf(p))
  expect(read()).toBe(2)
})

it('a session after a second step of this server is of the session there too', async () => {
  const p = await place({
    corp: { signup: true, require_second_factor: true },
    settings: { second_factor: 'optional' },
  })
  const b = browserAt(p)
  p.corp.breaks = { claims: { sid: 'laptop' } }
  const sent = await signInWithCorp(p, b)
  const app = await enrolApp(b, sent.headers.get('location') ?? '', p.clock.now)
  expect(isSignedIn(app)).toBe(true)
  expect(await isHere(b)).toBe(true)
  expect(await tell(p, await tokenOf(p))).toBe(200)
  expect(await isHere(b)).toBe(false)
})
