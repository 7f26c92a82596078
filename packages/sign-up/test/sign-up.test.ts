/** A user makes an account: the page, the mail, its link, and the way back to the application. */

import type { Extension } from '@ostiary/identity'
import { describe, expect, it } from 'vitest'
import { createSignUp, signUpFaults } from '../src/index.js'
import { browserAt, isSignedIn, lastLink, linkFor, PASSWORD, place, types } from './_place.js'

const ANN = 'ann@corp.example'

describe('without sign-up', () => {
  it('there is no such page, no link, and no prompt', async () => {
    const off = await place({ sign_up: { signup: 'off' } })
    const no_mail = await place({ identity: { mail: { queue: (await place()).queue, of: () => null } } })
    for (const p of [off, no_mail]) {
      const b = browserAt(p)
      for (const method of ['GET', 'HEAD', 'POST'])
        expect((await b.send(b.signUpUrl(), { method })).status).toBe(404)
      const login = await (await b.send(await b.authorize())).text()
      expect(login).not.toContain('signup')
      expect(await b.authorize({ prompt: 'create' })).toContain('error=invalid_request')
    }
  })

  it('a realm without it beside one that has it', async () => {
    const p = await place({ realms: ['one', 'two'], offering: ['one'] })
    const at = async (realm: string) => {
      const b = browserAt(p, { realm })
      return [(await b.send(b.signUpUrl())).status, new URL(await b.authorize({ prompt: 'create' })).pathname]
    }
    expect(await at('one')).toEqual([200, '/realms/one/login/signup'])
    expect(await at('two')).toEqual([404, '/cb'])
  })

  it('needs mail', async () => {
    await expect(place({ identity: { mail: undefined as never } })).rejects.toThrow(
      /mail: missing; sign_up needs it/,
    )
  })
})

describe('a new user', () => {
  it('comes from the sign-in page, and goes on to the application with a password', async () => {
    const p = await place()
    const b = browserAt(p)
    const login = await (await b.send(await b.authorize())).text()
    const [, path = ''] = /href="(\/login\/signup\?return_to=[^"]+)">Create an account</.exec(login) ?? []
    const url = new URL(path.replaceAll('&amp;', '&'), b.base).href
    const asked = await b.ask(' Ann@Corp.Example ', { url })
    expect(asked.status).toBe(303)
    expect(asked.headers.getSetCookie().join()).toMatch(
      /^__Host-ostiary_sign_up=sealed\.[^;]+; Path=\/; Max-Age=86400;/,
    )
    const after = await (await b.send(asked.headers.get('location') ?? '')).text()
    expect(after).toContain('If the address can be used, an email is on its way.')
    expect(after).toContain('href="/login?return_to=')
    expect(await p.users('default').findByUsername(ANN)).toBeNull()

    await p.deliver()
    expect(p.sent).toMatchObject([{ to: ANN, subject: 'Confirm your address – id.example' }])
    const begun = await b.press(lastLink(p))
    expect([begun.status, begun.headers.get('location')]).toEqual([303, 'https://id.example/login/ticket'])
    const page = await b.send(begun.headers.get('location') ?? '')
    // The form of this page leads on to the client.
    expect(page.headers.get('content-security-policy')).not.toContain('form-action')
    const end = await b.chooseNewPassword()
    expect(isSignedIn(end)).toBe(true)
    const back = await b.send(end.headers.get('location') ?? '')
    expect(back.headers.get('location')).toMatch(/^https:\/\/app\.example\/cb\?code=/)
    expect(await p.users('default').findByUsername(ANN)).toMatchObject({
      username: ANN,
      claims: { email: ANN, email_verified: true },
      groups: null,
    })
    expect([...b.cookies.keys()].filter((name) => name.includes('sign_up'))).toEqual([])
    expect(types(p)).toEqual(
      expect.arrayContaining(['signup.started', 'mail.sent', 'signup.completed', 'recovery.password_set']),
    )
    expect(JSON.stringify(p.events)).not.toContain(ANN)
    expect((await browserAt(p).signIn(ANN)).status).toBe(303)
  })

  it('comes by prompt=create of the client, in the language that it asks for', async () => {
    const p = await place()
    const b = browserAt(p)
    const url = await b.authorize({ prompt: 'create', ui_locales: 'de' })
    expect(url).toMatch(/^https:\/\/id\.example\/login\/signup\?return_to=/)
    const html = await (await b.send(url)).text()
    expect(html).toContain('<h1>Konto anlegen</h1>')
    expect(html).toMatch(/href="\/login\?return_to=[^"]+">Zurück zur Anmeldung/)
    await b.ask(ANN, { url })
    await p.deliver()
    expect(p.sent[0]?.subject).toBe('Adresse bestätigen – id.example')
    await b.press(lastLink(p))
    const end = await b.chooseNewPassword()
    expect((await b.send(end.headers.get('location') ?? '')).headers.get('location')).toContain('code=')
  })

  it('who has an account signs in instead, and the request goes on', async () => {
    const p = await place()
    const b = browserAt(p)
    const html = await (await b.send(await b.authorize({ prompt: 'create' }))).text()
    const [, path = ''] = /href="(\/login\?return_to=[^"]+)"/.exec(html) ?? []
    expect(await (await b.send(path)).text()).toContain('name="password"')
  })

  it('without a request, and when it has expired meanwhile, ends at the account page', async () => {
    for (const waits of [false, true]) {
      const p = await place()
      const b = browserAt(p)
      await b.ask(ANN, waits ? { url: await b.authorize({ prompt: 'create' }) } : {})
      await p.deliver()
      p.clock.now += 80_000
      await b.press(lastLink(p))
      expect((await b.chooseNewPassword()).headers.get('location')).toBe('https://id.example/account')
    }
  })

  it('without an account page and a request, is told that everything is stored', async () => {
    const p = await place({ identity: { account: false } })
    const b = browserAt(p)
    await b.press(await linkFor(p, ANN))
    const end = await b.chooseNewPassword()
    expect([end.status, isSignedIn(end)]).toEqual([200, false])
    expect((await browserAt(p).signIn(ANN)).status).toBe(303)
  })

  it('whose level is too low for the application is asked for the next step first', async () => {
    const p = await place({ settings: { second_factor: 'optional' }, oidc: { acr: 'require' } })
    const b = browserAt(p)
    const url = await b.authorize({ prompt: 'create', acr_values: '2' })
    await b.ask(ANN, { url })
    await p.deliver()
    await b.press(lastLink(p))
    const end = await b.chooseNewPassword()
    expect(isSignedIn(end)).toBe(false)
    expect(end.headers.get('location')).toMatch(/^https:\/\/id\.example\/login\?return_to=/)
    expect(await (await b.send(end.headers.get('location') ?? '')).text()).toContain(
      'name="action" value="enrol"',
    )
  })

  it('never goes on to an address that is no waiting request', async () => {
    const p = await place()
    for (const return_to of ['https://evil.example', '//evil.example', '/account/../x', 'sealed.AAAA']) {
      const b = browserAt(p)
      const asked = await b.ask(ANN, { url: b.signUpUrl(return_to) })
      expect(asked.headers.get('location')).toBe('https://id.example/login/signup?sent=')
      expect([...b.cookies.keys()].filter((name) => name.includes('sign_up'))).toEqual([])
      // A cookie of another origin cannot have this name (__Host-), and would lead nowhere.
      b.cookies.set('__Host-ostiary_sign_up', return_to)
      const address = `${return_to.length}@corp.example`
      await b.press(await linkFor(p, address))
      expect((await b.chooseNewPassword()).headers.get('location')).toBe('https://id.example/account')
    }
  })

  it('a request of more than 3,500 characters is not kept: the user ends at the account page', async () => {
    const kept = []
    const p = await place()
    const b = browserAt(p)
    const url = new URL(await b.authorize({ prompt: 'create' }))
    const token = url.searchParams.get('return_to') ?? ''
    const prompt = await p.provider.loginPrompt(new Request(url), token)
    if (prompt === null) throw new Error('No request')
    for (const length of [3_500, 3_501]) {
      const return_to = 'a'.repeat(length)
      // A provider whose token has exactly this length.
      const provider = { ...p.provider, loginPrompt: async () => ({ ...prompt, return_to }) }
      const at = b.signUpUrl(return_to)
      const headers = { cookie: [...b.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
      const page = await p.identity.fetch(provider, new Request(at, { headers }))
      const html = (await page?.text()) ?? ''
      const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(html)?.[1] ?? ''
      const csrf = page?.headers.getSetCookie()[0]?.split(';')[0] ?? ''
      const sent = new Request(at, {
        method: 'POST',
        body: new URLSearchParams({ csrf_token, address: ANN }),
        headers: { cookie: csrf },
      })
      const answer = await p.identity.fetch(provider, sent)
      kept.push([length, answer?.headers.getSetCookie().join().includes(`=${return_to};`)])
    }
    expect(kept).toEqual([
      [3_500, true],
      [3_501, false],
    ])
  })

  it('who goes away after the button gets the link again', async () => {
    const p = await place()
    await browserAt(p).press(await linkFor(p, ANN))
    p.clock.now += 3_600
    const b = browserAt(p)
    await b.press(await linkFor(p, ANN))
    expect((await b.chooseNewPassword()).headers.get('location')).toBe('https://id.example/account')
    expect(types(p).filter((type) => type === 'signup.completed')).toHaveLength(1)
  })

  it.each([
    ['a group', { groups: ['admins'] }],
    ['an attribute', { attributes: { plan: 'gold' } }],
    ['another claim', { claims: { email: ANN, email_verified: true, name: 'Ann' } }],
    ['a disabled account', { disabled_at: 1 }],
    ['a former way in', { credential_version: 1 }],
    ['an address that is not verified', { claims: { email: ANN, email_verified: false } }],
  ])('with %s is an account that exists: the link does not let in', async (_, changed) => {
    const p = await place()
    const link = await linkFor(p, ANN)
    await browserAt(p).press(link)
    const user = await p.users('default').findByUsername(ANN)
    if (!user) throw new Error('No user')
    await p.users('default').update({ ...user, ...changed, updated_at: user.updated_at + 1 }, user.updated_at)
    await browserAt(p).ask(ANN)
    await p.deliver()
    expect(p.sent.at(-1)?.subject).toBe('You already have an account – id.example')
    const other = await linkFor(p, 'bob@corp.example')
    expect((await browserAt(p).press(other)).status).toBe(303)
  })
})

describe('the mail to an address that has an account', () => {
  it('says so, and leads to the sign-in and to a new password', async () => {
    const p = await place()
    const b = browserAt(p)
    await b.ask('ADA@corp.example')
    await p.deliver()
    expect(p.sent).toMatchObject([
      { to: 'ada@corp.example', subject: 'You already have an account – id.example' },
    ])
    const { text = '', html = '' } = p.sent[0] ?? {}
    expect(text).toContain('https://id.example/login\n')
    expect(text).toContain('https://id.example/login/recover')
    expect(text + html).not.toContain('signup?t=')
  })

  it('without passwords it names no page for a new one', async () => {
    const p = await place({ settings: { password: { enabled: false } } })
    await browserAt(p).ask('ada@corp.example')
    await p.deliver()
    expect(p.sent[0]?.text).not.toContain('/login/recover')
  })
})

describe('domains', () => {
  const sign_up = { signup: 'domains', signup_domains: ['corp.example', 'corp.test'] } as const

  it('another domain is told at once, and the list is on the page', async () => {
    const p = await place({ sign_up })
    const b = browserAt(p)
    expect(await (await b.send(b.signUpUrl())).text()).toContain('corp.example, corp.test')
    for (const address of ['ann@evil.example', 'ann@sub.corp.example', 'ann@corp.example.evil.example']) {
      const answer = await b.ask(address)
      expect(answer.status).toBe(422)
      expect(await answer.text()).toContain(`value="${address}"`)
    }
    expect(types(p)).toEqual([])
    expect((await b.ask('ann@CORP.test')).status).toBe(303)
  })

  it('a link to an address of a domain that was removed does not work', async () => {
    const p = await place({ sign_up })
    const link = await linkFor(p, ANN)
    const later = await place({ sign_up: { signup: 'domains', signup_domains: ['corp.test'] } })
    expect((await browserAt(later).send(link)).status).toBe(400)
  })
})

describe('the settings', () => {
  it.each([
    [{ signup: 'domains' }, 'signup: "domains" needs x.signup_domains'],
    [{ signup: 'domains', signup_domains: [] }, 'signup: "domains" needs x.signup_domains'],
    [
      { signup: 'open', signup_domains: ['a.example'] },
      'signup_domains: they have no effect with x.signup "open"',
    ],
    [
      { signup: 'off', signup_domains: ['a.example'] },
      'signup_domains: they have no effect with x.signup "off"',
    ],
    [{ signup: 'domains', signup_domains: ['@a.example'] }, 'signup_domains: "@a.example" is no domain'],
    [{ signup: 'domains', signup_domains: ['A.example'] }, 'signup_domains: "A.example" is no domain'],
    [{ signup: 'domains', signup_domains: ['a.example.'] }, 'signup_domains: "a.example." is no domain'],
    [{ signup: 'yes' }, 'signup: give off, domains or open'],
    [
      { signup: 'domains', signup_domain: ['a.example'] },
      'signup_domain: there is no such setting: there are signup and signup_domains',
    ],
  ])('%j is a fault', (settings, expected) => {
    const found = signUpFaults(settings as Parameters<typeof signUpFaults>[0], 'x.')
    expect(found.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      expect.stringContaining(expected),
    ])
    expect(() => createSignUp({ realms: { one: settings as never } })).toThrow('realms.one.')
  })

  it.each([
    { signup: 'off' },
    { signup: 'open' },
    { signup: 'domains', signup_domains: ['a.example'] },
  ] as const)('%j is none', (settings) => {
    expect(signUpFaults(settings)).toEqual([])
  })

  it('a realm with a name of every object signs up no one', () => {
    expect(createSignUp({ realms: {} }).offered('constructor')).toBe(false)
  })

  it('a language without texts gets English', () => {
    const { label } = createSignUp({ realms: {} })
    expect(['fr-CH', 'de', 'es', 'constructor'].map(label)).toEqual([
      'Créer un compte',
      'Konto anlegen',
      'Create an account',
      'Create an account',
    ])
  })

  it('signs in with the password that was chosen', async () => {
    const p = await place()
    const b = browserAt(p)
    await b.press(await linkFor(p, ANN))
    await b.chooseNewPassword()
    expect((await browserAt(p).signIn(ANN, PASSWORD)).status).toBe(303)
    expect((await browserAt(p).signIn(ANN, 'another password of words')).status).toBe(422)
  })
})

describe('an address of another provider', () => {
  const CORP_PAGE = 'https://login.corp.example/authorize'
  const corp = { leads: true }
  const extension: Extension = {
    name: 'corp',
    begin: (c, { username }) =>
      corp.leads && username.endsWith('@corp.example') ? Promise.resolve(c.redirect(CORP_PAGE)) : null,
  }
  const at = (leads: boolean) => {
    corp.leads = leads
    return place({ identity: { extensions: [extension] } })
  }

  it('leads there, and is not mailed: known and unknown alike', async () => {
    const p = await at(true)
    for (const address of [ANN, 'ada@corp.example']) {
      const b = browserAt(p)
      expect((await b.ask(address)).headers.get('location')).toBe(CORP_PAGE)
    }
    await p.deliver()
    expect(p.sent).toEqual([])
    const b = browserAt(p)
    expect((await b.ask('ann@other.example')).headers.get('location')).toContain('sent')
    const page = await b.send(b.signUpUrl())
    expect(page.headers.get('content-security-policy')).not.toContain("form-action 'self'")
  })

  it('makes no user with a link that was mailed before', async () => {
    const p = await at(false)
    const url = await linkFor(p, ANN)
    corp.leads = true
    const b = browserAt(p)
    expect((await b.press(url)).headers.get('location')).toBe(CORP_PAGE)
    expect(await p.users('default').findByUsername(ANN)).toBeNull()
  })
})
