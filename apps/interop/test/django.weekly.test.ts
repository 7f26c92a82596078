/** docs/applications.md, Django: the entry and the settings of django-allauth, with the packages of Debian 13. */

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { launchBrowser } from '@ostiary/test-kit/chromium'
import { installDebian, unpackRelease } from '@ostiary/test-kit/debian'
import { eventually } from '@ostiary/test-kit/eventually'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ClientWorld, clientWorld, startProgram } from './clients.ts'
import { allowed } from './framework-walk.ts'
import { readPage } from './shown-code.ts'

const PAGE = 'docs/applications.md'
const [, SECTION = ''] = /^## Django\n([\s\S]*?)^## /m.exec(readPage(PAGE)) ?? []
/** The page's addresses, at those of a client in clients.ts. */
const block = (begins: string): string => {
  const blocks = [...SECTION.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
  const found = blocks.find((code) => code.startsWith(begins))
  if (found === undefined) throw new Error(`${PAGE} has no block ${begins} for Django`)
  return found.replaceAll('https://app.example.com', 'http://localhost:8080')
}

/** Of any Debian: what the unpacked packages import. */
const IMPORTED = ['asgiref', 'cryptography', 'jwt', 'requests', 'sqlparse']
const PACKAGES = ['python3-django', 'python3-django-allauth']
/** Debian's Python before others of the machine. */
const PATH = '/usr/bin:/bin'

/** Beside what `startproject` makes: the quickstart of django-allauth, and a page that greets. */
const QUICKSTART = `
INSTALLED_APPS += ['allauth', 'allauth.account', 'allauth.socialaccount']
MIDDLEWARE += ['allauth.account.middleware.AccountMiddleware']
AUTHENTICATION_BACKENDS = ['allauth.account.auth_backends.AuthenticationBackend']
LOGIN_REDIRECT_URL = '/'
`
const URLS = `
from django.http import HttpResponse
from django.urls import include, path

def home(request):
    return HttpResponse(f'Hello {request.user.get_username() or "stranger"}!')

urlpatterns = [path('', home), path('accounts/', include('allauth.urls'))]
`

let browser: Browser
let world: ClientWorld
let env: Record<string, string>
const cleanups: (() => Promise<void> | void)[] = []
const newFolder = () => temporaryFolder((clean) => void cleanups.push(clean))

beforeAll(async () => {
  const installed = IMPORTED.map((name) => `/usr/lib/python3/dist-packages/${name}/__init__.py`)
  const names = IMPORTED.map((name) => `python3-${name}`)
  if (!installed.every((file) => existsSync(file)) && !installDebian(names, PAGE))
    throw new Error(`apt-get install ${names.join(' ')}. As root on Debian the test does it.`)
  const folder = await newFolder()
  unpackRelease('trixie', PACKAGES, folder)
  const modules = join(folder, 'usr/lib/python3/dist-packages')
  env = { PATH, PYTHONPATH: modules, PYTHONUNBUFFERED: '1' }
  browser = await launchBrowser()
  const user = { preferred_username: 'ann-of-the-page' }
  world = await clientWorld(JSON.parse(block('{')), { user })
})
afterAll(async () => {
  await browser.close()
  await world.stop()
  for (const clean of cleanups) await clean()
})

/** Runs a new project with the settings of the page while `use` has a tab of a new browser at it. */
async function withProject(settings: string, use: (tab: Page, app: string) => Promise<void>) {
  const cwd = await newFolder()
  const { url, port } = world.app('django')
  const variables = { ...env, ...world.env('django') }
  const python = (...args: string[]) => execFileSync('/usr/bin/python3', args, { cwd, env: variables })
  python('-m', 'django', 'startproject', 'project', '.')
  const here = settings.replaceAll('https://id.example.com', world.provider.issuer)
  await appendFile(join(cwd, 'project/settings.py'), QUICKSTART + here)
  await writeFile(join(cwd, 'project/urls.py'), URLS)
  python('manage.py', 'migrate')
  const program = ['/usr/bin/python3', join(cwd, 'manage.py'), 'runserver', '--noreload', `localhost:${port}`]
  const stop = await startProgram(program, variables, /Starting development server/)
  const context = await browser.newContext()
  try {
    await eventually(() => fetch(url))
    await use(await context.newPage(), url)
  } finally {
    await context.close()
    await stop()
  }
}

/** The page of django-allauth leads on by a form, so that a link of another site signs in no one. */
async function openSignIn(tab: Page, app: string) {
  await tab.goto(`${app}/accounts/oidc/ostiary/login/`)
  await tab.getByRole('button', { name: 'Continue' }).click()
}
const greeting = async (tab: Page, app: string) => {
  await tab.goto(app)
  return tab.textContent('body')
}

describe('django-allauth', () => {
  const settings = block('# settings.py, django-allauth')

  it('has the version that the page names', () => {
    const versions = execFileSync(
      '/usr/bin/python3',
      ['-c', 'import allauth, django; print(allauth.__version__, django.__version__)'],
      { env, encoding: 'utf8' },
    )
    const [, allauth = '', django = ''] = /django-allauth ([\d.]+) and\s+Django ([\d.]+),/.exec(SECTION) ?? []
    // The third number is that of Debian's latest correction.
    expect(versions.startsWith(`${allauth} ${django}.`), versions).toBe(true)
    expect(readPage(PAGE)).toContain(`django-allauth ${allauth} by a test`)
  })

  it('signs in, names the user, signs out of Django alone, and signs in again without a password', () =>
    withProject(settings, async (tab, app) => {
      expect(await greeting(tab, app)).toBe('Hello stranger!')
      await openSignIn(tab, app)
      await allowed(tab, app)
      expect(await greeting(tab, app)).toBe('Hello ann-of-the-page!')

      await tab.goto(`${app}/accounts/logout/`)
      await tab.getByRole('button', { name: 'Sign Out' }).click()
      expect(await greeting(tab, app)).toBe('Hello stranger!')
      await openSignIn(tab, app)
      await tab.waitForURL(`${app}/`)
      expect(await greeting(tab, app)).toBe('Hello ann-of-the-page!')
    }))

  it('without its setting for PKCE, ends with an error without a text', () => {
    const without = settings.replace("'OAUTH_PKCE_ENABLED': True,", '')
    expect(without).not.toBe(settings)
    return withProject(without, async (tab, app) => {
      await openSignIn(tab, app)
      await tab.waitForURL((url) => (url.searchParams.get('error_description') ?? '').includes('PKCE'))
      expect(await tab.textContent('body')).not.toContain('PKCE')
      expect(await greeting(tab, app)).toBe('Hello stranger!')
    })
  })
})
