/** One user's way through the application of a page of docs/frameworks, which has three links, and calls of its API. */

import { signIn } from '@ostiary/test-kit/chromium'
import { eventually } from '@ostiary/test-kit/eventually'
import { type Person, person } from '@ostiary/test-kit/person'
import { PASSWORD, USERNAME } from '@ostiary/test-kit/server'
import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { FrameworkPage } from './framework-page.ts'
import { silentSignIn } from './silent-sign-in.ts'
import { issued } from './walk-through.ts'

export interface Walk {
  client_id: string
  /** What the answer of the API contains. */
  notes: string
  redirect_path?: string
  /** The path that greets the user. */
  home?: string
  /** The name of the user, if it is another. */
  name?: string
  /** Headers that the browser sends with each request. */
  headers?: Record<string, string>
}

/** Signs in, is greeted, calls the API until a token was refreshed, and signs out. */
export async function walkFramework(browser: Browser, page: FrameworkPage, walk: Walk): Promise<void> {
  const {
    client_id,
    notes,
    redirect_path = '/callback',
    home = '/',
    name = 'Ann Example',
    headers = {},
  } = walk
  const { app, api, world } = page
  const before = issued(world, client_id).length
  const context = await browser.newContext({ extraHTTPHeaders: headers })
  const tab = await context.newPage()
  const link = (name: string) => tab.getByRole('link', { name, exact: true })

  await tab.goto(app)
  await link('Sign in').click()
  await allowed(tab, app)
  await link('Sign out').waitFor()
  expect(await bodyOf(tab)).toContain(`Hello ${name}!`)

  await eventually(async () => {
    await tab.goto(app + home)
    await link('Notes').click()
    await tab.waitForURL('**/notes')
    expect(await bodyOf(tab)).toContain(notes)
    expect(issued(world, client_id).slice(before, before + 2)).toEqual([
      'authorization_code',
      'refresh_token',
    ])
  })

  const request = {
    issuer: world.provider.issuer,
    client_id,
    redirect_uri: app + redirect_path,
    resource: api,
  }
  expect(await silentSignIn(context, request)).toHaveProperty('code')
  await tab.goto(app + home)
  await link('Sign out').click()
  await tab.waitForURL(`${app}/`)
  await link('Sign in').waitFor()
  expect(await silentSignIn(context, request)).toMatchObject({ error: 'login_required' })
  await context.close()
}

/** On the sign-in page: signs in, and allows what was not allowed before. Ends at the application. */
export async function allowed(tab: Page, app: string): Promise<void> {
  const back = tab.waitForURL(`${app}/**`)
  await signIn(tab)
  const allow = tab.getByRole('button', { name: 'Allow' })
  await Promise.race([back, allow.waitFor().then(() => allow.click())])
  await back
}

const bodyOf = async (tab: Page): Promise<string> => (await tab.textContent('body')) ?? ''

/** A person whose browser runs no JavaScript. */
export const personAt = (page: FrameworkPage): Person => person(page.world.provider.issuer)

/** What the application shows when the user has signed in and allowed everything. */
export async function afterSignIn(page: FrameworkPage, user = personAt(page)): Promise<string> {
  let shown = await user.open(`${page.app}/login`)
  if (shown.html.includes('type="password"'))
    shown = await user.submit(shown, { username: USERNAME, password: PASSWORD })
  if (shown.html.includes('<form')) shown = await user.submit(shown)
  if (shown.url.origin === page.world.provider.issuer) return shown.html
  const back = await user.open(shown.url)
  // After a sign-in that worked, to the first page.
  return back.html === '' ? (await user.open(back.url)).html : back.html
}

/** What the application shows of the API, once the user has signed out at the provider and the access token has expired. */
export async function afterEndOfSession(page: FrameworkPage): Promise<string> {
  const user = personAt(page)
  await afterSignIn(page, user)
  await user.submit(await user.open(`${page.world.provider.issuer}/oauth/logout`))
  return eventually(async () => {
    const { html } = await user.open(`${page.app}/notes`)
    // Until the token has expired, the API accepts it, or says so.
    expect(html).not.toMatch(/Buy milk|invalid_token/)
    return html
  })
}

/** A token of a client's own, which has the grant type. */
export async function clientToken(
  { world }: FrameworkPage,
  client_id: string,
  fields: Record<string, string>,
): Promise<string> {
  const { CLIENT_SECRET: client_secret = '' } = world.env(client_id)
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret, ...fields })
  const response = await fetch(`${world.provider.issuer}/oauth/token`, { method: 'POST', body })
  return ((await response.json()) as { access_token: string }).access_token
}

/** The status with which the API answers a token. */
export const statusOf = async ({ api }: FrameworkPage, token: string): Promise<number> =>
  (await fetch(api, { headers: { authorization: `Bearer ${token}` } })).status
