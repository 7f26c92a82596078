/** The access of clients to an account is shown, and one action ends it. */

import { describe, expect, it } from 'vitest'
import { CHANGE, confirmed, openAccount, postAccount, signedIn, subOf } from './_account.js'
import { browser, type Setup, setup } from './_setup.js'
import { GOOD, REFRESHES, REFUSED, tokensFrom, uses } from './_tokens.js'

const API = {
  resources: { api: { scopes: ['notes.read'] } },
  scopes: { 'notes.read': { description: 'Read your notes' } },
}
const RESOURCE = 'https://id.example/api'
const OFFLINE = { scope: 'openid profile offline_access' }

const clientsText = (html: string): string =>
  (/<section aria-labelledby="clients">[\s\S]*?<\/section>/.exec(html)?.[0] ?? '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

const withdraw = (resource = '') => ({ action: 'withdraw', client_id: 'app', resource })

describe('a password change', () => {
  it('ends access tokens, refresh tokens and offline access', async () => {
    const s = await setup({ client: REFRESHES })
    const b = await signedIn(s)
    const there = await signedIn(s)
    const held = [await tokensFrom(s, b), await tokensFrom(s, there), await tokensFrom(s, there, OFFLINE)]
    expect(await uses(s, await tokensFrom(s, b, OFFLINE))).toEqual(GOOD)
    expect((await postAccount(s, b, CHANGE)).status).toBe(303)
    for (const tokens of held) expect(await uses(s, tokens)).toEqual(REFUSED)
  })

  it('that is refused ends nothing', async () => {
    const s = await setup({ client: REFRESHES })
    const b = await signedIn(s)
    const tokens = await tokensFrom(s, b)
    expect((await postAccount(s, b, { ...CHANGE, current_password: 'wrong' })).status).toBe(422)
    expect(await uses(s, tokens)).toEqual(GOOD)
  })
})

describe('a withdrawal on the account page', () => {
  it.each([{}, OFFLINE])('with %j: the tokens end, and the next request asks for consent', async (params) => {
    const s = await setup({ client: REFRESHES })
    const b = await signedIn(s)
    const tokens = await tokensFrom(s, b, params)
    const done = await postAccount(s, b, withdraw())
    expect(await confirmed(b, done)).toBe('The access is withdrawn. The application has to ask you again.')
    expect(await uses(s, tokens)).toEqual(REFUSED)
    expect(await s.storage('default').grants.list(await subOf(s), s.clock.now)).toEqual([])
  })

  it('for one resource: the tokens for others stay valid', async () => {
    const s = await setup({ client: REFRESHES, oidc: API })
    const b = await signedIn(s)
    const here = await tokensFrom(s, b)
    await tokensFrom(s, b, { resource: RESOURCE, scope: 'notes.read' })
    await postAccount(s, b, withdraw(RESOURCE))
    expect(await uses(s, here)).toEqual(GOOD)
    const grants = await s.storage('default').grants.list(await subOf(s), s.clock.now)
    expect(grants.map(({ resource }) => resource)).toEqual([null])
  })

  it('from a client that needs no consent: its tokens end', async () => {
    const s = await setup({ client: { ...REFRESHES, consent_required: false } })
    const b = await signedIn(s)
    const tokens = await tokensFrom(s, b)
    const done = await postAccount(s, b, withdraw())
    expect(await confirmed(b, done)).toBe('The access of the application has ended.')
    expect(await uses(s, tokens)).toEqual(REFUSED)
    expect(await confirmed(b, await postAccount(s, b, withdraw()))).toBe('This access was withdrawn already.')
  })

  it('without a consent and without a resource: its tokens end, those for a resource stay valid', async () => {
    const s = await setup({ client: { ...REFRESHES, consent_required: false }, oidc: API })
    const b = await signedIn(s)
    const here = await tokensFrom(s, b)
    await tokensFrom(s, b, { resource: RESOURCE, scope: 'notes.read' })
    const done = await postAccount(s, b, withdraw('https://id.example'))
    expect(await confirmed(b, done)).toBe('The access of the application has ended.')
    expect(await uses(s, here)).toEqual(REFUSED)
    const grants = await s.storage('default').grants.list(await subOf(s), s.clock.now)
    expect(grants.map(({ resource }) => resource)).toEqual([RESOURCE])
  })
})

describe('the account page shows', () => {
  it('offline access and its date', async () => {
    const s = await setup({ client: REFRESHES })
    const b = await signedIn(s)
    await tokensFrom(s, b)
    expect(clientsText((await openAccount(s, b)).html)).not.toContain('not using it')
    await tokensFrom(s, b, OFFLINE)
    expect(clientsText((await openAccount(s, b)).html)).toContain(
      'See your name and profile Keep its access when you are not using it Allowed 15 January 2027',
    )
  })

  it('access without a consent, for each resource', async () => {
    const s = await setup({ client: { ...REFRESHES, consent_required: false }, oidc: API })
    const b = await signedIn(s)
    await tokensFrom(s, b, OFFLINE)
    s.clock.now += 86_400
    await tokensFrom(s, b, { resource: RESOURCE, scope: 'notes.read' })
    expect(clientsText((await openAccount(s, b)).html)).toBe(
      'Applications that you allowed ' +
        'When you withdraw access, the application has to ask you again. ' +
        'Quarterly Reports Withdraw all ' +
        'With your account at https://id.example/api it can Read your notes Has access since 16 January 2027 Withdraw this ' +
        'With your account here it can Know who you are See your name and profile Keep its access when you are not using it ' +
        'Has access since 15 January 2027 Withdraw this',
    )
  })

  it('a grant whose consent has ended, as older versions left them', async () => {
    const s = await setup({ client: REFRESHES })
    const b = await signedIn(s)
    await tokensFrom(s, b, OFFLINE)
    await s.storage('default').consents.revoke({ sub: await subOf(s), client_id: 'app' }, s.clock.now)
    const { html } = await openAccount(s, b)
    expect(clientsText(html)).toContain('Has access since 15 January 2027')
    expect(html).toContain('name="client_id" value="app"')
  })

  it('no ended access, and none of another user', async () => {
    const s: Setup = await setup({ client: { ...REFRESHES, consent_required: false } })
    const b = await signedIn(s)
    await tokensFrom(s, b)
    const { grants } = s.storage('default')
    const [grant] = await grants.list(await subOf(s), s.clock.now)
    if (!grant) throw new Error('No grant')
    expect(clientsText((await openAccount(s, b)).html)).toContain('Quarterly Reports')
    await grants.revoke({ grant_id: grant.grant_id }, s.clock.now)
    expect(clientsText((await openAccount(s, b)).html)).toContain('You have not allowed any application')
    expect((await browser(s).get('https://id.example/account')).status).toBe(303)
  })
})
