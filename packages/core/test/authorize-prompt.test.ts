/** `prompt`, `max_age` and `id_token_hint`: OpenID Connect Core §3.1.2.1. */

import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { spareBits } from './bad-tokens.js'
import {
  answer,
  type Browser,
  client,
  header,
  payload,
  REDIRECT_URI,
  redeem,
  type World,
  type WorldOptions,
  world,
} from './support.js'

/** A trusted client, so that no request needs consent. */
const setUp = async (options: WorldOptions): Promise<World> =>
  world({ clients: [await client({ trusted: true })], ...options })

async function signedIn(w: World, sub = 'alice'): Promise<Browser> {
  const browser = w.browser()
  await browser.authorize()
  await browser.signIn(sub)
  return browser
}

async function idToken(w: World, browser: Browser): Promise<string> {
  return (await redeem(w, (await browser.code()).code)).body.id_token
}

/** From now on the application does not know when users authenticated. */
function withoutAuthTime(w: World): void {
  const { provider } = w
  w.provider = {
    ...provider,
    login: (request, login) => provider.login(request, { ...login, auth_time: null }),
  }
}

const ended = (w: World) => w.events.filter(({ type }) => type === 'session.ended')
const started = (w: World) => w.events.filter(({ type }) => type === 'session.started')

async function expectCode(w: World, response: Response): Promise<void> {
  const { status, code, ...rest } = answer(response)
  expect(rest).toEqual({ to: REDIRECT_URI, state: 'the state', iss: w.issuer })
  expect((await redeem(w, code)).status).toBe(200)
}

interface ExpectedLogin {
  /** Of the authorization request. */
  changes: Record<string, string>
  reason: string
}

/** Expects a redirect to login and the end of the session: its cookie is deleted and no longer valid. */
async function expectLogin(w: World, browser: Browser, { changes, reason }: ExpectedLogin) {
  const before = new Map(browser.cookies)
  expect(before.size).toBe(1)
  expect(answer(await browser.authorize(changes)).to).toBe(`${w.issuer}/login`)
  expect(w.logins.at(-1)?.reason).toBe(reason)
  expect(browser.cookies.size).toBe(0)
  expect(ended(w)).toMatchObject([{ sub: 'alice', reason: 'login_required' }])
  const keeper = w.browser()
  for (const [name, value] of before) keeper.cookies.set(name, value)
  expect(answer(await keeper.authorize({ prompt: 'none' }))).toMatchObject({ error: 'login_required' })
}

describe.each(['single', 'path'] as const)('realms by %s', (routing) => {
  describe('prompt', () => {
    it.each(['login', 'select_account', 'login select_account', 'select_account  login'])(
      '%s ends the session and sends the user to login',
      async (prompt) => {
        const w = await setUp({ routing })
        const browser = await signedIn(w)
        await expectLogin(w, browser, { changes: { prompt }, reason: 'prompt' })
        await expectCode(w, await browser.signIn())
        expect(started(w)).toHaveLength(2)
      },
    )

    it.each(['login', 'select_account'])('%s while signed out: one login is enough', async (prompt) => {
      const w = await setUp({ routing })
      const browser = w.browser()
      await browser.authorize({ prompt })
      await expectCode(w, await browser.signIn())
      expect(w.logins).toHaveLength(1)
    })

    it('login lets another user sign in', async () => {
      const w = await setUp({ routing })
      const browser = await signedIn(w)
      await browser.authorize({ prompt: 'login' })
      const { code } = answer(await browser.signIn('bob'))
      expect(payload((await redeem(w, code)).body.id_token).sub).toBe('bob')
    })

    it('login consent asks for both', async () => {
      const w = await world({ routing })
      const browser = w.browser()
      await browser.code()
      await browser.authorize({ prompt: 'consent login' })
      expect((await browser.signIn()).status).toBe(200)
      expect(w.consents).toHaveLength(2)
      await expectCode(w, await browser.approve())
    })

    it('consent shows the consent view even when a stored consent covers the scopes', async () => {
      const w = await world({ routing })
      const browser = w.browser()
      await browser.code()
      expect((await browser.authorize({ prompt: 'consent' })).status).toBe(200)
      await expectCode(w, await browser.approve())
      expect(w.logins).toHaveLength(1)
    })

    it('none: the code at once when signed in and consented', async () => {
      const w = await world({ routing })
      const browser = w.browser()
      await browser.code()
      await expectCode(w, await browser.authorize({ prompt: 'none' }))
    })

    it.each<[string, Record<string, string>, string]>([
      ['signed out', {}, 'login_required'],
      ['signed in, not consented', { sub: 'alice' }, 'consent_required'],
    ])('none %s: %j is %s, without a page', async (_, { sub }, error) => {
      const w = await world({ routing })
      const browser = sub === undefined ? w.browser() : await signedIn(w, sub)
      const shown = [w.logins.length, w.consents.length]
      const refused = answer(await browser.authorize({ prompt: 'none' }))
      expect(refused).toMatchObject({ status: 302, to: REDIRECT_URI, error, iss: w.issuer })
      expect(refused.state).toBe('the state')
      expect([w.logins.length, w.consents.length]).toEqual(shown)
      expect(await w.storage(w.realm).consents.list('alice')).toEqual([])
    })
  })

  describe('max_age', () => {
    it.each<[string, number, string, string]>([
      ['younger', 59, '60', 'code'],
      ['as old', 60, '60', 'login'],
      ['older', 61, '60', 'login'],
      ['any login is as old as 0', 0, '0', 'login'],
      ['a number beyond all ages', 86_400, '9'.repeat(40), 'code'],
    ])('a login that is %s (%i seconds, max_age=%s): %s', async (...[_, age, max_age, expected]) => {
      const w = await setUp({ routing })
      const browser = await signedIn(w)
      w.clock.now += age
      if (expected === 'code') return expectCode(w, await browser.authorize({ max_age }))
      await expectLogin(w, browser, { changes: { max_age }, reason: 'max_age' })
      const { code } = answer(await browser.signIn())
      expect(payload((await redeem(w, code)).body.id_token).auth_time).toBe(w.clock.now)
    })

    it('a login without a recorded auth_time is renewed', async () => {
      const w = await setUp({ routing })
      withoutAuthTime(w)
      const browser = await signedIn(w)
      await expectCode(w, await browser.authorize())
      await expectLogin(w, browser, { changes: { max_age: '600' }, reason: 'max_age' })
      // The login is not asked for again, even when the application still does not know.
      await expectCode(w, await browser.signIn())
    })

    it.each([true, false])(
      'with prompt=none the answer is login_required and the session is kept (auth_time recorded: %s)',
      async (recorded) => {
        const w = await setUp({ routing })
        if (!recorded) withoutAuthTime(w)
        const browser = await signedIn(w)
        w.clock.now += 100
        const refused = answer(await browser.authorize({ prompt: 'none', max_age: '100' }))
        expect(refused).toMatchObject({ to: REDIRECT_URI, error: 'login_required', state: 'the state' })
        expect(ended(w)).toEqual([])
        await expectCode(w, await browser.authorize())
      },
    )
  })

  describe('id_token_hint', () => {
    it('of the signed-in user goes on, with and without prompt=none', async () => {
      const w = await setUp({ routing })
      const browser = await signedIn(w)
      const id_token_hint = await idToken(w, browser)
      await expectCode(w, await browser.authorize({ id_token_hint }))
      await expectCode(w, await browser.authorize({ id_token_hint, prompt: 'none' }))
    })

    it('may be expired', async () => {
      const w = await setUp({ routing })
      const browser = await signedIn(w)
      const id_token_hint = await idToken(w, browser)
      w.clock.now += 7 * 86_400
      expect(payload(id_token_hint).exp).toBeLessThan(w.clock.now)
      await expectCode(w, await browser.authorize({ id_token_hint }))
    })

    it("may be another client's", async () => {
      const clients = [await client({ trusted: true }), await client({ client_id: 'other', trusted: true })]
      const w = await world({ routing, clients })
      const browser = await signedIn(w)
      const { code } = await browser.code({ client_id: 'other' })
      const { body } = await redeem(w, code, { client_id: 'other' })
      await expectCode(w, await browser.authorize({ id_token_hint: body.id_token }))
    })

    it.each([{}, { prompt: 'none' }, { prompt: 'login' }])(
      'whose sub is not the signed-in user: login_required, and the session is kept (%j)',
      async (more) => {
        const w = await setUp({ routing })
        const id_token_hint = await idToken(w, await signedIn(w, 'bob'))
        const browser = await signedIn(w, 'alice')
        const refused = answer(await browser.authorize({ id_token_hint, ...more }))
        expect(refused).toMatchObject({ to: REDIRECT_URI, error: 'login_required', state: 'the state' })
        expect(ended(w)).toEqual([])
        await expectCode(w, await browser.authorize())
      },
    )

    it('of a signed-out user: login, and only that user satisfies the request', async () => {
      const w = await setUp({ routing })
      const id_token_hint = await idToken(w, await signedIn(w))
      for (const [sub, expected] of [
        ['alice', 'code'],
        ['bob', 'error'],
      ] as const) {
        const browser = w.browser()
        expect(answer(await browser.authorize({ id_token_hint })).to).toBe(`${w.issuer}/login`)
        expect(answer(await browser.signIn(sub))).toHaveProperty(expected)
      }
    })

    it('of a signed-out user with prompt=none: login_required', async () => {
      const w = await setUp({ routing })
      const id_token_hint = await idToken(w, await signedIn(w))
      const refused = answer(await w.browser().authorize({ id_token_hint, prompt: 'none' }))
      expect(refused).toMatchObject({ to: REDIRECT_URI, error: 'login_required', state: 'the state' })
    })

    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

    it.each<[string, (w: World, good: string) => Promise<string> | string]>([
      [
        'a changed payload',
        (_, good) => {
          const [head, , signature] = good.split('.')
          return `${head}.${part({ ...payload(good), sub: 'bob' })}.${signature}`
        },
      ],
      ['a changed signature', (_, good) => good.replace(/.{8}$/, 'AAAAAAAA')],
      ['no signature', (_, good) => good.replace(/[^.]+$/, '')],
      ['bits in its last letter that no byte of the signature uses', (_, good) => spareBits(good)],
      ['the algorithm none', (_, good) => `${part({ alg: 'none' })}.${good.split('.')[1]}.`],
      [
        'the public key as an HMAC secret',
        async (w, good) => {
          const { keys } = await (
            await w.provider.fetch(new Request(`${w.issuer}/.well-known/jwks.json`))
          ).json()
          const protectedHeader = { ...header(good), alg: 'HS256' }
          return new SignJWT(payload(good)).setProtectedHeader(protectedHeader).sign(Buffer.from(keys[0].n))
        },
      ],
      [
        'the key of another realm',
        async (_, good) => {
          const other = await setUp({ routing, own_key: true })
          const hint = await idToken(other, await signedIn(other))
          expect([payload(hint).iss, header(hint).kid === header(good).kid]).toEqual([other.issuer, false])
          return hint
        },
      ],
      [
        "the realm's key under another issuer",
        async ({ storage }, good) => {
          const foreign = await setUp({ routing, storage, oidc: { issuer: 'https://elsewhere.example.com' } })
          const hint = await idToken(foreign, await signedIn(foreign))
          expect(header(hint)).toEqual(header(good))
          return hint
        },
      ],
      [
        'an access token',
        async (w) => (await redeem(w, (await (await signedIn(w)).code()).code)).body.access_token,
      ],
      ['no JWT', () => 'hint'],
      ['five parts', (_, good) => `${good}.a.b`],
    ])('that does not verify is invalid_request: %s', async (_, make) => {
      const w = await setUp({ routing })
      const browser = await signedIn(w)
      const good = await idToken(w, browser)
      const refused = answer(await browser.authorize({ id_token_hint: await make(w, good) }))
      expect(refused).toMatchObject({ to: REDIRECT_URI, error: 'invalid_request', state: 'the state' })
      await expectCode(w, await browser.authorize({ id_token_hint: good }))
    })
  })
})
