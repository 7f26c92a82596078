/** A server with the console, and the browser of an administrator without JavaScript. */

import { createUser } from '@ostiary/identity'
import { eventually } from '@ostiary/test-kit/eventually'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { inChromium } from './in-chromium.ts'
import { type RemotePlace, remotePlace } from './remote-server.ts'

export const REALM = '/admin/realms/default'

export async function consolePlace(oidc: object = {}, more: object = {}): Promise<RemotePlace> {
  const place = await remotePlace(
    { dpop: 'on', ...oidc },
    { console: true },
    { audit: { enabled: true }, ...more },
  )
  const claims = { name: 'Bob Baker', email: 'bob@example.com', email_verified: true }
  await createUser(place.users, { username: 'bob', sub: 'bob-1', groups: ['staff', 'on call'], ...claims })
  return place
}

/** Creates a client, changes it, and sends requests that are refused. Returns the path of the change, and the reference of the last refusal. */
export async function activity(
  page: Page,
  { server }: RemotePlace,
): Promise<{ row: string; reference: string }> {
  const { issuer } = server
  await page.goto(`${issuer}${REALM}/clients/new/web`)
  await page.locator('#client_id').fill('notes')
  await page.locator('#client_name').fill('Notes')
  await page.locator('#redirect_uris').fill('https://notes.example.com/callback')
  await page.locator('form.act button:not([name])').click()
  await page.waitForLoadState()
  await page.goto(`${issuer}${REALM}/clients/notes/edit`)
  await page.locator('#client_name').fill('Notes for teams')
  await page
    .locator('#redirect_uris')
    .fill('https://notes.example.com/callback\nhttps://notes.example.com/other')
  await page.locator('form.act button:not([name])').click()
  await page.waitForLoadState()
  for (const client_id of ['nope', 'nope', 'notes'])
    await page.goto(
      `${issuer}/oauth/authorize?response_type=code&client_id=${client_id}&redirect_uri=https://x.example.com`,
    )
  const [reference = ''] =
    /[\dA-F]{4}-[\dA-F]{4}/.exec((await page.locator('main').textContent()) ?? '') ?? []
  const row = await eventually(async () => {
    await page.goto(`${issuer}${REALM}/find?q=${reference}`)
    expect(page.url()).toContain('/explain/')
    await page.goto(`${issuer}${REALM}/audit?type=client.update`)
    return (await page.locator('.list tbody a').first().getAttribute('href')) ?? ''
  })
  return { row, reference }
}

type Chromium = ReturnType<typeof inChromium>

/** A browser without JavaScript, in which ann has signed in to the console. */
export async function administrator(
  chromium: Chromium,
  place: RemotePlace,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const { issuer } = place.server
  const person = place.browser()
  await place.signIn(person, await person.open(`${issuer}/admin`))
  const page = await chromium.device({ javaScriptEnabled: false, ...options })
  const cookies = [...person.cookies].map(([name, value]) => ({ name, value, url: issuer }))
  await page.context().addCookies(cookies)
  return page
}
