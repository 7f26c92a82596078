/** docs/frameworks/python.md: its applications with Flask and FastAPI and its API, with Debian's packages. */

import { existsSync } from 'node:fs'
import { launchBrowser } from '@ostiary/test-kit/chromium'
import { installDebian } from '@ostiary/test-kit/debian'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Change, type FrameworkPage, frameworkPage } from './framework-page.ts'
import {
  afterEndOfSession,
  afterSignIn,
  clientToken,
  personAt,
  statusOf,
  walkFramework,
} from './framework-walk.ts'
import { readPage } from './shown-code.ts'

const PATH_OF_PAGE = 'docs/frameworks/python.md'

/** A file of each package. */
const FILES = [
  '/usr/bin/flask',
  '/usr/bin/uvicorn',
  ...['authlib', 'fastapi', 'httpx', 'itsdangerous', 'requests'].map(
    (name) => `/usr/lib/python3/dist-packages/${name}/__init__.py`,
  ),
]
/** Debian's Python before others of the machine. */
const PATH = '/usr/bin:/bin'
const FLASK = { file: 'app.py', command: 'flask run', ready: /Running on/ }
const FASTAPI = { file: 'main.py', command: 'uvicorn main:app', ready: /running on/ }
type App = typeof FLASK

let browser: Browser
let page: FrameworkPage

beforeAll(async () => {
  page = await frameworkPage('python', {
    client_id: 'python',
    changes: { python: { access_token_lifetime: 3 } },
  })
  if (!FILES.every((file) => existsSync(file)) && !installDebian(page.debian, PATH_OF_PAGE))
    throw new Error(`apt-get install ${page.debian.join(' ')}. As root on Debian the test does it.`)
  browser = await launchBrowser()
  const cwd = await page.folder(['api.py'])
  page.world.onStop(
    await page.start(page.command('flask --app api'), { cwd, ready: FLASK.ready, env: { PATH } }),
  )
})
afterAll(async () => {
  await browser.close()
  await page.stop()
})

/** Runs the application, with changes of its file or its environment, while `use` does something with it. */
async function withApp({ file, command, ready }: App, { changes, env }: Different, use: () => Promise<void>) {
  const cwd = await page.folder([file], changes)
  const stop = await page.start(page.command(command), { cwd, ready, env: { PATH, ...env } })
  await use().finally(stop)
}

interface Different {
  changes?: Change[]
  env?: Record<string, string>
}

/** Where the application sends a browser that signs in. */
async function openLogin(origin = page.app, headers = {}): Promise<string> {
  const response = await fetch(`${origin}/login`, { redirect: 'manual', headers })
  return response.headers.get('location') ?? ''
}
const PROXY_HEADERS = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'app.example.com' }

interface Trial extends Different {
  symptom: string
  shown(): Promise<string>
}

const TRIALS: Trial[] = [
  {
    symptom: 'PKCE is required',
    changes: [[", 'code_challenge_method': 'S256'", '']],
    shown: () => afterSignIn(page),
  },
  { symptom: 'send resource=', changes: [[', resource=NOTES', '']], shown: () => afterSignIn(page) },
  {
    symptom: 'not registered',
    shown: async () =>
      (await personAt(page).open(await openLogin(page.app.replace('localhost', '127.0.0.1')))).html,
  },
  {
    symptom: 'redirect_uri=http%3A',
    // Uvicorn reads the header of a proxy at 127.0.0.1: here is one elsewhere.
    env: { FORWARDED_ALLOW_IPS: '192.0.2.1' },
    shown: () => openLogin(page.app, PROXY_HEADERS),
  },
  {
    symptom: 'mismatching_state',
    shown: async () => (await fetch(`${page.app}/callback?code=a&state=b`)).text(),
  },
  { symptom: 'invalid_client', env: { CLIENT_SECRET: 'another' }, shown: () => afterSignIn(page) },
  { symptom: 'invalid_grant', shown: () => afterEndOfSession(page) },
]
it('each line under "What goes wrong" is tried', () => {
  expect(TRIALS.map(({ symptom }) => symptom)).toEqual(page.symptoms)
})

describe.each([FLASK, FASTAPI])('$file', (app) => {
  it('signs in, greets the user, calls the API, refreshes and signs out', () =>
    withApp(app, {}, () => walkFramework(browser, page, { client_id: 'python', notes: 'Buy milk' })))

  it.each(TRIALS)('shows what the page says of $symptom', ({ symptom, shown, ...trial }) =>
    withApp(app, trial, async () => expect(await shown()).toContain(symptom)),
  )

  it('has https in the redirect URI behind a proxy, with what the page says', () => {
    const [, fix = '', module = ''] =
      /`(app\.wsgi_app = [^`]+)`, of `([\w.]+)`/.exec(readPage(PATH_OF_PAGE)) ?? []
    const made = 'app = Flask(__name__)\n'
    const changes: Change[] = [[made, `${made}from ${module} import ProxyFix\n${fix}\n`]]
    return withApp(app, { changes: app === FLASK ? changes : [] }, async () => {
      expect(await openLogin(page.app, PROXY_HEADERS)).toContain('redirect_uri=https%3A')
    })
  })
})

describe('api.py', () => {
  it('refuses a token without the scope, for another API, and at once when it is revoked', async () => {
    const tokenFor = (fields: Record<string, string>) => clientToken(page, 'notes-api', fields)
    const token = await tokenFor({ resource: page.api, scope: 'notes.read' })
    expect(await statusOf(page, token)).toBe(200)
    expect(await statusOf(page, await tokenFor({ resource: page.api }))).toBe(403)
    // An own token of the API's client is active for it, with any audience.
    expect(await statusOf(page, await tokenFor({ scope: 'profile' }))).not.toBe(200)
    const { CLIENT_SECRET: client_secret = '' } = page.world.env('notes-api')
    const body = new URLSearchParams({ client_id: 'notes-api', client_secret, token })
    await fetch(`${page.world.provider.issuer}/oauth/revoke`, { method: 'POST', body })
    expect(await statusOf(page, token)).toBe(401)
  })
})
