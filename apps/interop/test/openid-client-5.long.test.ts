/** openid-client 5, which accepts RS256 ID tokens alone, in a realm that signs access tokens with ES256. */

import { launchBrowser, signIn } from '@ostiary/test-kit/chromium'
import { jwtHeader } from '@ostiary/test-kit/jwt'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ClientWorld, clientWorld, configurationOf } from './clients.ts'
import { json, walkThrough } from './walk-through.ts'

const CLIENT = 'openid-client-5'
/** The same program, at a client for which the provider has another algorithm. */
const ES256_ID_TOKENS = 'openid-client-5-es256'

let browser: Browser
let world: ClientWorld
beforeAll(async () => {
  const documented = configurationOf('docs/clients.md').clients.filter(
    ({ client_id }) => client_id === CLIENT,
  )
  const other = documented.map((entry) => ({
    ...entry,
    client_id: ES256_ID_TOKENS,
    id_token_signed_response_alg: 'ES256',
  }))
  browser = await launchBrowser()
  world = await clientWorld({
    oidc: { keys: { algorithms: ['RS256', 'ES256'], access_token_alg: 'ES256' } },
    clients: [...documented, ...other],
  })
  await world.start(CLIENT)
  await world.start(ES256_ID_TOKENS, { folder: CLIENT })
})
afterAll(async () => {
  await browser?.close()
  await world?.stop()
})

it('signs in, gets claims, calls UserInfo, refreshes and signs out, with ES256 access tokens', () =>
  walkThrough(browser, world, {
    client_id: CLIENT,
    async whileSignedIn(context) {
      const { access_token, id_token } = await json(context, `${world.app(CLIENT).url}/tokens`)
      expect([access_token, id_token].map((jwt) => jwtHeader(jwt).alg)).toEqual(['ES256', 'RS256'])
    },
  }))

it('refuses an ID token with another algorithm, so a client gets RS256 unless it asks for something else', async () => {
  const { url } = world.app(ES256_ID_TOKENS)
  const page = await browser.newPage()
  await page.goto(`${url}/login`)
  await signIn(page)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('unexpected JWT alg received, expected RS256, got: ES256').waitFor()
  await page.close()
})
