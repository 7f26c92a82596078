/**
 * With everything off, the pages are those of the release before the factors, byte for byte: also their headers. Random values alone are
 * replaced. The hashes were made by this file at commit f93976fa, with `npx vitest run test/pages-of-passwords.test.ts -u`. A page that is
 * to change gets another one.
 */

import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { type Browser, browser, PASSWORD, plainPasswords, REDIRECT_URI, type Setup, setup } from './_setup.js'

const LANGUAGES = ['en', 'de', 'fr']
const AUTHORIZE = `https://id.example/oauth/authorize?${new URLSearchParams({
  client_id: 'app',
  redirect_uri: REDIRECT_URI,
  response_type: 'code',
  scope: 'openid profile',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
})}`
const LOGIN = 'https://id.example/login'
const ACCOUNT = 'https://id.example/account'

const STYLE = /<link rel="stylesheet" href="([^"]*)"/

/** The value of a hidden field, as the page has it. */
const field = (html: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''

/** Without what is random, tokens and the values of cookies; and without the version of the style sheet, which is compared itself. */
const fixed = (text: string): string =>
  text
    .replace(/(name="(?:\w+_token|return_to)" value=")[\w.~-]{16,}"/g, '$1…"')
    .replace(/(style\.css\?v=)[\w-]+/g, '$1…')
    .replace(/sealed\.[\w-]+/g, 'sealed.…')
    .replace(/((?:^|\n)set-cookie: [^=]+=)[^;]*/g, '$1…')

async function shown(response: Response): Promise<{ text: string; html: string }> {
  const html = await response.text()
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`)
  return { html, text: fixed([response.status, ...headers, '', html].join('\n')) }
}

type Walk = (b: Browser, keep: (name: string, response: Response) => Promise<string>) => Promise<void>

const walk: Walk = async (b, keep) => {
  const at_account = await keep('sign-in', await b.get(`${LOGIN}?return_to=%2Faccount`))
  const signIn = (html: string, return_to: string, password: string) =>
    b.post(LOGIN, { return_to, csrf_token: field(html, 'csrf_token'), username: 'Ada', password })
  const style = STYLE.exec(at_account)?.[1] ?? ''
  await keep('style sheet', await b.get(new URL(style, LOGIN).href))
  await keep('wrong password', await signIn(at_account, '/account', 'wrong'))
  await keep('expired', await b.get(`${LOGIN}?return_to=unknown`))
  const to_login = (await b.get(AUTHORIZE)).headers.get('location') ?? ''
  const for_client = await keep('sign-in for an application', await b.get(to_login))
  await keep('signed in', await signIn(at_account, '/account', PASSWORD))
  const account = await keep('account', await b.get(ACCOUNT))
  const csrf_token = field(account, 'csrf_token')
  const wrong = { current_password: 'wrong', new_password: 'x'.repeat(9), new_password_again: 'x'.repeat(9) }
  await keep('refused change', await b.post(ACCOUNT, { csrf_token, action: 'change_password', ...wrong }))
  const signed_in = await signIn(for_client, field(for_client, 'return_to'), PASSWORD)
  await keep('signed in for an application', signed_in)
  await keep('consent', await b.get(signed_in.headers.get('location') ?? ''))
  const sign_out = await keep('sign-out', await b.get('https://id.example/oauth/logout'))
  const action = /<form[^>]* action="([^"]*)"/.exec(sign_out)?.[1] ?? ''
  const hidden = [...sign_out.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)]
  const fields = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]))
  await keep('signed out', await b.post(new URL(action, 'https://id.example').href, fields))
}

/** SHA-256 of each page, in all languages. */
async function hashes(open: () => Promise<Setup>): Promise<Record<string, string>> {
  const pages = new Map<string, string[]>()
  for (const language of LANGUAGES) {
    const b = browser(await open())
    const speaking: Browser = {
      ...b,
      get: (url) => b.get(url, { headers: { 'accept-language': language } }),
      post: (url, fields) => b.post(url, fields, { headers: { 'accept-language': language } }),
    }
    await walk(speaking, async (name, response) => {
      const { text, html } = await shown(response)
      pages.set(name, [...(pages.get(name) ?? []), text])
      return html
    })
  }
  const hash = (texts: string[]) => createHash('sha256').update(texts.join('\n')).digest('base64url')
  return Object.fromEntries([...pages].map(([name, texts]) => [name, hash(texts)]))
}

const options = { stored: plainPasswords, identity: { passwords: plainPasswords } }

it('without a store of factors, the pages and the style sheet are as before', async () => {
  expect(await hashes(() => setup(options))).toMatchInlineSnapshot(`
    {
      "account": "iyiijaGuIw9e58hhUWrAGOJiaAbBmAfuUxHmoDaKutw",
      "consent": "tuOpezXEYRv8kI1XT7yxQuSaxIl0hwYjfwAXGx8ssl4",
      "expired": "5nksHfOZ0eC0I0M8Q1Iu_ov9JV3ydBUtQglwr1v11jI",
      "refused change": "9ozmXrCkICZvzoEGQyNR9RJseGDwFNRUHs-VmSqVVaY",
      "sign-in": "-cGJjN3vdu6lf8sugKD6anqny6M_pFOMfsGW1nPbAJ8",
      "sign-in for an application": "ai_XS6QAHEtX9IACvfsoAz5GUUok7QNNk9uvUJ5o5Mg",
      "sign-out": "4pzCT0rwNraMTXFHlZOnDGMdTt86IHy58fUoxEvy1lQ",
      "signed in": "rmj64KA7KJZQXhPaQEAZ_27sGTjzOw63hSQLLdgJTbs",
      "signed in for an application": "BmxPpKPNXo7WEH11MN2QYScD3x6SDryrvxbB4772Wqk",
      "signed out": "GQ9zuuPOUh54DAhgTsY2zL_fYecno5X1lgmNAFnY2vM",
      "style sheet": "dx7iltNYNhACsoh0189XfGkpOsyZR6DkNmZIkoEAFxY",
      "wrong password": "PGsrYmQMZuK4ixteOnN0_ZBP9ji9uycfDCgsbeTOKns",
    }
  `)
})

it('with one, where the realm offers no factors, the pages are the same; the style sheet is that of all realms', async () => {
  const without = await hashes(() => setup(options))
  const off = await hashes(() => setup({ ...options, settings: { passkeys: { enabled: false } } }))
  expect({ ...off, 'style sheet': '' }).toEqual({ ...without, 'style sheet': '' })
})
