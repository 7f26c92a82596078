/** docs/clients.md: Apache's mod_auth_openidc, as Debian has it. */

import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { launchBrowser, signIn } from '@ostiary/test-kit/chromium'
import { installDebian } from '@ostiary/test-kit/debian'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ClientWorld, clientWorld, startProgram } from './clients.ts'
import { walkThrough } from './walk-through.ts'

/** Packages, and a file of each. */
const PACKAGES = {
  'libapache2-mod-auth-openidc': '/usr/lib/apache2/modules/mod_auth_openidc.so',
}
const program = (path: string) => fileURLToPath(new URL(`../clients/${path}`, import.meta.url))

let browser: Browser
let world: ClientWorld
const cleanups: (() => Promise<void> | void)[] = []

beforeAll(async () => {
  const missing = Object.entries(PACKAGES).flatMap(([name, file]) => (existsSync(file) ? [] : [name]))
  if (missing.length > 0 && !installDebian(missing, 'the clients of Debian'))
    throw new Error(
      `These tests need packages of Debian: apt-get install ${missing.join(' ')}. As root on Debian they install them themselves.`,
    )
  const [launched, started] = await Promise.all([
    launchBrowser(),
    clientWorld('docs/clients.md', {
      // It refreshes a minute before the end of the token.
      changes: { 'mod-auth-openidc': { access_token_lifetime: 62 } },
    }),
  ])
  browser = launched
  world = started
})
afterAll(async () => {
  await browser.close()
  await world.stop()
  for (const clean of cleanups) await clean()
})

describe('Apache with mod_auth_openidc', () => {
  beforeAll(async () => {
    const folder = await temporaryFolder((clean) => cleanups.push(clean))
    // Apache changes its user when root starts it.
    await chmod(folder, 0o777)
    const env = {
      ...world.env('mod-auth-openidc'),
      FOLDER: folder,
      SETTINGS: program('mod-auth-openidc/openidc.conf'),
      BACKEND: await backend(),
    }
    const args = ['-f', program('mod-auth-openidc/httpd.conf'), '-D', 'FOREGROUND']
    world.onStop(await startProgram(['/usr/sbin/apache2', ...args], env, /resuming normal operations/))
  })

  /** The application behind Apache: shows what Apache tells it about the user, and asks UserInfo with the access token. */
  async function backend(): Promise<string> {
    const server = createServer(async ({ url = '', headers }, response) => {
      const { oidc_claim_name: name, oidc_claim_email: email, oidc_access_token: token } = headers
      const authorization = `Bearer ${token}`
      const userinfo = () => fetch(`${world.provider.issuer}/oauth/userinfo`, { headers: { authorization } })
      const answer = url.endsWith('/userinfo') ? await (await userinfo()).json() : { user: { name, email } }
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    world.onStop(async () => {
      server.closeAllConnections()
      server.close()
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  it('shows the error of a denied request, instead of taking its iss for another sign-in', async () => {
    const page = await browser.newPage()
    await page.goto(`${world.app('mod-auth-openidc').url}/notes/mine`)
    await signIn(page)
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.waitForURL('**/notes/redirect_uri?**')
    expect(new URL(page.url()).searchParams.get('iss')).toBe(world.provider.issuer)
    expect(await page.textContent('body')).toContain('access_denied')
    await page.close()
  })

  it('asks for a sign-in, passes claims and a token on, refreshes it, signs out', async () => {
    const { url } = world.app('mod-auth-openidc')
    await walkThrough(browser, world, {
      client_id: 'mod-auth-openidc',
      login: '/notes/mine',
      user: '/notes/mine',
      userinfo: '/notes/userinfo',
      redirect_path: '/notes/redirect_uri',
      refresh: null,
      logout: `/notes/redirect_uri?logout=${encodeURIComponent(`${url}/goodbye`)}`,
    })
  })
})
