/** docs/frameworks/apache-and-nginx.md: mod_auth_openidc, alone and behind nginx, as Debian has them. */

import { existsSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { launchBrowser, signIn } from '@ostiary/test-kit/chromium'
import { installDebian } from '@ostiary/test-kit/debian'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startExample } from './examples.ts'
import { type Change, type FrameworkPage, frameworkPage } from './framework-page.ts'
import { allowed, walkFramework } from './framework-walk.ts'

const FILES = ['/usr/sbin/apache2', '/usr/sbin/nginx', '/usr/lib/apache2/modules/mod_auth_openidc.so']
const CLIENT = 'apache'
/** Not all of it is ASCII. */
const NAME = 'Zoë Müller'
/** A browser cannot say who its user is. */
const FORGED = { OIDC_CLAIM_name: 'Mallory', OIDC_access_token: 'forged' }
const WALK = {
  client_id: CLIENT,
  notes: 'Buy milk',
  redirect_path: '/private/redirect_uri',
  home: '/private/',
  name: NAME,
  headers: FORGED,
}

let browser: Browser
let page: FrameworkPage

beforeAll(async () => {
  page = await frameworkPage('apache-and-nginx', {
    client_id: CLIENT,
    // The module refreshes a minute before the end of the token.
    changes: { [CLIENT]: { access_token_lifetime: 62 } },
    user: { name: NAME },
  })
  const packages = [...page.debian, 'nginx']
  if (
    !FILES.every((file) => existsSync(file)) &&
    !installDebian(packages, 'docs/frameworks/apache-and-nginx.md')
  )
    throw new Error(`apt-get install ${packages.join(' ')}. As root on Debian the test does it.`)
  browser = await launchBrowser()
  const port = Number(new URL(page.api).port)
  page.world.onStop(await startExample('hono-api', { url: page.api, port }, page.world.provider.issuer))
  const cwd = await page.folder(['app.mjs'])
  const { PATH = '' } = process.env
  page.world.onStop(
    await page.start(page.command('node app.mjs'), { cwd, ready: /Listening/, env: { PATH } }),
  )
})
afterAll(async () => {
  await browser.close()
  await page.stop()
})

/** The modules that Debian loads by itself, and those of `a2enmod` in the page. */
function modules(): string[] {
  const [, named = ''] = /^a2enmod (.+)$/m.exec(page.command('apt-get install')) ?? []
  const needed = named.split(' ').flatMap((name) => (name === 'proxy_http' ? ['proxy', name] : [name]))
  return ['mpm_event', 'authn_core', 'authz_core', 'authz_user', ...needed].map(
    (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
  )
}

interface ApacheSettings {
  changes?: Change[] | undefined
  ready?: RegExp
}

/** Runs Apache with these files of the page. */
async function startApache(files: string[], settings: ApacheSettings = {}): Promise<() => Promise<unknown>> {
  const { changes, ready = /resuming normal operations/ } = settings
  const cwd = await page.folder(files, changes)
  // Apache changes its user when root starts it.
  await chmod(cwd, 0o777)
  const lines = [
    `ServerRoot ${cwd}`,
    'ServerName localhost',
    `PidFile ${cwd}/httpd.pid`,
    `Mutex file:${cwd}`,
    'ErrorLog "|/bin/cat"',
    'LogLevel notice',
    'User www-data',
    'Group www-data',
    ...modules(),
    ...files.map((file) => `Include ${cwd}/${file}`),
  ]
  await writeFile(join(cwd, 'httpd.conf'), lines.join('\n'))
  const command = `/usr/sbin/apache2 -f ${cwd}/httpd.conf -D FOREGROUND`
  return page.start(command, { cwd, ready })
}

async function startNginx(changes: Change[] = []): Promise<() => Promise<unknown>> {
  const cwd = await page.folder(['nginx.conf'], changes)
  await chmod(cwd, 0o777)
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${cwd}/${name};`,
  )
  const http = [...paths, 'access_log off;', `include ${cwd}/nginx.conf;`].join('\n')
  const main = `daemon off;\npid ${cwd}/nginx.pid;\nerror_log stderr notice;\nevents {}\nhttp {\n${http}\n}\n`
  await writeFile(join(cwd, 'main.conf'), main)
  const command = `/usr/sbin/nginx -e stderr -c ${cwd}/main.conf`
  return page.start(command, { cwd, ready: /start worker processes/ })
}

/** What a user sees who opens the page and signs in. @param answer The button of the consent page. */
async function shownBy(answer: 'Allow' | 'Deny' = 'Allow', origin = page.app): Promise<string> {
  const context = await browser.newContext()
  const tab = await context.newPage()
  await tab.goto(`${origin}/private/`)
  if (new URL(tab.url()).origin === page.world.provider.issuer) {
    await signIn(tab)
    await tab.getByRole('button', { name: answer }).click()
    await tab.waitForURL(`${page.app}/**`)
  }
  const text = await tab.textContent('body')
  await context.close()
  return text ?? ''
}

interface Trial {
  symptom: string
  changes?: Change[]
  shown(): Promise<string>
}

/** The consent page comes, also when the user has allowed the same before. */
const ASK: Change = ['OIDCAuthRequestParams ', 'OIDCAuthRequestParams prompt=consent&']

const TRIALS: Trial[] = [
  { symptom: 'PKCE is required', changes: [['OIDCPKCEMethod S256', '']], shown: () => shownBy() },
  { symptom: 'send resource=', changes: [['OIDCAuthRequestParams', '# ']], shown: () => shownBy() },
  { symptom: 'SSO to this module', changes: [ASK, ['RewriteEngine On', '']], shown: () => shownBy('Deny') },
  {
    symptom: 'Internal Server Error',
    shown: () => shownBy('Allow', page.app.replace('localhost', '127.0.0.1')),
  },
  {
    symptom: 'not registered for it',
    async shown() {
      const context = await browser.newContext()
      const tab = await context.newPage()
      await tab.goto(`${page.app}/private/`)
      await allowed(tab, page.app)
      await tab.goto(`${page.app}/private/redirect_uri?logout=${page.app}/other`)
      const text = await tab.textContent('body')
      await context.close()
      return text ?? ''
    },
  },
]
const UNDEFINED = 'AH00111'

async function withApache(changes: Change[] | undefined, use: () => Promise<void>): Promise<void> {
  const stop = await startApache(['oidc.conf', 'app.conf'], { changes })
  await use().finally(stop)
}

async function withNginx(changes: Change[], use: () => Promise<void>): Promise<void> {
  const stop = await startApache(['oidc.conf', 'check.conf'])
  const run = async () => {
    const stopNginx = await startNginx(changes)
    await use().finally(stopNginx)
  }
  await run().finally(stop)
}

it('each line under "What goes wrong" is tried', () => {
  expect([...TRIALS.map(({ symptom }) => symptom), UNDEFINED]).toEqual(page.symptoms)
})

describe('Apache', () => {
  it('signs in, tells the application the name and a token that it refreshes, and signs out', () =>
    withApache([], () => walkFramework(browser, page, WALK)))

  it('shows the error of a denied request', () =>
    withApache([ASK], async () => expect(await shownBy('Deny')).toContain('access_denied')))

  it.each(TRIALS)('shows what the page says of $symptom', ({ symptom, changes, shown }) =>
    withApache(changes, async () => expect(await shown()).toContain(symptom)),
  )

  it('names a variable that it does not have', async () => {
    const changes: Change[] = [['{SESSION_SECRET}', '{NO_SECRET}']]
    const stop = await startApache(['oidc.conf', 'app.conf'], { changes, ready: new RegExp(UNDEFINED) })
    await stop()
  })
})

describe('nginx, which asks Apache', () => {
  it('signs in, tells the application the name and a token that it refreshes, and signs out', () =>
    withNginx([], () => walkFramework(browser, page, WALK)))

  it('lets nothing through without a sign-in, and does not answer /check', () =>
    withNginx([], async () => {
      const statusOf = async (path: string) => (await fetch(page.app + path, { headers: FORGED })).status
      for (const path of ['/private/', '/private/notes', '//private/notes'])
        expect(await statusOf(path), path).toBe(401)
      // Apache refuses an encoded slash.
      expect(await statusOf('/private%2Fnotes')).toBe(404)
      expect(await statusOf('/check')).toBe(404)
    }))

  it('shows what the page says of a request without its Host', () =>
    withNginx([['    proxy_set_header Host $http_host;\n', '']], async () =>
      expect(await shownBy()).toContain('Internal Server Error'),
    ))
})
