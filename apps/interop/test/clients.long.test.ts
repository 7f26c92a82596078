/** docs/clients.md: web applications with a secret, each written as its library's documentation says. */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { followButton, launchBrowser } from '@ostiary/test-kit/chromium'
import type { Browser } from 'playwright-core'
import { ClientCredentials } from 'simple-oauth2'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ClientWorld, clientWorld } from './clients.ts'
import { shownCode } from './shown-code.ts'
import { type WebApp, walkThrough } from './walk-through.ts'

const WEB_APPS: WebApp[] = [
  { client_id: 'openid-client' },
  { client_id: 'passport-openidconnect' },
  {
    client_id: 'auth-js',
    login: '/auth/signin',
    redirect_path: '/auth/callback/ostiary',
    before: (page) => page.getByRole('button', { name: 'Sign in with Ostiary' }).click(),
    user: '/auth/session',
    refresh: null,
    after: (page) => followButton(page, 'Sign out'),
  },
]

let browser: Browser
let world: ClientWorld

beforeAll(async () => {
  // Auth.js refreshes a token that has expired.
  const changes = { 'auth-js': { access_token_lifetime: 3 } }
  const [launched, started] = await Promise.all([
    launchBrowser(),
    clientWorld('docs/clients.md', { changes }),
  ])
  browser = launched
  world = started
  await Promise.all(WEB_APPS.map(({ client_id }) => world.start(client_id)))
})
afterAll(async () => {
  await browser.close()
  await world.stop()
})

it.concurrent.for(WEB_APPS.map((app): [string, WebApp] => [app.client_id, app]))(
  '%s signs in, gets claims, calls UserInfo, refreshes and signs out',
  ([, app], { expect }) => walkThrough(browser, world, { ...app, expect }),
)

it('curl: a token of its own, introspected by its API, then revoked', async () => {
  const [code = ''] = shownCode('docs/clients.md').flatMap(({ language, parts }) =>
    language === 'sh' ? parts : [],
  )
  const { PATH = '' } = process.env
  const env = { PATH, ...world.env('worker') }
  const { stdout } = await promisify(execFile)('bash', ['-c', code], { env })
  expect(stdout.split(/(?<=\})/).map((text) => JSON.parse(text))).toMatchObject([
    { active: true, client_id: 'worker', scope: 'notes.read', aud: ['http://localhost:4001/notes'] },
    { active: false },
  ])
})

it('simple-oauth2: the token is revoked, and with the option of the page it knows', async () => {
  const { ISSUER = '', CLIENT_ID = '', CLIENT_SECRET = '' } = world.env('worker')
  const revoke = async (http: object) => {
    const client = new ClientCredentials({
      client: { id: CLIENT_ID, secret: CLIENT_SECRET },
      auth: { tokenHost: ISSUER, tokenPath: '/oauth/token', revokePath: '/oauth/revoke' },
      http,
    })
    const resource = 'http://localhost:4001/notes'
    const token = await client.getToken({ resource, scope: 'notes.read' } as { scope: string })
    const error = await token.revoke('access_token').then(
      () => null,
      ({ message }: Error) => message,
    )
    return { error, active: await isActive(String(token.token.access_token)) }
  }
  expect(await revoke({ json: true })).toEqual({ error: null, active: false })
  expect(await revoke({})).toEqual({ error: 'The content-type is not JSON compatible', active: false })
})

/** As the API sees it. */
async function isActive(token: string): Promise<boolean> {
  const { ISSUER = '', CLIENT_ID = '', CLIENT_SECRET = '' } = world.env('notes-api')
  const answer = await fetch(`${ISSUER}/oauth/introspect`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${CLIENT_ID}:${CLIENT_SECRET}`)}` },
    body: new URLSearchParams({ token }),
  })
  return ((await answer.json()) as { active: boolean }).active
}
