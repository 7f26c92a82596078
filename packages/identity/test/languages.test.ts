/** The language of each page: ui_locales of the client, then Accept-Language of the browser, then the default. */

import { en } from '@ostiary/messages'
import { describe, expect, it } from 'vitest'
import type { LanguageCatalog } from '../src/index.js'
import { allow, CHANGE, openAccount, postAccount, signedIn } from './_account.js'
import { authorizeUrl, type Browser, browser, openLogin, PASSWORD, type Setup, setup } from './_setup.js'

const languageOf = (html: string): string => /<html lang="([^"]*)"/.exec(html)?.[1] ?? ''
const headingOf = (html: string): string => /<h1>(.*?)<\/h1>/.exec(html)?.[1] ?? ''

/** A browser that sends this header with each request. */
const browserOf = (s: Setup, accept_language: string): Browser => {
  const b = browser(s)
  const headers = { 'accept-language': accept_language, accept: 'text/html' }
  return {
    ...b,
    get: (url) => b.get(url, { headers }),
    post: (url, fields) => b.post(url, fields, { headers }),
  }
}

describe('the language of the sign-in page', () => {
  it.each([
    ['fr', 'de', 'fr'],
    ['it fr-CA de', 'en', 'fr'],
    ['it es', 'de', 'de'],
    ['', 'de-AT,en;q=0.5', 'de'],
    ['', 'it, en;q=0.1, fr;q=0.9', 'fr'],
    ['', 'it', 'en'],
    ['', '', 'en'],
  ])('for ui_locales %j and Accept-Language %j is %s', async (ui_locales, accept_language, expected) => {
    const s = await setup()
    const { html, page } = await openLogin(s, browserOf(s, accept_language), { ui_locales })
    expect([page.status, languageOf(html)]).toEqual([200, expected])
  })

  it('stays the same after a refused form, on the consent page and through a sign-out', async () => {
    const s = await setup()
    const b = browserOf(s, 'fr')
    const { url, fields } = await openLogin(s, b, { ui_locales: 'de' })
    const refused = await (await b.post(url, { ...fields, username: 'ada', password: 'wrong' })).text()
    expect(languageOf(refused)).toBe('de')
    expect(refused).toContain('Der Benutzername oder das Passwort ist falsch.')
    const signed = await b.post(url, { ...fields, username: 'ada', password: PASSWORD })
    const consent = await (await b.get(signed.headers.get('location') ?? '')).text()
    expect(headingOf(consent)).toBe('<bdi>Quarterly Reports</bdi> den Zugriff auf Ihr Konto erlauben?')
    expect(consent).toContain('<li>Wissen, wer Sie sind</li>')

    const logout = await (await b.get('https://id.example/oauth/logout?ui_locales=de')).text()
    expect(headingOf(logout)).toBe('Möchten Sie sich abmelden?')
    const confirmation_token = /name="confirmation_token" value="([^"]*)"/.exec(logout)?.[1] ?? ''
    const done = await b.post('https://id.example/oauth/logout', { confirmation_token })
    expect(headingOf(await done.text())).toBe('Sie sind abgemeldet')
  })
})

describe('the account page', () => {
  it('is in the language of the browser, with its dates', async () => {
    const s = await setup()
    const b = browserOf(s, 'fr-FR,fr;q=0.9')
    await signedInWith(s, b)
    const { html } = await openAccount(s, b)
    expect(languageOf(html)).toBe('fr')
    expect(html).toMatch(
      /Connecté le <time [^>]*>15 janvier 2027 à 08:00 UTC<\/time> avec votre mot de passe/,
    )
    const refused = await postAccount(s, b, { ...CHANGE, new_password: 'court', new_password_again: 'court' })
    expect(await refused.text()).toContain('Le nouveau mot de passe compte moins de 8 caractères.')
  })

  it('counts in the plural of the language', async () => {
    const s = await setup({ identity: { limits: { failures: 1, window: 60 } } })
    const b = browser(s)
    const { url, fields } = await openLogin(s, b)
    const attempt = () =>
      b.post(
        url,
        { ...fields, username: 'ada', password: 'wrong' },
        { headers: { 'accept-language': 'de' }, address: '192.0.2.1' },
      )
    await attempt()
    const refused = await attempt()
    expect(refused.status).toBe(429)
    expect(await refused.text()).toContain(
      'Bitte warten Sie eine Minute, und versuchen Sie es dann noch einmal.',
    )
  })
})

describe('the error page', () => {
  it.each([
    ['de', '/oauth/authorize?client_id=nobody', 'Diese Anwendung ist hier nicht bekannt'],
    [
      'de',
      '/oauth/authorize?client_id=app&redirect_uri=https://evil.example/',
      'Die Rückadresse ist nicht bekannt',
    ],
    ['de', '/login?return_to=used', 'Dieser Vorgang ist abgelaufen'],
    ['fr', '/oauth/logout?state=1&state=2', 'Veuillez recommencer'],
    ['fr', '/oauth/authorize?client_id=nobody&ui_locales=de', 'Diese Anwendung ist hier nicht bekannt'],
  ])('in %s of %s', async (accept_language, path, heading) => {
    const s = await setup()
    const page = await browserOf(s, accept_language).get(`https://id.example${path}`)
    const html = await page.text()
    expect(headingOf(html)).toBe(heading)
    expect(html).toMatch(/>Code\u00a0?: /)
  })

  it('has the description of the provider as a detail, marked as English', async () => {
    const s = await setup()
    const path = 'https://id.example/oauth/authorize?client_id=nobody'
    const german = await (await browserOf(s, 'de').get(path)).text()
    expect(german).toContain('Technische Angabe: <bdi lang="en">There is no client with this client_id</bdi>')
    const english = await (await browserOf(s, 'en').get(path)).text()
    expect(english).toContain('Technical detail: <bdi>There is no client with this client_id</bdi>')
  })
})

describe('an added language', () => {
  const arabic: LanguageCatalog = {
    language: 'ar',
    messages: { 'sign_in.title': 'تسجيل الدخول', 'sign_in.password': 'a & "b"' },
    scopes: { 'reports.read': 'قراءة التقارير' },
  }
  const scopes = {
    'reports.read': { description: 'Read your reports' },
    openid: { description: 'Our own text' },
  }

  it('is used, escaped, from right to left, and completed with English texts', async () => {
    const s = await setup({ identity: { languages: { catalogs: [arabic] } } })
    const { html } = await openLogin(s, browserOf(s, 'ar-EG'))
    expect(html).toContain('<html lang="ar" dir="rtl">')
    expect(headingOf(html)).toBe('تسجيل الدخول')
    expect(html).toContain('<label for="password">a &amp; &quot;b&quot;</label>')
    expect(html).toContain('<label for="username">Username</label>')
  })

  it('has the text of a scope; other languages keep the description of the configuration', async () => {
    const s = await setup({ oidc: { scopes }, identity: { languages: { catalogs: [arabic] } } })
    const consentIn = async (accept_language: string) => {
      const b = browserOf(s, accept_language)
      await signedInWith(s, b)
      return (await b.get(authorizeUrl(s, { scope: 'openid email reports.read' }))).text()
    }
    const [ar, de] = [await consentIn('ar'), await consentIn('de')]
    expect(ar).toContain('<li>قراءة التقارير</li>')
    expect(de).toContain('<li>Read your reports</li>')
    // The operator's description wins over the built-in text, which is for the built-in description.
    expect(de).toContain('<li>Our own text</li>')
    expect(de).toContain('<li>Ihre E-Mail-Adresse sehen</li>')
  })

  it('of a region replaces texts of the built-in language', async () => {
    const austrian = { language: 'de-AT', messages: { 'sign_in.title': 'Servus' } }
    const s = await setup({ identity: { languages: { default: 'de-at', catalogs: [austrian] } } })
    const headings = ['de-AT', 'de-DE', 'it'].map(async (tag) =>
      headingOf((await openLogin(s, browserOf(s, tag))).html),
    )
    expect(await Promise.all(headings)).toEqual(['Servus', 'Anmelden', 'Servus'])
    expect((await openLogin(s, browserOf(s, 'de-AT'))).html).toContain('Benutzername')
  })

  it('may replace an English text, and the others stay', async () => {
    const own = { language: 'en', messages: { 'sign_in.title': 'Log in' } }
    const s = await setup({ identity: { languages: { catalogs: [own] } } })
    const { html } = await openLogin(s, browserOf(s, ''))
    expect([languageOf(html), headingOf(html)]).toEqual(['en', 'Log in'])
    expect(html).toContain('Username')
  })
})

it('the pages have the same headers in each language, and no cache may store them', async () => {
  const s = await setup()
  const headers = await Promise.all(
    ['', 'de'].map(async (tag) => {
      const { page } = await openLogin(s, browserOf(s, tag))
      return [...page.headers].filter(([name]) => name !== 'set-cookie')
    }),
  )
  expect(headers[0]).toEqual(headers[1])
  expect(Object.fromEntries(headers[0] ?? [])).toMatchObject({ 'cache-control': 'no-store' })
})

/** Letters of the messages are replaced, so that a letter of ASCII on a page is data, or a text outside of the catalog. */
describe('in a language whose letters are not ASCII, the only ASCII letters on a page are data', () => {
  const wide = (text: string): string =>
    text
      .split(/(\{[a-z_]+\})/)
      .map((part) => (part.startsWith('{') ? part : part.replace(/[A-Za-z]/g, widened)))
      .join('')
  const widened = (letter: string): string => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)
  const messages = Object.fromEntries(
    Object.entries(en).map(([key, message]) => [
      key,
      typeof message === 'string' ? wide(message) : { other: wide(message.other) },
    ]),
  )
  // Greek months have no letter of ASCII.
  const languages = { default: 'el', catalogs: [{ language: 'el', messages }] }
  const DATA = [
    'Quarterly Reports',
    'Ada Lovelace',
    'Ada',
    'ada',
    'id.example',
    'app.example',
    'app',
    'https://api.example/',
    'unknown.scope',
    'invalid_request',
    'access_denied',
    'There is no client with this client_id',
    'UTC',
  ]

  /** What is left of the texts of a page, and of its attributes that are read out, without the data. */
  function asciiLeft(html: string): string {
    const attributes = [...html.matchAll(/\s(?:aria-label|alt|title|placeholder)="([^"]*)"/g)].map(
      ([, value]) => value,
    )
    const initial = /<span class="initial"[^>]*>.*?<\/span>/g
    const text = `${html.replace(initial, '').replace(/<[^>]*>/g, ' ')} ${attributes.join(' ')}`.replace(
      /&\w+;|&#\d+;/g,
      ' ',
    )
    return DATA.reduce((left, data) => left.replaceAll(data, ''), text)
      .replace(/[^A-Za-z]+/g, ' ')
      .trim()
  }

  it('on every page of a sign-in, a consent, the account and a sign-out', async () => {
    const s = await setup({
      identity: { languages },
      oidc: { resources: { 'https://api.example/': { scopes: ['unknown.scope'] } } },
      client: { origin: 'registered', client_name: 'Quarterly Reports' },
    })
    const b = browserOf(s, 'el')
    const pages: Record<string, string> = {}
    const keep = async (name: string, response: Response) => {
      pages[name] = await response.text()
      return pages[name]
    }
    const { url, fields, html } = await openLogin(s, b)
    pages['sign in'] = html
    await keep('wrong password', await b.post(url, { ...fields, username: 'ada', password: 'x' }))
    await keep('forged form', await b.post(url, { ...fields, csrf_token: 'x', username: '', password: 'x' }))
    await b.post(url, { ...fields, username: 'ada', password: PASSWORD })
    const scope = 'openid profile email offline_access unknown.scope'
    const resource = 'https://api.example/'
    await keep('consent', await b.get(authorizeUrl(s, { scope, resource })))
    await allow(s, b, { scope, resource })
    await signedIn(s)
    const account = await keep('account', await b.get('https://id.example/account'))
    const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(account)?.[1] ?? ''
    const post = (form: Record<string, string>) =>
      b.post('https://id.example/account', { csrf_token, ...form })
    await keep('short password', await post({ ...CHANGE, new_password: 'x' }))
    await keep('forged account form', await post({ ...CHANGE, csrf_token: 'x' }))
    await post({ action: 'withdraw', client_id: 'app', resource: '' })
    await keep('withdrawn', await b.get('https://id.example/account'))
    s.clock.now += 1000
    await keep('confirm', await post({ action: 'end_others' }))
    await keep('sign out', await b.get('https://id.example/oauth/logout?client_id=app'))
    await keep('unknown client', await b.get('https://id.example/oauth/authorize?client_id=x'))
    await keep('expired', await b.get('https://id.example/login?return_to=x'))
    const left = Object.entries(pages).map(([name, page]) => [name, asciiLeft(page)])
    expect(left).toEqual(Object.keys(pages).map((name) => [name, '']))
    for (const [name, page] of Object.entries(pages)) expect(page, name).toMatch(/<h1>[^A-Za-z<]*[Ａ-ｚ]/)
  })
})

/** Signs Ada in. */
async function signedInWith(s: Setup, b: Browser): Promise<void> {
  const { url, fields } = await openLogin(s, b)
  await b.post(url, { ...fields, username: 'ada', password: PASSWORD })
}
