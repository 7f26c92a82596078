/**
 * Chromium applies the CSP directive `form-action` of a page to every redirect that follows its form. A client's callback may
 * redirect on to any address, so the pages whose form leads to a client must not have the directive.
 */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { launchBrowser, signIn, watch } from '@ostiary/test-kit/chromium'
import { PASSWORD, USERNAME } from '@ostiary/test-kit/server'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type InProcess, startInProcess } from './in-process.ts'

const APP_SCHEME = 'com.example.app:/oauth2redirect'
const APP_WITH_HOST = 'exampleapp://callback/x'

let server: InProcess
let browser: Browser
/** The address where the callbacks lead in the end. */
let app: WebServer
/** The client's callbacks: each redirects on to another address. */
let callback: WebServer

interface WebServer {
  port: number
  close(): Promise<void>
}

/** Redirects to the address that `onward` has for the path; otherwise answers with a page. */
async function webServer(onward: (path: string) => string | undefined = () => undefined): Promise<WebServer> {
  const http = createServer(({ url = '/' }, response) => {
    const { pathname, search } = new URL(url, 'http://localhost')
    const location = onward(pathname)
    if (location !== undefined) {
      response.writeHead(302, { location: location + search }).end()
      return
    }
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end('<!doctype html><html lang="en"><title>The app</title><h1>Back at the app</h1></html>')
  }).listen(0, '127.0.0.1')
  await once(http, 'listening')
  return {
    port: (http.address() as AddressInfo).port,
    async close() {
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  }
}

beforeAll(async () => {
  app = await webServer()
  callback = await webServer((path) =>
    new Map([
      ['/to-origin', `http://127.0.0.1:${app.port}/home`],
      ['/to-scheme', APP_SCHEME],
    ]).get(path),
  )
  const uris = [
    ...['to-origin', 'to-scheme'].map((path) => `http://localhost:${callback.port}/${path}`),
    'http://127.0.0.1/loopback',
    APP_WITH_HOST,
    APP_SCHEME,
  ]
  const client = { client_name: 'Notes', redirect_uris: uris, post_logout_redirect_uris: uris }
  server = await startInProcess((port) => ({
    app: { url: `http://localhost:${port}` },
    clients: [
      { ...client, client_id: 'notes' },
      { ...client, client_id: 'trusted', trusted: true },
    ],
    users: [{ username: USERNAME, password: PASSWORD }],
  }))
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.stop()
  await callback.close()
  await app.close()
})

/** The redirect URI that the client sends, and the address where the browser arrives. */
const WAYS = {
  'a callback that redirects to another http origin': () => ({
    redirect_uri: `http://localhost:${callback.port}/to-origin`,
    arrival: `http://127.0.0.1:${app.port}/home`,
  }),
  'a callback that redirects to a custom scheme': () => ({
    redirect_uri: `http://localhost:${callback.port}/to-scheme`,
    arrival: APP_SCHEME,
  }),
  'a custom scheme without a host': () => ({ redirect_uri: APP_SCHEME, arrival: APP_SCHEME }),
  'a custom scheme': () => ({ redirect_uri: APP_WITH_HOST, arrival: APP_WITH_HOST }),
  'the loopback with a port of its own': () => ({
    redirect_uri: `http://127.0.0.1:${app.port}/loopback`,
    arrival: `http://127.0.0.1:${app.port}/loopback`,
  }),
}

/** A page in a new tab; a fault that it reports fails the test. */
async function openTab(url: string, inContext?: BrowserContext): Promise<Page> {
  const context = inContext ?? (await browser.newContext())
  const page = await context.newPage()
  const faults = watch(page)
  onTestFinished(async () => {
    expect(faults).toEqual([])
    await context.close()
  })
  await page.goto(url)
  return page
}

const startAt = (client_id: string, redirect_uri: string, context?: BrowserContext): Promise<Page> =>
  openTab(authorizeUrl(client_id, redirect_uri), context)

function authorizeUrl(client_id: string, redirect_uri: string): string {
  const query = new URLSearchParams({
    client_id,
    redirect_uri,
    response_type: 'code',
    scope: 'openid',
    ...(client_id === 'notes' && { prompt: 'consent' }),
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
  return `${server.issuer}/oauth/authorize?${query}`
}

/** The query with which the browser requests this address. No program takes a custom scheme here, so the page stays. */
async function arrivalAt(page: Page, arrival: string, act: () => Promise<void>): Promise<URLSearchParams> {
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.url().startsWith(arrival), { timeout: 15_000 }),
    act(),
  ])
  // Null when no program takes the address. Until then the navigation is under way, and would undo a click.
  await request.response()
  return new URL(request.url()).searchParams
}

const press = (page: Page, name: string) => () => page.getByRole('button', { name }).click()

describe.each(Object.entries(WAYS))('%s is reached', (_, way) => {
  it('from the sign-in page, and from the sign-out page', async () => {
    const { redirect_uri, arrival } = way()
    const page = await startAt('trusted', redirect_uri)
    expect((await arrivalAt(page, arrival, () => signIn(page))).get('code')).toMatch(/^[\w-]{45}$/)

    // The exact URI: a port of the loopback is free only in a redirect_uri.
    const post_logout_redirect_uri = redirect_uri.replace(`:${app.port}/loopback`, '/loopback')
    const query = new URLSearchParams({ client_id: 'trusted', post_logout_redirect_uri, state: 'bye' })
    const second = await openTab(`${server.issuer}/oauth/logout?${query}`, page.context())
    const end = arrival.replace(`:${app.port}/loopback`, '/loopback')
    expect((await arrivalAt(second, end, press(second, 'Sign out'))).get('state')).toBe('bye')
  })

  it('from the consent page: Deny, then Allow', async () => {
    const { redirect_uri, arrival } = way()
    const page = await startAt('notes', redirect_uri)
    await signIn(page)
    const denied = await arrivalAt(page, arrival, press(page, 'Deny'))
    expect(denied.get('error')).toBe('access_denied')
    const second = await startAt('notes', redirect_uri, page.context())
    const allowed = await arrivalAt(second, arrival, press(second, 'Allow'))
    expect(allowed.get('code')).toMatch(/^[\w-]{45}$/)
  })
})

describe('an answer on a page that stayed open in another tab, because an app took the address', () => {
  it.each([
    ['notes', 'Allow', 'If it is still waiting for you, start again there'],
    ['trusted', 'Sign in', 'Go back to the application and start again'],
  ])(
    'of %s on %s: a page says what to do, and there is no second code',
    async (client_id, button, advice) => {
      const page = await startAt(client_id, APP_WITH_HOST)
      if (button === 'Allow') await signIn(page)
      const other = await openTab(page.url(), page.context())
      const arrivals: string[] = []
      page.context().on('request', (request) => {
        if (request.url().startsWith(APP_WITH_HOST)) arrivals.push(request.url())
      })
      const answerOn = (tab: Page) => (button === 'Allow' ? press(tab, button)() : signIn(tab))
      await arrivalAt(page, APP_WITH_HOST, () => answerOn(page))
      await answerOn(other)
      await other.getByText(advice).waitFor()
      expect(arrivals).toHaveLength(1)
    },
  )
})
