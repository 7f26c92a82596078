/** openid-client 5, which accepts RS256 ID tokens alone, in a realm that signs access tokens with ES256. */

import { launchBrowser } from '@ostiary/test-kit/chromium'
import { jwtHeader } from '@ostiary/test-kit/jwt'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ClientWorld, clientWorld, configurationOf } from './clients.ts'
import { json, walkThrough } from './walk-through.ts'

const CLIENT = 'openid-client-5'

let browser: Browser
let world: ClientWorld
beforeAll(async () => {
  const { clients } = configurationOf('docs/clients.md')
  browser = await launchBrowser()
  world = await clientWorld({
    oidc: { keys: { algorithms: ['RS256', 'ES256'], access_token_alg: 'ES256' } },
    clients: clients.filter(({ client_id }) => client_id === CLIENT),
  })
  await world.start(CLIENT)
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
