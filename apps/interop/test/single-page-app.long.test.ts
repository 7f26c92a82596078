/** docs/single-page-app.md: the page of ../clients/oidc-client-ts in Chromium, and the API of examples/hono-api. */

import { fileURLToPath } from 'node:url'
import { followButton, inPage, launchBrowser, signIn } from '@ostiary/test-kit/chromium'
import { freePort } from '@ostiary/test-kit/ports'
import type { Browser, Page, Response } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ClientWorld, clientWorld, startProgram } from './clients.ts'
import { servePages } from './pages.ts'
import { silentSignIn } from './silent-sign-in.ts'

const CLIENT = 'single-page-app'
const API = fileURLToPath(new URL('../../../examples/hono-api/dist/server.js', import.meta.url))

let browser: Browser
let world: ClientWorld
/** Of the resource server. */
let api: string

beforeAll(async () => {
  const port = await freePort()
  api = `http://localhost:${port}/notes`
  browser = await launchBrowser()
  // The library refreshes a token one minute before its end.
  world = await clientWorld('docs/single-page-app.md', {
    changes: { [CLIENT]: { access_token_lifetime: 62 } },
    moved: { 'http://localhost:4001/notes': api },
  })
  const env = { PORT: String(port), ISSUER: world.provider.issuer, WEB_APP: world.app(CLIENT).url }
  world.onStop(await startProgram([process.execPath, API], env))
  const moved = { 'http://localhost:3000': world.provider.issuer, 'http://localhost:4001/notes': api }
  world.onStop(await servePages('oidc-client-ts', world.app(CLIENT).port, moved))
})
afterAll(async () => {
  await browser.close()
  await world.stop()
})

const button = (page: Page, name: string) => page.getByRole('button', { name })
const isRefresh = (response: Response) =>
  response.request().postData()?.includes('grant_type=refresh_token') ?? false

it('signs in, shows claims of UserInfo, calls an API, refreshes by itself, survives a reload, signs out', async () => {
  const { url } = world.app(CLIENT)
  const context = await browser.newContext()
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', ({ message }) => faults.push(message))
  const refreshed = page.waitForResponse(isRefresh)

  await page.goto(url)
  await button(page, 'Sign in').click()
  await signIn(page)
  await button(page, 'Allow').click()
  await page.getByText('Hello Ann Example!').waitFor()
  expect(page.url()).toBe(`${url}/`)
  await button(page, 'Load notes').click()
  await page.getByText('Buy milk, Call Ben').waitFor()

  // Nothing but the library's own timer causes it.
  const { access_token, refresh_token } = await (await refreshed).json()
  expect([access_token, refresh_token]).toEqual([expect.any(String), expect.any(String)])
  // The response is there before the library has stored its tokens.
  await page.waitForFunction(
    (token) => [sessionStorage, localStorage].some((storage) => JSON.stringify(storage).includes(token)),
    access_token as string,
  )
  await page.reload()
  await page.getByText('Hello Ann Example!').waitFor()
  const [request] = await Promise.all([page.waitForRequest(api), button(page, 'Load notes').click()])
  expect(await request.headerValue('authorization')).toBe(`Bearer ${access_token}`)
  await page.getByText('Buy milk, Call Ben').waitFor()

  // Another tab has no tokens of its own. The session signs it in without a question.
  const second = await context.newPage()
  await second.goto(url)
  await button(second, 'Sign in').click()
  await second.getByText('Hello Ann Example!').waitFor()

  const client = { ...world.provider, client_id: CLIENT, redirect_uri: `${url}/callback`, resource: api }
  expect(await silentSignIn(context, client)).toHaveProperty('code')
  // The library forgets the user first, and then asks the provider to end the session.
  await followButton(page, 'Sign out')
  await page.getByText('You are not signed in.').waitFor()
  expect(page.url()).toBe(`${url}/`)
  expect(await silentSignIn(context, client)).toMatchObject({ error: 'login_required' })
  // The other tab's refresh token ended with the session: its next refresh signs it out too.
  await second.getByText('You are not signed in.').waitFor()
  expect(faults).toEqual([])
  await context.close()
})

it('the API answers no page of another origin', async () => {
  // The same page by another name is another origin. The browser asks the API first, and then sends nothing.
  const { port } = world.app(CLIENT)
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${port}/`)
  const call = inPage(page, (url) => fetch(url, { headers: { authorization: 'Bearer token' } }), api)
  await expect(call).rejects.toThrow('Failed to fetch')
  await page.close()
})
