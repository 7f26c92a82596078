/** `prompt=create`: OpenID Connect Initiating User Registration 1.0. Only where the application says that users sign up. */

import { describe, expect, it } from 'vitest'
import {
  answer,
  type Browser,
  client,
  REDIRECT_URI,
  type World,
  type WorldOptions,
  world,
} from './support.js'

const SIGNS_UP = { reachable: { signsUp: () => true } }

const setUp = async (options: WorldOptions = SIGNS_UP): Promise<World> =>
  world({ clients: [await client({ trusted: true })], ...options })

async function signedIn(w: World): Promise<Browser> {
  const browser = w.browser()
  await browser.authorize()
  await browser.signIn('alice')
  return browser
}

const discovery = async (w: World) =>
  (await w.provider.fetch(new Request(`${w.issuer}/.well-known/openid-configuration`))).text()
const ended = ({ events }: World) => events.flatMap((e) => (e.type === 'session.ended' ? [e.reason] : []))

describe.each(['single', 'path'] as const)('realms by %s', (routing) => {
  it('without sign-up it is an unknown value, and no document names it', async () => {
    const off = await setUp({ routing })
    const refused = await setUp({ routing, reachable: { signsUp: () => false } })
    for (const w of [off, refused]) {
      expect(answer(await w.browser().authorize({ prompt: 'create' }))).toMatchObject({
        to: REDIRECT_URI,
        error: 'invalid_request',
        error_description: 'The parameter prompt allows only none, login, consent and select_account',
      })
      expect(JSON.parse(await discovery(w)).prompt_values_supported).toEqual([
        'none',
        'login',
        'consent',
        'select_account',
      ])
    }
    expect(await discovery(off)).toBe(await discovery(refused))
    await off.browser().authorize()
    expect(off.logins).toHaveLength(1)
    expect(off.logins[0]).not.toHaveProperty('creates_account')
  })

  it('with sign-up discovery names it, and the login prompt says so', async () => {
    const w = await setUp({ ...SIGNS_UP, routing })
    expect(JSON.parse(await discovery(w)).prompt_values_supported).toEqual([
      'none',
      'login',
      'consent',
      'select_account',
      'create',
    ])
    const browser = w.browser()
    await browser.authorize({ prompt: 'create' })
    expect(w.logins.at(-1)).toMatchObject({ reason: 'signed_out', creates_account: true })
    expect(answer(await browser.signIn('bob'))).toMatchObject({ to: REDIRECT_URI, code: expect.any(String) })
    await w.browser().authorize()
    expect(w.logins.at(-1)).not.toHaveProperty('creates_account')
  })

  it('is refused beside none, and goes with the others', async () => {
    const w = await setUp({ ...SIGNS_UP, routing })
    expect(answer(await w.browser().authorize({ prompt: 'none create' }))).toMatchObject({
      error: 'invalid_request',
      error_description: 'The prompt value none cannot be combined with another value',
    })
    expect(answer(await w.browser().authorize({ prompt: 'CREATE' }))).toMatchObject({
      error_description: 'The parameter prompt allows only none, login, consent, select_account and create',
    })
    await w.browser().authorize({ prompt: 'consent create' })
    expect(w.logins.at(-1)).toMatchObject({ creates_account: true })
  })

  it('a signed-in user is asked too, and the session ends with the new login alone', async () => {
    const w = await setUp({ ...SIGNS_UP, routing })
    const browser = await signedIn(w)
    expect(answer(await browser.authorize({ prompt: 'create' })).to).toBe(`${w.issuer}/login`)
    expect(w.logins.at(-1)).toMatchObject({ reason: 'prompt', creates_account: true })
    // A link of any application must not sign the user out of the others.
    expect(ended(w)).toEqual([])
    expect(answer(await browser.authorize({ prompt: 'none' })).code).toEqual(expect.any(String))
    w.clock.now += 1
    await browser.authorize({ prompt: 'create' })
    expect(answer(await browser.signIn('bob'))).toMatchObject({ to: REDIRECT_URI, code: expect.any(String) })
    expect(ended(w)).toEqual(['new_login'])
  })

  it('a signed-in user who signs in instead keeps the session, and what other applications have in it', async () => {
    const w = await setUp({ ...SIGNS_UP, routing })
    const browser = await signedIn(w)
    w.clock.now += 1
    await browser.authorize({ prompt: 'create' })
    expect(answer(await browser.signIn('alice'))).toMatchObject({
      to: REDIRECT_URI,
      code: expect.any(String),
    })
    expect(ended(w)).toEqual([])
    expect(w.events.filter(({ type }) => type === 'session.raised')).toHaveLength(1)
  })

  it('beside login it ends the session at once, as login does', async () => {
    const w = await setUp({ ...SIGNS_UP, routing })
    const browser = await signedIn(w)
    await browser.authorize({ prompt: 'login create' })
    expect(ended(w)).toEqual(['login_required'])
  })
})
