/** `ui_locales`: the pages get the languages that the client asks for, and nothing else depends on them. */

import type { ErrorPrompt, LogoutPrompt, SignedOutPrompt } from '@ostiary/core'
import { describe, expect, it } from 'vitest'
import { answer, client, formRequest, redeem, type World, world } from './support.js'

const BYE = 'https://client.example.com/bye'

/** A world that records the prompts of its pages. */
async function recorded() {
  const logouts: LogoutPrompt[] = []
  const goodbyes: SignedOutPrompt[] = []
  const errors: ErrorPrompt[] = []
  const page = async <T>(list: T[], prompt: T) => {
    list.push(prompt)
    return new Response('a page', { headers: { 'content-type': 'text/html' } })
  }
  const logins: World['logins'] = []
  const consents: World['consents'] = []
  const w = await world({
    clients: [await client({ post_logout_redirect_uris: [BYE] })],
    interactions: {
      login: (prompt) => page(logins, prompt),
      consent: (prompt) => page(consents, prompt),
      logout: (prompt) => page(logouts, prompt),
      signedOut: (prompt) => page(goodbyes, prompt),
      error: (prompt) => page(errors, prompt),
    },
  })
  return { w: { ...w, logins, consents }, logouts, goodbyes, errors }
}

const NAVIGATION = { headers: { accept: 'text/html' } }

describe('ui_locales of an authorization request', () => {
  it('is in the prompts of the login and of the consent', async () => {
    const w = await world()
    const b = w.browser()
    await b.authorize({ ui_locales: 'de-AT <script> fr' })
    expect(w.logins.at(-1)?.ui_locales).toEqual(['de-AT', 'fr'])
    await b.signIn()
    expect(w.consents.at(-1)?.ui_locales).toEqual(['de-AT', 'fr'])
  })

  it('is in the login prompt that the application reads with the token', async () => {
    const w = await world()
    await w.browser().authorize({ ui_locales: 'fr' })
    const { return_to = '' } = w.logins.at(-1) ?? {}
    const prompt = await w.provider.loginPrompt(new Request(`${w.issuer}/login`), return_to)
    expect(prompt?.ui_locales).toEqual(['fr'])
  })

  it('is empty without the parameter, and never an error', async () => {
    const w = await world()
    for (const ui_locales of [null, '', 'nonsense!', 'x'.repeat(5000), '\u{1f600}']) {
      expect((await w.browser().authorize({ ui_locales })).status).toBe(302)
      expect(w.logins.at(-1)?.ui_locales).toEqual([])
    }
  })

  it('changes no answer to the client', async () => {
    const w = await world()
    const { code } = await w.browser().code({ ui_locales: 'de' })
    expect((await redeem(w, code)).status).toBe(200)
    const silent = await w.browser().authorize({ prompt: 'none', ui_locales: 'de' })
    expect(answer(silent)).toMatchObject({ error: 'login_required' })
  })

  it('adds fewer than 300 characters to the token of a pending request', async () => {
    const w = await world()
    const lengthWith = async (ui_locales: string | null) => {
      await w.browser().authorize({ ui_locales })
      return w.logins.at(-1)?.return_to.length ?? 0
    }
    const longest = [...'abcdefghij'].map((letter) => `${letter}a-${'x12345678-'.slice(1).repeat(3)}x1234`)
    const without = await lengthWith(null)
    expect(without).toBeGreaterThan(100)
    expect(await lengthWith(longest.join(' '))).toBeLessThan(without + 300)
    expect(await lengthWith('x!')).toBe(without)
  })
})

describe('ui_locales of a logout request', () => {
  it('is in the prompt of the confirmation, and in that of the page after it', async () => {
    const { w, logouts, goodbyes } = await recorded()
    const b = w.browser()
    await signedIn(w, b)
    await b.get(`${w.issuer}/oauth/logout?ui_locales=de+fr`)
    expect(logouts.at(-1)?.ui_locales).toEqual(['de', 'fr'])
    const { confirmation_token = '' } = logouts.at(-1) ?? {}
    await b.post(`${w.issuer}/oauth/logout`, { confirmation_token })
    expect(goodbyes.at(-1)?.ui_locales).toEqual(['de', 'fr'])
  })

  it('is kept when a form of another site is sent again as a GET', async () => {
    const { w } = await recorded()
    const form = { client_id: 'app', ui_locales: `de ${'x'.repeat(40)} fr` }
    const sent = await w.provider.fetch(formRequest(`${w.issuer}/oauth/logout`, form))
    expect(sent.status).toBe(303)
    const location = new URL(sent.headers.get('location') ?? '')
    expect(location.searchParams.get('ui_locales')).toBe('de fr')
    const without = await w.provider.fetch(formRequest(`${w.issuer}/oauth/logout`, { client_id: 'app' }))
    expect(without.headers.get('location')).not.toContain('ui_locales')
  })
})

describe('an error page', () => {
  it('gets the languages of the query, and the kind of the error', async () => {
    const { w, errors } = await recorded()
    const shown = async (path: string) => {
      await w.provider.fetch(new Request(w.issuer + path, NAVIGATION))
      const { kind, ui_locales, status } = errors.at(-1) ?? {}
      return { kind, ui_locales, status }
    }
    const query = 'response_type=code&ui_locales=de&client_id='
    expect(await shown(`/oauth/authorize?${query}nobody`)).toEqual({
      kind: 'unknown_client',
      ui_locales: ['de'],
      status: 400,
    })
    expect(await shown(`/oauth/authorize?${query}app&redirect_uri=https://evil.example/`)).toEqual({
      kind: 'unregistered_redirect_uri',
      ui_locales: ['de'],
      status: 400,
    })
    const nothing = { ui_locales: [], status: 400 }
    expect(await shown('/oauth/authorize/resume?id=used')).toEqual({ ...nothing, kind: 'expired' })
    expect(await shown('/oauth/authorize')).toEqual({ ...nothing, kind: null })
    expect(await shown('/oauth/logout?state=1&state=2&ui_locales=fr')).toEqual({
      kind: null,
      ui_locales: ['fr'],
      status: 400,
    })
  })

  it('does not tell a revoked client from an unknown one', async () => {
    const { w, errors } = await recorded()
    await (await w.provider.manage(w.realm)).clients.revoke('app')
    await w.provider.fetch(new Request(`${w.issuer}/oauth/authorize?client_id=app`, NAVIGATION))
    expect(errors.at(-1)?.kind).toBe('unknown_client')
  })

  it.each([
    ['/oauth/logout', 'confirmation_token', 'expired'],
    ['/oauth/authorize/consent', 'auth_token', 'answered'],
  ] as const)('of %s with an unknown %s has the kind %s', async (path, field, kind) => {
    const { w, errors } = await recorded()
    const init = { headers: { accept: 'text/html' } }
    await w.provider.fetch(formRequest(w.issuer + path, { [field]: 'used' }, init))
    expect(errors.at(-1)).toMatchObject({ kind, status: 403 })
  })
})

/** Signs Alice in, without the pages. */
async function signedIn(w: World, b: ReturnType<World['browser']>): Promise<void> {
  const headers = { cookie: '' }
  const request = new Request(`${w.issuer}/login`, { method: 'POST', headers })
  const response = await w.provider.login(request, { sub: 'alice', amr: ['pwd'], return_to: { path: '/' } })
  for (const cookie of response.headers.getSetCookie()) {
    const [pair = ''] = cookie.split(';')
    const equals = pair.indexOf('=')
    b.cookies.set(pair.slice(0, equals), pair.slice(equals + 1))
  }
}
