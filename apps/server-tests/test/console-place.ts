/** A server with the console, and the browser of an administrator without JavaScript. */

import { createUser } from '@ostiary/identity'
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { inChromium } from './in-chromium.ts'
import { type RemotePlace, remotePlace } from './remote-server.ts'

export const REALM = '/admin/realms/default'

export async function consolePlace(): Promise<RemotePlace> {
  const place = await remotePlace({ dpop: 'on' }, { console: true }, { audit: { enabled: true } })
  const claims = { name: 'Bob Baker', email: 'bob@example.com', email_verified: true }
  await createUser(place.users, { username: 'bob', sub: 'bob-1', groups: ['staff', 'on call'], ...claims })
  return place
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
