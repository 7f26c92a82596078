/** Signed-in users at the account page, and the forms that they post. */

import type { Login } from '@ostiary/core'
import { authorizeUrl, type Browser, browser, hidden, PASSWORD, type Setup } from './_setup.js'

export const NEW_PASSWORD = 'four words in a row'

export const CHANGE = {
  action: 'change_password',
  current_password: PASSWORD,
  new_password: NEW_PASSWORD,
  new_password_again: NEW_PASSWORD,
}

export const accountUrl = (s: Setup, realm = 'default'): string => `${s.base(realm)}/account`

interface SignInOptions {
  realm?: string
  username?: string
  password?: string
  headers?: Record<string, string>
}

/** Signs in for the account page. Returns the answer to the sign-in form. */
export async function signInAt(
  s: Setup,
  b: Browser,
  { realm = 'default', username = 'ada', password = PASSWORD, headers = {} }: SignInOptions = {},
): Promise<Response> {
  const sent = await b.get(accountUrl(s, realm))
  const html = await (await b.get(sent.headers.get('location') ?? '')).text()
  const fields = { return_to: hidden(html, 'return_to'), csrf_token: hidden(html, 'csrf_token') }
  return b.post(`${s.base(realm)}/login`, { ...fields, username, password }, { headers })
}

/** Signs in with a new browser, as from another device. */
export async function signedIn(s: Setup, login: Parameters<typeof signInAt>[2] = {}): Promise<Browser> {
  const b = browser(s)
  await signInAt(s, b, login)
  return b
}

/** Signs in through `provider.login`, as an application with its own sign-in. */
export async function signedInByApplication(s: Setup, login: Omit<Login, 'return_to'>): Promise<Browser> {
  const request = new Request(`${s.base('default')}/login`, { method: 'POST' })
  const response = await s.provider.login(request, { ...login, return_to: { path: '/account' } })
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(response.headers.get('set-cookie') ?? '') ?? []
  const b = browser(s)
  b.cookies.set(name, value)
  return b
}

export async function openAccount(s: Setup, b: Browser, realm?: string) {
  const page = await b.get(accountUrl(s, realm))
  const html = await page.text()
  return { page, html, csrf_token: hidden(html, 'csrf_token') }
}

/** Opens the page and posts one of its forms. */
export async function postAccount(
  s: Setup,
  b: Browser,
  { realm = 'default', ...fields }: Record<string, string>,
): Promise<Response> {
  const { csrf_token } = await openAccount(s, b, realm)
  return b.post(accountUrl(s, realm), { csrf_token, ...fields })
}

/** The notice that the page shows after the redirect. */
export async function confirmed(b: Browser, response: Response): Promise<string> {
  if (response.status !== 303)
    throw new Error(`Expected a redirect, not ${response.status}: ${await response.text()}`)
  const html = await (await b.get(response.headers.get('location') ?? '')).text()
  return /role="status">([^<]*)/.exec(html)?.[1] ?? ''
}

export const alertOf = async (response: Response): Promise<string> =>
  /role="alert">([^<]*)/.exec(await response.text())?.[1] ?? ''

/** Requests a code and gives the consent. Returns the last answer: the redirect to the client. */
export async function allow(s: Setup, b: Browser, params: Record<string, string> = {}): Promise<Response> {
  const page = await b.get(authorizeUrl(s, params))
  if (page.status !== 200) return page
  const html = await page.text()
  const action = /<form method="post" action="([^"]*)"/.exec(html)?.[1] ?? ''
  return b.post(action, { auth_token: hidden(html, 'auth_token') })
}

export const sidsOf = async (s: Setup, sub: string, realm = 'default'): Promise<string[]> =>
  (await s.storage(realm).sessions.list(sub)).map(({ sid }) => sid)

export async function subOf(s: Setup, username = 'ada', realm = 'default'): Promise<string> {
  const user = await s.users(realm).findByUsername(username)
  if (!user) throw new Error(`There is no ${username}`)
  return user.sub
}

/** The session of this browser. */
export async function sidOf(s: Setup, b: Browser, realm?: string): Promise<string> {
  const cookie = [...b.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const present = await s.provider.session(new Request(accountUrl(s, realm), { headers: { cookie } }))
  if (!present) throw new Error('The browser has no session')
  return present.session.sid
}
