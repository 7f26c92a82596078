/** The FAPI 2.0 Security Profile with one real client; the long run has more clients and algorithms. */

import { launchBrowser } from '@ostiary/test-kit/chromium'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, it } from 'vitest'
import type { ClientWorld } from './clients.ts'
import { type FapiClient, fapiWorld, walkFapi } from './fapi-clients.ts'

const CLIENT: FapiClient = ['openid-client-fapi', 'ES256']

let browser: Browser
let world: ClientWorld
beforeAll(async () => {
  browser = await launchBrowser()
  world = await fapiWorld({ clients: [CLIENT], nonce: 'required' })
})
afterAll(async () => {
  await browser?.close()
  await world?.stop()
})

it('openid-client signs a user in with a pushed request, private_key_jwt, and DPoP with nonces', () =>
  walkFapi(browser, world, CLIENT))
