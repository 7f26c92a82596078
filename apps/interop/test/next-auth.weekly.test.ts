/** docs/clients.md: next-auth 4 in Next.js, which npm installs into a folder of its own: it has 350 MB. */

import { execFile } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { followButton, launchBrowser } from '@ostiary/test-kit/chromium'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, it } from 'vitest'
import { type ClientWorld, clientWorld, startProgram } from './clients.ts'
import { walkThrough } from './walk-through.ts'

const CLIENT = 'next-auth'
let browser: Browser
let world: ClientWorld

beforeAll(async () => {
  world = await clientWorld('docs/clients.md', { changes: { [CLIENT]: { access_token_lifetime: 3 } } })
  const folder = await temporaryFolder((clean) => world.onStop(async () => clean()))
  await cp(fileURLToPath(new URL(`../clients/${CLIENT}`, import.meta.url)), folder, { recursive: true })
  await promisify(execFile)('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund'], {
    cwd: folder,
  })
  const { url, port } = world.app(CLIENT)
  const env = { ...world.env(CLIENT), NEXTAUTH_URL: url, NEXT_TELEMETRY_DISABLED: '1' }
  const next = [process.execPath, join(folder, 'node_modules/next/dist/bin/next')]
  world.onStop(await startProgram([...next, 'dev', folder, '-p', String(port)], env, /Ready in/))
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await world.stop()
})

it('signs in, gets claims, calls UserInfo, refreshes and signs out', async () => {
  await walkThrough(browser, world, {
    client_id: CLIENT,
    login: '/api/auth/signin',
    redirect_path: '/api/auth/callback/ostiary',
    before: (page) => page.getByRole('button', { name: 'Sign in with Ostiary' }).click(),
    user: '/api/auth/session',
    refresh: null,
    after: (page) => followButton(page, 'Sign out'),
  })
})
