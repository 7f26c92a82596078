/** One user's way through a web application: signs in, is known there, refreshes, signs out. */

import { signIn } from '@ostiary/test-kit/chromium'
import { eventually } from '@ostiary/test-kit/eventually'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { type ExpectStatic, expect as sharedExpect } from 'vitest'
import type { ClientWorld } from './clients.ts'
import { silentSignIn } from './silent-sign-in.ts'

/** How the programs of ../clients differ; all other paths are the same. */
export interface WebApp {
  client_id: string
  redirect_path?: string
  /** The path that signs in. */
  login?: string
  /** What the library's own page asks for before it sends the browser to the provider. */
  before?(page: Page): Promise<void>
  /** The path that shows the user. */
  user?: string
  /** The path that answers with the claims of UserInfo. */
  userinfo?: string
  /** A path that refreshes; null when the program does so by itself, once its token has expired. */
  refresh?: string | null
  logout?: string
  /** What the library's own page asks for after the sign-out. */
  after?(page: Page): Promise<void>
  /** The resource that the application's requests are for. */
  resource?: string
  /** The answer to a request without a page, where a plain authorization request is refused: a code, or an error. */
  silent?(context: BrowserContext): Promise<Record<string, string>>
}

export const CLAIMS = { name: 'Ann Example', email: 'ann@example.com' }

/** Null for an answer that is not JSON, such as a sign-in page. */
export async function json({ request }: BrowserContext, url: string) {
  const response = await request.get(url)
  return /json/.test(response.headers()['content-type'] ?? '') ? response.json() : null
}

/** The token requests of a client that succeeded, by grant type. */
export const issued = ({ provider }: ClientWorld, client_id: string): unknown[] =>
  provider
    .logged('token.issued')
    .filter((event) => event.client_id === client_id)
    .map(({ grant_type }) => grant_type)

interface Walk extends WebApp {
  /** What else the application can do, after the refresh. */
  whileSignedIn?: (context: BrowserContext) => Promise<void>
  /** Concurrent tests pass the one of their own context. */
  expect?: ExpectStatic
}

export async function walkThrough(
  browser: Browser,
  world: ClientWorld,
  { whileSignedIn, expect = sharedExpect, ...app }: Walk,
): Promise<void> {
  const {
    client_id,
    redirect_path = '/callback',
    login = '/login',
    user = '/',
    userinfo = '/userinfo',
    refresh = '/refresh',
  } = app
  const { url } = world.app(client_id)
  const context = await browser.newContext()
  // The first page of a framework's development server may be compiled for minutes: the test's own limit counts.
  context.setDefaultTimeout(0)
  const page = await context.newPage()
  const known = () => json(context, url + user)
  // An application that refreshes by itself may do so in the first of the two, or in the second.
  const claims = async () => [await known(), await json(context, url + userinfo)][1]

  await page.goto(url + login)
  await app.before?.(page)
  await signIn(page)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(`${url}/**`)
  expect(await known()).toMatchObject({ user: CLAIMS })
  await eventually(async () => expect(await claims()).toMatchObject({ sub: expect.any(String), ...CLAIMS }))

  if (refresh !== null) expect(await json(context, url + refresh)).toMatchObject({ refreshed: true })
  else
    await eventually(async () =>
      expect([await claims(), issued(world, client_id)][1]).toContain('refresh_token'),
    )
  await eventually(() =>
    expect(issued(world, client_id).slice(0, 2)).toEqual(['authorization_code', 'refresh_token']),
  )
  expect(await known()).toMatchObject({ user: CLAIMS })
  await eventually(async () => expect(await claims()).toMatchObject(CLAIMS))
  await whileSignedIn?.(context)

  const { issuer } = world.provider
  const request = { issuer, client_id, redirect_uri: url + redirect_path, resource: app.resource ?? '' }
  const silent = () => app.silent?.(context) ?? silentSignIn(context, request)
  expect(await silent()).toHaveProperty('code')
  await page.goto(url + (app.logout ?? '/logout'))
  await app.after?.(page)
  await page.waitForURL(`${url}/**`)
  expect((await known())?.user ?? null).toBeNull()
  expect(await silent()).toMatchObject({ error: 'login_required' })
  await context.close()
}
