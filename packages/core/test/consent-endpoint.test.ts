/** `POST|DELETE /oauth/authorize/consent`: the `auth_token`, and what the form cannot change. */

import { sha256 } from '@ostiary/core'
import { describe, expect, it } from 'vitest'
import {
  answer,
  authorizeUrl,
  type Browser,
  client,
  elsewhere,
  formRequest,
  REDIRECT_URI,
  redeem,
  type World,
  type WorldOptions,
  world,
} from './support.js'

/** A user's consent view is open. */
async function asked(options: WorldOptions = {}) {
  const w = await world(options)
  const browser = w.browser()
  await browser.authorize()
  await browser.signIn()
  return { w, browser, ...latest(w) }
}

function latest(w: World) {
  const prompt = w.consents.at(-1)
  if (!prompt) throw new Error('No consent view was shown')
  return prompt
}

const stored = (w: World, sub = 'alice') => w.storage(w.realm).consents.list(sub)
const codes = (w: World) => w.events.filter(({ type }) => type === 'code.issued')

async function expectForbidden(w: World, response: Response): Promise<void> {
  expect([response.status, response.headers.get('location')]).toEqual([403, null])
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await response.json()).toEqual({ error: 'access_denied', error_description: expect.any(String) })
  expect([...(await stored(w)), ...(await stored(w, 'bob')), ...codes(w)]).toEqual([])
}

const METHODS = ['POST', 'DELETE']

describe.each(['single', 'path'] as const)('realms by %s', (routing) => {
  it.each<[string, string, Record<string, string>]>([
    ['DELETE', 'DELETE', {}],
    ['POST with _method=DELETE', 'POST', { _method: 'DELETE' }],
    ['POST with _method=delete', 'POST', { _method: 'delete' }],
  ])('%s denies: access_denied with state and iss, nothing stored', async (_, method, more) => {
    const { w, browser, action, auth_token } = await asked({ routing })
    const response = await browser.send(formRequest(action, { auth_token, ...more }, { method }))
    expect(answer(response)).toEqual({
      status: 303,
      to: REDIRECT_URI,
      error: 'access_denied',
      error_description: expect.any(String),
      state: 'the state',
      iss: w.issuer,
    })
    expect([await stored(w), codes(w)]).toEqual([[], []])
    expect((await browser.approve()).status).toBe(403)
  })

  describe('an auth_token that is not valid: 403 JSON, nothing stored', () => {
    it.each<
      [string, (w: World, browser: Browser, auth_token: string) => Promise<string | null> | string | null]
    >([
      ['wrong', () => 'x'.repeat(43)],
      ['missing', () => null],
      ['empty', () => ''],
      ['return_to in its place', (w) => latest(w).return_to],
      ['cut short', (_w, _browser, auth_token) => auth_token.slice(0, -1)],
      ['its hash', (_w, _browser, auth_token) => sha256(auth_token)],
      [
        'expired',
        (w, _browser, auth_token) => {
          w.clock.now += 600
          return auth_token
        },
      ],
      [
        'used to deny',
        async (_, browser, auth_token) => {
          await browser.deny()
          return auth_token
        },
      ],
      [
        'after logout',
        async (w, browser, auth_token) => {
          const page = await (await browser.get(`${w.issuer}/oauth/logout`)).text()
          const [, confirmation_token = ''] = /name="confirmation_token" value="([^"]+)"/.exec(page) ?? []
          await browser.post(`${w.issuer}/oauth/logout`, { confirmation_token })
          expect(w.events).toContainEqual(
            expect.objectContaining({ type: 'session.ended', reason: 'logout' }),
          )
          return auth_token
        },
      ],
      [
        'after a new login in the same browser',
        async (_, browser, auth_token) => {
          await browser.authorize({ prompt: 'login' })
          await browser.signIn()
          return auth_token
        },
      ],
      [
        'of a user who was deleted meanwhile',
        (w, _browser, auth_token) => {
          w.accounts.delete('alice')
          return auth_token
        },
      ],
    ])('%s', async (_, make) => {
      for (const method of METHODS) {
        const { w, browser, action, auth_token } = await asked({ routing })
        const given = await make(w, browser, auth_token)
        const form: Record<string, string> = given === null ? {} : { auth_token: given }
        await expectForbidden(w, await browser.send(formRequest(action, form, { method })))
      }
    })

    it.each(['nobody', 'alice', 'bob'])(
      "another session's (%s), and its own is not harmed",
      async (other) => {
        const { w, browser, action, auth_token } = await asked({ routing })
        const second = w.browser()
        if (other !== 'nobody') {
          await second.authorize()
          await second.signIn(other)
        }
        for (const method of METHODS)
          await expectForbidden(w, await second.send(formRequest(action, { auth_token }, { method })))
        expect(answer(await browser.post(action, { auth_token }))).toHaveProperty('code')
        expect(await stored(w)).toHaveLength(1)
      },
    )

    it('reused after the approval: one code, one row', async () => {
      const { w, browser, action, auth_token } = await asked({ routing })
      expect(answer(await browser.post(action, { auth_token }))).toHaveProperty('code')
      const rows = await stored(w)
      for (const method of METHODS)
        expect((await browser.send(formRequest(action, { auth_token }, { method }))).status).toBe(403)
      expect(await stored(w)).toEqual(rows)
      expect(codes(w)).toHaveLength(1)
    })
  })

  it('an auth_token is valid until its last second', async () => {
    const { w, browser } = await asked({ routing })
    w.clock.now += 599
    expect(answer(await browser.approve())).toHaveProperty('code')
  })

  it('50 parallel approvals with one auth_token: exactly one code', async () => {
    const { w, browser, action, auth_token } = await asked({ routing })
    const answers = await Promise.all(Array.from({ length: 50 }, () => browser.post(action, { auth_token })))
    expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(49).fill(403)])
    expect(codes(w)).toHaveLength(1)
  })

  it('an approval and a denial at once with one auth_token: exactly one counts', async () => {
    const { browser, action, auth_token } = await asked({ routing })
    const answers = await Promise.all(
      METHODS.map((method) => browser.send(formRequest(action, { auth_token }, { method }))),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 403])
  })

  it('two requests that wait at once each have their own auth_token and answer', async () => {
    const { w, browser, action, auth_token } = await asked({ routing })
    await browser.authorize({ state: 'second', scope: 'openid' })
    const second = latest(w)
    expect(second.auth_token).not.toBe(auth_token)
    expect(answer(await browser.post(action, { auth_token }))).toMatchObject({ state: 'the state' })
    expect(answer(await browser.post(action, { auth_token: second.auth_token }))).toMatchObject({
      state: 'second',
      code: expect.any(String),
    })
  })

  it.each<[string, string, string]>([
    ['approved', 'POST', 'POST'],
    ['denied', 'DELETE', 'POST'],
    ['approved, then denied', 'POST', 'DELETE'],
  ])(
    'a pending request allows one answer, even when its view was shown twice: %s',
    async (_, first, second) => {
      const { w, browser, action, auth_token, return_to } = await asked({ routing })
      await browser.get(`${w.issuer}/oauth/authorize/resume?id=${return_to}`)
      const again = latest(w).auth_token
      expect(again).not.toBe(auth_token)
      expect((await browser.send(formRequest(action, { auth_token }, { method: first }))).status).toBe(303)
      const rows = await stored(w)
      const response = await browser.send(formRequest(action, { auth_token: again }, { method: second }))
      expect([response.status, response.headers.get('location')]).toEqual([403, null])
      expect(await stored(w)).toEqual(rows)
      expect(codes(w)).toHaveLength(first === 'POST' ? 1 : 0)
    },
  )

  it('max_age runs out while the view is open: reloading it renews the login, and the old auth_token is not valid', async () => {
    const { w, browser } = await asked({ routing })
    await browser.authorize({ max_age: '5' })
    const { auth_token, action, return_to } = latest(w)
    w.clock.now += 5
    const reloaded = await browser.get(`${w.issuer}/oauth/authorize/resume?id=${return_to}`)
    expect(answer(reloaded).to).toBe(`${w.issuer}/login`)
    expect((await browser.signIn()).status).toBe(200)
    await expectForbidden(w, await browser.post(action, { auth_token }))
    expect(answer(await browser.approve())).toMatchObject({ code: expect.any(String), state: 'the state' })
  })

  it('the pending request counts, not what the form repeats', async () => {
    const clients = [await client(), await client({ client_id: 'other', trusted: true })]
    const { w, browser, action, auth_token } = await asked({ routing, clients })
    const forged = new URL(
      authorizeUrl(w.issuer, { client_id: 'other', scope: 'openid phone', state: 'evil' }),
    )
    forged.searchParams.set('redirect_uri', 'https://evil.example')
    forged.searchParams.set('sub', 'bob')
    forged.searchParams.set('code_challenge', 'x'.repeat(43))
    const form = { ...Object.fromEntries(forged.searchParams), auth_token }
    const { code, ...rest } = answer(await browser.post(action + forged.search, form))
    expect(rest).toEqual({ status: 303, to: REDIRECT_URI, state: 'the state', iss: w.issuer })
    expect(await stored(w)).toMatchObject([{ client_id: 'app', scopes: ['openid', 'profile', 'email'] }])
    expect(await stored(w, 'bob')).toEqual([])
    expect((await redeem(w, code)).body.scope).toBe('openid profile email')
  })

  it('an auth_token in the query does not count', async () => {
    const { w, browser, action, auth_token } = await asked({ routing })
    for (const method of METHODS)
      await expectForbidden(
        w,
        await browser.send(formRequest(`${action}?auth_token=${auth_token}`, {}, { method })),
      )
  })

  it.each(['auth_token', '_method', 'foo'])('%s given twice is invalid_request', async (name) => {
    for (const method of METHODS) {
      const { w, browser, action, auth_token } = await asked({ routing })
      const form: [string, string][] = [
        ['auth_token', auth_token],
        [name, auth_token],
        [name, auth_token],
      ]
      const response = await browser.send(formRequest(action, form, { method }))
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: 'invalid_request' })
      expect([...(await stored(w)), ...codes(w)]).toEqual([])
      expect(answer(await browser.approve())).toHaveProperty('code')
    }
  })

  it.each<[string, (w: World) => Promise<unknown>]>([
    ['client revoked', (w) => elsewhere(w, (clients) => clients.revoke('app', w.clock.now))],
    [
      'redirect_uri withdrawn',
      async (w) => {
        const changed = await client({ redirect_uris: ['https://client.example.com/new'] })
        await elsewhere(w, (clients) => clients.update(changed))
      },
    ],
  ])('%s while the consent view is open: 400 JSON, no redirect, nothing stored', async (_, change) => {
    for (const method of METHODS) {
      const { w, browser, action, auth_token } = await asked({ routing })
      await change(w)
      const response = await browser.send(formRequest(action, { auth_token }, { method }))
      expect([response.status, response.headers.get('location')]).toEqual([400, null])
      expect(await response.json()).toMatchObject({ error: 'invalid_request' })
      expect([...(await stored(w)), ...codes(w)]).toEqual([])
    }
  })
})
