/** docs/frameworks/go.md: its application and its API, with go-oidc and oauth2 from Debian's backports. */

import { existsSync } from 'node:fs'
import { launchBrowser } from '@ostiary/test-kit/chromium'
import { installDebian, unpackBackports } from '@ostiary/test-kit/debian'
import { eventually } from '@ostiary/test-kit/eventually'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Change, type FrameworkPage, frameworkPage } from './framework-page.ts'
import {
  afterEndOfSession,
  afterSignIn,
  allowed,
  clientToken,
  personAt,
  statusOf,
  walkFramework,
} from './framework-walk.ts'

/** What `go get` fetches for a reader. */
const MODULES = [
  'golang-github-coreos-go-oidc-v3-dev',
  'golang-golang-x-crypto-dev',
  'golang-golang-x-net-dev',
  'golang-golang-x-oauth2-dev',
  'golang-gopkg-square-go-jose.v2-dev',
]
const CLIENT = 'go'
/** With the last, the test gets tokens without a user. */
const GRANTS = ['authorization_code', 'refresh_token', 'client_credentials']
const cleanups: (() => Promise<void> | void)[] = []

let browser: Browser
let page: FrameworkPage
let env: Record<string, string>

beforeAll(async () => {
  if (!existsSync('/usr/bin/go') && !installDebian(['golang-go'], 'docs/frameworks/go.md'))
    throw new Error('apt-get install golang-go. As root on Debian the test does it.')
  const folder = await temporaryFolder((clean) => cleanups.push(clean))
  unpackBackports(MODULES, folder)
  const { PATH = '' } = process.env
  env = { PATH, GO111MODULE: 'off', GOPATH: `${folder}/usr/share/gocode`, GOCACHE: `${folder}/cache` }
  page = await frameworkPage('go', {
    client_id: CLIENT,
    changes: { [CLIENT]: { access_token_lifetime: 3, grant_types: GRANTS } },
  })
  browser = await launchBrowser()
  const cwd = await page.folder(['api/main.go'])
  const stop = await page.start(page.command('go build -o notes-api'), { cwd, ready: /Listening on/, env })
  page.world.onStop(stop)
  await eventually(async () => expect((await fetch(page.api)).status).toBe(401))
})
afterAll(async () => {
  await browser.close()
  await page.stop()
  for (const clean of cleanups) await clean()
})

/** Runs the application, with changes of its file, while `use` does something with it. */
async function withApp(changes: Change[], use: () => Promise<void>) {
  const cwd = await page.folder(['main.go'], changes)
  const stop = await page.start(page.command('go build -o app'), { cwd, ready: /Open http/, env })
  await eventually(() => fetch(page.app))
  await use().finally(stop)
}

interface Trial {
  symptom: string
  changes?: Change[]
  shown(): Promise<string>
}

const TRIALS: Trial[] = [
  {
    symptom: 'PKCE is required',
    changes: [['oauth2.S256ChallengeOption(verifier),', '']],
    shown: () => afterSignIn(page),
  },
  {
    symptom: 'send resource=',
    changes: [['oauth2.SetAuthURLParam("resource", notes),', '']],
    shown: () => afterSignIn(page),
  },
  {
    symptom: 'did not begin in this browser',
    async shown() {
      const context = await browser.newContext()
      const tab = await context.newPage()
      await tab.goto(`${page.app.replace('localhost', '127.0.0.1')}/login`)
      await allowed(tab, page.app)
      const text = await tab.textContent('body')
      await context.close()
      return text ?? ''
    },
  },
  {
    symptom: 'context canceled',
    changes: [['config.Client(ctx, token)', 'config.Client(r.Context(), token)']],
    async shown() {
      const user = personAt(page)
      await afterSignIn(page, user)
      return eventually(async () => {
        const { html } = await user.open(`${page.app}/notes`)
        expect(html).not.toContain('Buy milk')
        return html
      })
    },
  },
  {
    symptom: 'expected audience',
    changes: [
      ['idTokens.Verify(r.Context(), rawIDToken)', 'idTokens.Verify(r.Context(), token.AccessToken)'],
    ],
    shown: () => afterSignIn(page),
  },
  { symptom: 'invalid_grant', shown: () => afterEndOfSession(page) },
]
/** The application does not start then. */
const NO_START = 'issuer did not match'

it('each line under "What goes wrong" is tried', () => {
  expect([NO_START, ...TRIALS.map(({ symptom }) => symptom)]).toEqual(page.symptoms)
})

it('signs in, greets the user, calls the API, refreshes and signs out', () =>
  withApp([], () => walkFramework(browser, page, { client_id: CLIENT, notes: 'Buy milk' })))

it.each(TRIALS)('shows what the page says of $symptom', ({ symptom, changes = [], shown }) =>
  withApp(changes, async () => expect(await shown()).toContain(symptom)),
)

it.each([
  ['a slash at its end', '/'],
  ['another host', ''],
])('does not start with an issuer that has %s', async (_, end) => {
  const { issuer } = page.world.provider
  const other = end === '' ? issuer.replace('localhost', '127.0.0.1') : `${issuer}${end}`
  const changes: Change[] = [[`issuer = "${issuer}"`, `issuer = "${other}"`]]
  const cwd = await page.folder(['main.go'], changes)
  await page.start(page.command('go build -o app'), { cwd, ready: new RegExp(NO_START), env })
})

it('the API refuses a token without the scope, and one for another audience', async () => {
  const tokenFor = (fields: Record<string, string>) => clientToken(page, CLIENT, fields)
  expect(await statusOf(page, await tokenFor({ resource: page.api, scope: 'notes.read' }))).toBe(200)
  expect(await statusOf(page, await tokenFor({ resource: page.api }))).toBe(403)
  expect(await statusOf(page, await tokenFor({ scope: 'profile' }))).toBe(401)
  expect(await statusOf(page, 'no-token')).toBe(401)
})
