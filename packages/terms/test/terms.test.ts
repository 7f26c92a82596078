/** Users accept the terms: once for each version, whichever way they sign in. */

import { hiddenField } from '@ostiary/test-kit/browser'
import { describe, expect, it } from 'vitest'
import { createTerms, termsFaults } from '../src/index.js'
import {
  type AtBrowser,
  accept,
  browserAt,
  CODE,
  codeAfter,
  NEWER,
  type Place,
  pathOf,
  place,
  TERMS,
  types,
} from './_place.js'

const ANN = 'ann@corp.example'

/** Signs in to the end of what is proved. The last answer, and the name of the user. */
interface Way {
  username: string
  signIn(p: Place, b: AtBrowser): Promise<Response>
}

const NEW_PASSWORD = 'seven words that dan has chosen'
const newPassword = { new_password: NEW_PASSWORD, new_password_again: NEW_PASSWORD }

/** With a link of an operator or of a mail: sets a password. */
async function byLink(b: AtBrowser, link: string): Promise<Response> {
  const choice = await b.follow(await b.submit(await b.open(link), ['action', 'begin']))
  const page = await b.follow(await b.submit(choice, ['action', 'password'], newPassword))
  return b.submit(page, ['action', 'finish'])
}

const WAYS: Record<string, Way> = {
  'a password': { username: 'dan', signIn: (_, b) => b.signIn('dan') },
  'a password, for the account page': {
    username: 'dan',
    signIn: (_, b) => b.enter('/login?return_to=/account', 'dan'),
  },
  'a second step': {
    username: 'cem',
    async signIn(_, b) {
      const page = await b.follow(await b.signIn('cem'))
      return b.submit(page, ['proof', 'recovery'], { recovery_code: CODE })
    },
  },
  'a passkey': {
    username: 'dan',
    async signIn(p, b) {
      p.restart(null)
      const owner = browserAt(p)
      await owner.enter('/login?return_to=/account', 'dan')
      const page = await owner.submit(await owner.open('/account'), ['action', 'enrol'])
      const { credential } = await owner.addPasskey(await page.text())
      p.restart(TERMS)
      return b.usePasskey(credential, await b.authorize())
    },
  },
  'another provider': {
    username: 'dan',
    async signIn(_, b) {
      const return_to = new URL(await b.authorize()).searchParams.get('return_to') ?? ''
      return b.send(`/login/elsewhere?${new URLSearchParams({ return_to })}`)
    },
  },
  'a sign-up': {
    username: ANN,
    async signIn(p, b) {
      const return_to = new URL(await b.authorize()).searchParams.get('return_to') ?? ''
      const page = await b.open(`/login/signup?${new URLSearchParams({ return_to })}`)
      await b.submit(page, ['csrf_token', hiddenField(page, 'csrf_token')], { address: ANN })
      await p.deliver()
      const [link = ''] = /https:\/\/\S+\/login\/signup\?t=\S+/.exec(p.sent[0]?.text ?? '') ?? []
      const t = new URL(link).searchParams.get('t') ?? ''
      const choice = await b.follow(await b.submit(await b.open(link), ['t', t]))
      const after = await b.follow(await b.submit(choice, ['action', 'password'], newPassword))
      return b.submit(after, ['action', 'finish'])
    },
  },
  'an invitation': { username: 'new', signIn: async (p, b) => byLink(b, await p.invite('new')) },
  'the link of an operator': {
    username: 'dan',
    signIn: async (p, b) => byLink(b, await p.recoveryLink('dan')),
  },
}

describe('at the next sign-in', () => {
  it.each(Object.entries(WAYS))('with %s, the page comes before the session, once', async (_, way) => {
    const p = await place()
    const b = browserAt(p)
    const answer = await way.signIn(p, b)
    expect(pathOf(answer)).toBe('/login/terms')
    expect(await b.session()).toBeNull()
    expect((await p.user(way.username)).terms).toBeUndefined()
    const page = await b.follow(answer)
    expect(page).toContain('Accept the terms of service to go on.')
    expect(page).toContain(`<bdi>${way.username}</bdi>`)
    expect(page).toContain('href="https://corp.example/terms" target="_blank" rel="noopener noreferrer"')
    expect(await b.session()).toBeNull()
    expect(types(p)).not.toContain('terms.accepted')

    p.clock.now += 5
    const end = await accept(b, answer)
    const { sub } = await p.user(way.username)
    expect(await b.session()).toMatchObject({ sub })
    expect((await p.user(way.username)).terms).toEqual({ version: TERMS.version, accepted_at: p.clock.now })
    expect(p.events.filter(({ type }) => type === 'terms.accepted')).toMatchObject([
      { version: TERMS.version, sub, realm: 'default' },
    ])
    expect(['/account', '/oauth/authorize/resume']).toContain(pathOf(end))
    if (pathOf(end) !== '/account') expect((await codeAfter(b, end)).get('code')).toBeTruthy()
    expect([...b.cookies.keys()]).not.toContain('__Host-ostiary_terms')
    expect((await b.send(await b.authorize())).status).not.toBe(200)
  })

  it.each(Object.entries(WAYS))(
    'with %s, the session is the one that it would be without',
    async (_, way) => {
      const sessions = []
      for (const terms of [null, TERMS]) {
        const p = await place()
        p.restart(terms)
        const b = browserAt(p)
        const answer = await way.signIn(p, b)
        if (p.server && pathOf(answer) === '/login/terms') await accept(b, answer)
        const { amr, acr, auth_time } = (await b.session()) ?? {}
        sessions.push({ amr, acr, auth_time })
      }
      expect(sessions[0]).toEqual(sessions[1])
      expect(sessions[0]?.amr).toBeDefined()
    },
  )

  it('who has accepted is not asked again, and a new version asks again', async () => {
    const p = await place()
    const b = browserAt(p)
    await accept(b, await b.signIn('dan'))
    const again = browserAt(p)
    expect((await codeAfter(again, await again.signIn('dan'))).get('code')).toBeTruthy()

    p.restart(NEWER)
    // The session that has begun before works until the next sign-in.
    expect(new URL(await b.authorize({ prompt: 'none' })).searchParams.get('code')).toBeTruthy()
    const later = browserAt(p)
    const answer = await later.signIn('dan')
    const page = await later.follow(answer)
    expect(page).toContain('The terms of service have changed. Accept the new version to go on.')
    expect(page).toContain('<bdi>2027-01-01</bdi>')
    await accept(later, answer)
    expect((await p.user('dan')).terms?.version).toBe('2027-01-01')
    // The former version again: what is accepted is one version, the last.
    p.restart(TERMS)
    expect(pathOf(await browserAt(p).signIn('dan'))).toBe('/login/terms')
    expect(p.events.flatMap((event) => (event.type === 'terms.accepted' ? [event.version] : []))).toEqual([
      '2026-11-01',
      '2027-01-01',
    ])
  })

  it.each(['login', 'max_age'])('%s of a session asks where the version is another one alone', async (by) => {
    const p = await place()
    const b = browserAt(p)
    await accept(b, await b.signIn('dan'))
    const more: Record<string, string> = by === 'login' ? { prompt: 'login' } : { max_age: '1' }
    p.clock.now += 10
    expect((await codeAfter(b, await b.signIn('dan', more))).get('code')).toBeTruthy()
    p.restart(NEWER)
    p.clock.now += 10
    const answer = await b.signIn('dan', more)
    expect(pathOf(answer)).toBe('/login/terms')
    expect((await codeAfter(b, await accept(b, answer))).get('code')).toBeTruthy()
  })

  it('the account keeps what it has, and its sessions and sign-ins that wait', async () => {
    const p = await place()
    const before = await p.user('dan')
    const b = browserAt(p)
    await accept(b, await b.signIn('dan'))
    const { terms, updated_at, ...after } = await p.user('dan')
    expect({ ...after, updated_at: before.updated_at }).toEqual(before)
    expect(updated_at).toBeGreaterThan(before.updated_at)
    expect(terms).toBeDefined()
  })
})

it('the browser is known from the proof on, as without terms', async () => {
  const p = await place()
  const names = []
  for (const terms of [null, TERMS]) {
    p.restart(terms)
    const answer = await browserAt(p).signIn('dan')
    names.push(answer.headers.getSetCookie().filter((line) => /device/.test(line)).length)
  }
  expect(names).toEqual([1, 1])
})

it('a session of another provider is found again by its mark, as without terms', async () => {
  for (const terms of [null, TERMS]) {
    const p = await place()
    p.restart(terms)
    const b = browserAt(p)
    const answer = await (WAYS['another provider'] as Way).signIn(p, b)
    if (terms) await accept(b, answer)
    const claimed = async (sid = '') =>
      (await b.send(`/login/elsewhere?${new URLSearchParams({ sid })}`)).json()
    expect([await claimed((await b.session())?.sid), await claimed('another')]).toEqual([false, true])
  }
})

describe('who does not accept', () => {
  it('goes back to the application, which learns that access is denied', async () => {
    const p = await place()
    const b = browserAt(p)
    const page = await b.follow(await b.signIn('dan'))
    const back = await b.submit(page, ['action', 'decline'])
    const { searchParams } = new URL(back.headers.get('location') ?? '')
    expect(Object.fromEntries(searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'state of the client',
      iss: 'https://id.example',
    })
    expect(back.headers.get('location')).toMatch(/^https:\/\/app\.example\/cb\?/)
    expect([...b.cookies.keys()]).not.toContain('__Host-ostiary_terms')
    expect([await b.session(), (await p.user('dan')).terms]).toEqual([null, undefined])
    // The request is answered: the page that another tab shows leads nowhere.
    expect((await b.submit(page, ['action', 'accept'])).status).toBe(400)
    expect(await b.session()).toBeNull()
  })

  it('reads on a page that the sign-in has ended, where no application waits', async () => {
    const p = await place()
    const b = browserAt(p)
    const page = await b.follow(await b.enter('/login?return_to=/account', 'dan'))
    const kept = b.cookies.get('__Host-ostiary_terms') ?? ''
    const answer = await b.submit(page, ['action', 'decline'])
    expect(answer.status).toBe(200)
    const html = await answer.text()
    expect(html).toContain('<h1>The sign-in has ended</h1>')
    expect(html).toContain('href="/login?return_to=%2Faccount"')
    b.cookies.set('__Host-ostiary_terms', kept)
    expect(pathOf(await b.submit(page, ['action', 'accept']))).toBe('/login')
    expect([await b.session(), (await p.user('dan')).terms]).toEqual([null, undefined])
  })
})

describe('the page', () => {
  it.each([
    ['de', 'Um fortzufahren, stimmen Sie den Nutzungsbedingungen zu.', 'Zustimmen und fortfahren'],
    ['fr', 'Pour continuer, acceptez les conditions d’utilisation.', 'Accepter et continuer'],
    ['sv', 'Accept the terms of service to go on.', 'Accept and continue'],
  ])('in %s', async (ui_locales, sentence, button) => {
    const p = await place()
    const b = browserAt(p)
    const page = await b.follow(await b.signIn('dan', { ui_locales }))
    expect(page).toContain(sentence)
    expect(page).toContain(`>${button}</button>`)
  })

  it('has the privacy notice where the realm has one, which is not accepted', async () => {
    const p = await place()
    const b = browserAt(p)
    const answer = await b.signIn('dan')
    expect(await b.follow(answer)).not.toContain('privacy')
    p.restart({ ...TERMS, url: '/terms.html', privacy_url: 'https://corp.example/privacy?a=1&b=2' })
    const page = await b.follow(answer)
    expect(page).toContain('href="/terms.html"')
    expect(page).toContain('href="https://corp.example/privacy?a=1&amp;b=2"')
    expect(page).toContain('You do not have to accept it.')
  })

  it('leads on to the application, or stays on this site for the account page', async () => {
    const p = await place()
    const policyAfter = async (signIn: (b: AtBrowser) => Promise<Response>) => {
      const b = browserAt(p)
      const shown = await b.send((await signIn(b)).headers.get('location') ?? '')
      return shown.headers.get('content-security-policy') ?? ''
    }
    expect(await policyAfter((b) => b.signIn('dan'))).not.toContain('form-action')
    expect(await policyAfter((b) => b.enter('/login?return_to=/account', 'dan'))).toContain(
      "form-action 'self'",
    )
  })
})

describe('without terms', () => {
  it('a sign-in, and the paths, are as they were', async () => {
    const p = await place()
    p.restart(null)
    const b = browserAt(p)
    expect((await codeAfter(b, await b.signIn('dan'))).get('code')).toBeTruthy()
    expect(await p.user('dan')).not.toHaveProperty('terms')
    for (const method of ['GET', 'POST']) expect((await b.send('/login/terms', { method })).status).toBe(404)
  })

  it('a realm beside one that has some', async () => {
    const one = createTerms({ realms: { one: TERMS } })
    expect(one.methods?.('one', '/login/terms')).toEqual(['GET', 'HEAD', 'POST'])
    expect(one.methods?.('two', '/login/terms')).toEqual([])
    expect(one.methods?.('toString', '/login/terms')).toEqual([])
    expect(one.methods?.('one', '/login/other')).toEqual([])
    expect(await one.interrupt?.({ realm: { id: 'two' } } as never)).toBeNull()
  })
})

describe('the settings', () => {
  it('are accepted', () => {
    for (const settings of [
      TERMS,
      { version: 'ü', url: '/' },
      { version: 'x'.repeat(64), url: `/${'x'.repeat(2047)}`, privacy_url: 'https://corp.example' },
    ])
      expect(termsFaults(settings)).toEqual([])
  })

  it.each<[what: string, settings: object, fault: [path: string, message: RegExp]]>([
    ['an unknown key', { ...TERMS, link: '' }, ['link', /there are version, url and privacy_url/]],
    ['no version', { url: '/' }, ['version', /1 to 64 characters/]],
    ['an empty version', { ...TERMS, version: '' }, ['version', /1 to 64 characters/]],
    ['a long version', { ...TERMS, version: 'x'.repeat(65) }, ['version', /1 to 64 characters/]],
    ['a version with a space', { ...TERMS, version: '1 ' }, ['version', /without a space/]],
    ['a version with a control character', { ...TERMS, version: 'a\u0000b' }, ['version', /control/]],
    ['a number', { ...TERMS, version: 1 }, ['version', /1 to 64 characters/]],
    ['no URL', { version: '1' }, ['url', /an https URL/]],
    ['http', { ...TERMS, url: 'http://corp.example/' }, ['url', /an https URL/]],
    ['a script', { ...TERMS, url: 'javascript:alert(1)' }, ['url', /an https URL/]],
    ['another host by slashes', { ...TERMS, url: '//evil.example/' }, ['url', /a single \//]],
    ['another host by a backslash', { ...TERMS, url: '/\\evil.example/' }, ['url', /a single \//]],
    ['a relative path', { ...TERMS, url: 'terms' }, ['url', /a single \//]],
    ['a long URL', { ...TERMS, url: `/${'x'.repeat(2048)}` }, ['url', /at most 2048/]],
    ['the privacy notice', { ...TERMS, privacy_url: 'data:text/html,x' }, ['privacy_url', /an https URL/]],
  ])('%s is a fault', (_, settings, [path, message]) => {
    expect(termsFaults(settings as typeof TERMS)).toEqual([{ path, message: expect.stringMatching(message) }])
    expect(() => createTerms({ realms: { default: settings as typeof TERMS } })).toThrow(
      `realms.default.${path}: `,
    )
  })
})
