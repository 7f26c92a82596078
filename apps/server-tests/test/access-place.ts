/** Applications that not every user may use, a device, and two users: ann is in the group staff, ben is not. */

import { PASSWORD } from '@ostiary/test-kit/server'
import type { Page } from 'playwright-core'
import type { inChromium } from './in-chromium.ts'
import { followByKeyboard } from './photograph.ts'

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code'
const STAFF = { allowed_groups: ['staff'] }
export const HELP = 'Write to it@corp.example if you need access.'

/** @param name Of the applications. @param more Other parts of the configuration. */
export function serveAccess(
  { serve, redirectUri }: Pick<ReturnType<typeof inChromium>, 'serve' | 'redirectUri'>,
  { name = 'Payroll', ...more }: { name?: string; languages?: object } = {},
) {
  const redirect_uris = [redirectUri()]
  const common = { client_name: name, trusted: true, redirect_uris }
  const device = { grant_types: [DEVICE_CODE] }
  const user = (username: string, groups: string[]) => ({
    username,
    password: PASSWORD,
    groups,
    preferred_username: username,
  })
  return serve(
    { second_factor: 'optional', access: { help_text: HELP, applications: true } },
    {
      oidc: {
        keys: { algorithms: ['ES256'] },
        acr: 'require',
        clients: { device_authorization: 'operator' },
      },
      clients: [
        { ...common, client_id: 'payroll', client_uri: 'https://payroll.example/', ...STAFF },
        { ...common, client_id: 'vault', required_acr: '2' },
        { ...common, client_id: 'wiki', client_name: 'The wiki', client_uri: 'https://wiki.example/' },
        { client_id: 'tv', client_name: name, ...device, ...STAFF },
        { client_id: 'safe', client_name: name, ...device, required_acr: '2' },
      ],
      users: [user('ann', ['staff']), user('ben', ['sales'])],
      ...more,
    },
  )
}

/** With the password, by keyboard. */
export async function signInAs(page: Page, username: string): Promise<void> {
  await page.locator('#username').fill(username)
  await page.locator('#password').fill(PASSWORD)
  await followByKeyboard(page, 'form:has(#password) button')
}

/** A device asks, and the user enters its code. */
export async function enterCodeOf(page: Page, issuer: string, client_id: string): Promise<string> {
  const body = new URLSearchParams({ client_id, scope: 'openid' })
  const response = await fetch(`${issuer}/oauth/device_authorization`, { method: 'POST', body })
  const { user_code } = (await response.json()) as { user_code: string }
  await page.goto(`${issuer}/device`)
  await page.locator('#user_code').fill(user_code)
  await followByKeyboard(page, 'form:has(#user_code) button')
  return user_code
}
