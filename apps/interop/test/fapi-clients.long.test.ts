/** openid-client and oauth4webapi, unmodified, with the FAPI 2.0 Security Profile: each algorithm, with nonces and without. */

import { launchBrowser } from '@ostiary/test-kit/chromium'
import { eventually } from '@ostiary/test-kit/eventually'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ClientWorld } from './clients.ts'
import { ALGORITHMS, type FapiClient, fapiWorld, PROGRAMS, walkFapi } from './fapi-clients.ts'

const CLIENTS = PROGRAMS.flatMap((program) => ALGORITHMS.map((alg): FapiClient => [program, alg]))

describe.each(['off', 'required'] as const)('nonces %s:', (nonce) => {
  let browser: Browser
  let world: ClientWorld
  beforeAll(async () => {
    browser = await launchBrowser()
    world = await fapiWorld({ clients: CLIENTS, nonce })
  })
  afterAll(async () => {
    await browser?.close()
    await world?.stop()
  })

  it.each(CLIENTS)(
    '%s with %s pushes its request, signs a user in, calls UserInfo and an API, refreshes, and gets, introspects and revokes a token of its own',
    async (...client) => {
      await walkFapi(browser, world, client)
      const errors = () => world.provider.logged('request.refused').map(({ error }) => error)
      await eventually(() => expect(errors().includes('use_dpop_nonce')).toBe(nonce === 'required'))
    },
  )
})
