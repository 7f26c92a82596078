/** A sign-in with a mailed code: what a user sees and gets, and what follows it. */

import { describe, expect, it } from 'vitest'
import { createEmailCodes } from '../src/index.js'
import {
  browserAt,
  hiddenOf,
  isAskedForMore,
  isSignedIn,
  place,
  RECOVERY_CODE,
  reasons,
  wrong,
} from './_place.js'

describe('the sign-in', () => {
  it('goes on with the code of the mail, in the browser that has asked for it', async () => {
    const p = await place()
    const b = browserAt(p)
    const [html, code] = await b.codeFor('ada')
    expect(html).toContain('Check your email')
    expect(html).toContain('<bdi>ada</bdi>')
    expect(html).toContain('autocomplete="one-time-code"')
    expect(p.sent.map(({ to, subject }) => [to, subject])).toEqual([
      ['ada@corp.example', 'Your code to sign in – id.example'],
    ])
    const answer = await b.enter(html, code)
    expect(isSignedIn(answer)).toBe(true)
    expect(p.events.map(({ type }) => type)).toEqual(['mail.sent'])
    expect(p.events[0]).toMatchObject({ mail: 'code', sub: (await p.user('ada')).sub })
    const page = await b.read('/account')
    expect(page).toContain('Codes by email')
    expect(page).toContain('<bdi>ada@corp.example</bdi>')
  })

  it('the mail has the code, who asked and when, and no link', async () => {
    const p = await place()
    await browserAt(p).codeFor('ada')
    const { text = '', html = '' } = p.sent[0] ?? {}
    expect(text).toMatch(/^A code was requested to sign in to the account ada at id\.example\.\n\n.*2027/)
    expect(text + html).not.toMatch(/https?:\/\/|href/)
    expect(text).toContain('It works once, for 10 minutes.')
  })

  it.each([
    ['lower case', (code: string) => code.toLowerCase()],
    ['no hyphen', (code: string) => code.replace('-', '')],
    ['spaces', (code: string) => ` ${code.replace('-', ' ').split('').join(' ')}\u00a0`],
    ['a dash', (code: string) => code.replace('-', ' – ')],
    [
      'wide letters',
      (code: string) => code.replace(/[A-Z]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)),
    ],
  ])('takes the code with %s', async (...[, typed]) => {
    const p = await place()
    const b = browserAt(p)
    const [html, code] = await b.codeFor('ada')
    expect(isSignedIn(await b.enter(html, typed(code)))).toBe(true)
  })

  it('says what a code is, and counts nothing, when it cannot be one', async () => {
    const p = await place()
    const b = browserAt(p)
    const [html, code] = await b.codeFor('ada')
    for (const typed of ['', 'BCDF', 'AEIO-UAEI', '1234-5678', `${code}B`, 'x'.repeat(5000)]) {
      const answer = await b.enter(html, typed)
      expect(answer.status).toBe(422)
      expect(await answer.text()).toContain('A code has 8 letters')
    }
    expect(reasons(p)).toEqual([])
    expect(isSignedIn(await b.enter(html, code))).toBe(true)
  })

  it('a wrong code is said, and the right one still works', async () => {
    const p = await place()
    const b = browserAt(p)
    const [html, code] = await b.codeFor('ada')
    const answer = await b.enter(html, wrong(code))
    expect(answer.status).toBe(422)
    const again = await answer.text()
    expect(again).toContain('This is not the code')
    expect(again).toContain('aria-invalid="true"')
    expect(isSignedIn(await b.enter(again, code))).toBe(true)
    expect(reasons(p)).toEqual(['wrong_code'])
  })

  it('asks for the name where none is typed, with that of login_hint', async () => {
    const p = await place()
    const b = browserAt(p)
    const url = await b.authorize({ login_hint: 'ada' })
    const html = await b.read(url)
    expect(html).toContain('value="ada"')
    const answer = await b.post('/login/code', { ...hiddenOf(html), username: ' ', password: '' })
    expect(answer.status).toBe(422)
    expect(await answer.text()).toContain('Enter your username.')
    expect(await b.read(url.replace('/login?', '/login/code?'))).toContain('value="ada"')
    expect(p.queued).toEqual([])
  })

  it('another code goes to the name that was typed before', async () => {
    const p = await place()
    const b = browserAt(p)
    const [html] = await b.codeFor('ada')
    const answer = await b.post('/login/code', hiddenOf(html))
    await p.deliver()
    expect(p.sent.map(({ to }) => to)).toEqual(['ada@corp.example', 'ada@corp.example'])
    expect(await b.read(answer.headers.get('location') ?? '')).toContain('<bdi>ada</bdi>')
  })

  it('of the account page', async () => {
    const p = await place()
    const b = browserAt(p)
    const [html, code] = await b.codeFor('ada', '/login?return_to=%2Faccount')
    const answer = await b.enter(html, code)
    expect([isSignedIn(answer), answer.headers.get('location')]).toEqual([true, 'https://id.example/account'])
  })

  it.each([
    ['de', 'Code per E-Mail senden', 'Ihr Code für die Anmeldung', 'Sehen Sie in Ihre E-Mails'],
    ['fr', 'Code par e-mail', 'Votre code de connexion', 'Consultez vos e-mails'],
    ['es', 'Email me a code', 'Your code to sign in', 'Check your email'],
  ])('in %s', async (...[ui_locales, button, subject, title]) => {
    const p = await place()
    const b = browserAt(p)
    const url = await b.authorize({ ui_locales })
    expect(await b.read(url)).toContain(button)
    expect(await b.askAt('ada', url)).toContain(title)
    await p.deliver()
    expect(p.sent[0]?.subject).toContain(subject)
  })
})

describe('the level', () => {
  it('of a code is 1, and amr does not name it', async () => {
    const p = await place()
    const b = browserAt(p)
    const [html, code] = await b.codeFor('ada')
    const answer = await b.enter(html, code)
    const cookie = answer.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')
    const present = await p.provider.session(new Request('https://id.example/', { headers: { cookie } }))
    expect(present?.session).toMatchObject({ amr: [], acr: '1' })
  })

  it.each([
    ['a client that asks for level 2', 'ada', { acr_values: '2' }],
    ['an account with the second step on', 'bea', {}],
    ['an account with a passkey and without a password', 'ann', {}],
  ])('is not enough for %s', async (_, username, query) => {
    const p = await place({ oidc: { acr: 'require' } })
    const b = browserAt(p)
    const [html, code] = await b.codeFor(username, await b.authorize(query))
    expect(isAskedForMore(await b.enter(html, code))).toBe(true)
  })

  it('is not enough where the realm requires a second factor', async () => {
    const p = await place({ settings: { second_factor: 'required' } })
    const b = browserAt(p)
    const [html, code] = await b.codeFor('ada')
    const answer = await b.enter(html, code)
    expect(isAskedForMore(answer)).toBe(true)
    expect(await b.read(answer.headers.get('location') ?? '')).toContain('name="method" value="passkey"')
  })

  it('is not enough for an account with a passkey in a realm without passwords', async () => {
    const p = await place({ settings: { password: { enabled: false } } })
    const b = browserAt(p)
    const [html, code] = await b.codeFor('bea')
    expect(isAskedForMore(await b.enter(html, code))).toBe(true)
  })

  it('is enough for an account with a password and a passkey, as the password is', async () => {
    const p = await place()
    const user = await p.user('bea')
    const changed = { ...user, second_step: false, updated_at: user.updated_at + 1 }
    await p.users('default').update(changed, user.updated_at)
    const b = browserAt(p)
    const [html, code] = await b.codeFor('bea')
    expect(isSignedIn(await b.enter(html, code))).toBe(true)
  })

  it('is enough for an account with neither, whose way in it is', async () => {
    const p = await place()
    const b = browserAt(p)
    const [html, code] = await b.codeFor('cem')
    expect(isSignedIn(await b.enter(html, code))).toBe(true)
  })

  it('a recovery code stands in for a lost passkey after it', async () => {
    const p = await place()
    const b = browserAt(p)
    const [html, code] = await b.codeFor('ann')
    const step = await b.read((await b.enter(html, code)).headers.get('location') ?? '')
    const answer = await b.post('/login', {
      ...hiddenOf(step),
      action: 'second_step',
      proof: 'recovery',
      recovery_code: RECOVERY_CODE,
    })
    expect(isSignedIn(answer)).toBe(true)
  })
})

describe('the page', () => {
  it('of a realm without passwords has a field for the name', async () => {
    const p = await place({ settings: { password: { enabled: false } } })
    const b = browserAt(p)
    const url = await b.authorize({ login_hint: 'cem' })
    const html = await b.read(url)
    expect(html).not.toContain('type="password"')
    expect(html).toContain('action="/login/code"')
    expect(html).toContain('value="cem"')
    const [page, code] = await b.codeFor('cem', url)
    expect(isSignedIn(await b.enter(page, code))).toBe(true)
  })

  it('of a realm without codes is as without the package, and there is no other page', async () => {
    const realms = ['a', 'b']
    const with_codes = browserAt(await place({ realms, offering: ['a'] }), { realm: 'b' })
    const p = await place({ realms, identity: { extensions: [] } })
    const without = browserAt(p, { realm: 'b' })
    const shown = async (b: typeof without) =>
      (await b.read(await b.authorize())).replaceAll(/value="[^"]+"|return_to=[^"]+|challenge[^,]+/g, '')
    expect(await shown(with_codes)).toBe(await shown(without))
    expect((await with_codes.send(`${with_codes.base}/login/code`)).status).toBe(404)
  })

  it('of a realm that mails nothing has no button', async () => {
    const p = await place({ identity: { mail: { queue: (await place()).queue, of: () => null } } })
    const b = browserAt(p)
    expect(await b.read(await b.authorize())).not.toContain('Email me a code')
  })

  it('knows GET, HEAD and POST alone', async () => {
    const b = browserAt(await place())
    const answer = await b.send('/login/code', { method: 'PUT' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
  })
})

describe('the options', () => {
  it.each([undefined, 'default', [1], {}])('%s is no list of realms', (realms) => {
    expect(() => createEmailCodes({ realms: realms as string[] })).toThrow(
      "realms: give a list of the ids of realms: ['default']",
    )
  })
})

describe('the known device', () => {
  it('is one after a sign-in with a code, and has mails of its own', async () => {
    const p = await place()
    const owner = browserAt(p, { address: '192.0.2.1' })
    const [html, code] = await owner.codeFor('cem')
    await owner.enter(html, code)
    const stranger = browserAt(p, { address: '192.0.2.2' })
    for (let number = 0; number < 4; number += 1) await stranger.ask('cem')
    await p.deliver()
    expect(p.events.filter(({ type }) => type === 'mail.throttled')).toHaveLength(2)
    owner.cookies.delete('__Host-ostiary_session')
    const [again, newer] = await owner.codeFor('cem')
    expect(newer).not.toBe(code)
    expect(isSignedIn(await owner.enter(again, newer))).toBe(true)
  })

  it('is none before the second step', async () => {
    const p = await place()
    const b = browserAt(p)
    const [html, code] = await b.codeFor('bea')
    const cookies = (await b.enter(html, code)).headers.getSetCookie()
    expect(cookies.some((cookie) => cookie.includes('ostiary_device'))).toBe(false)
  })
})
