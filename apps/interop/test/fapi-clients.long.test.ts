/**
 * openid-client and oauth4webapi, unmodified, with the FAPI 2.0 Security Profile: each algorithm, with nonces and without. The long run
 * has each pair of a program, an algorithm and the nonces, one of them with fapi-client.test.ts; the weekly run has all.
 */

import { launchBrowser } from '@ostiary/test-kit/chromium'
import { eventually } from '@ostiary/test-kit/eventually'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WEEKLY } from '../../../vitest.shared.ts'
import type { ClientWorld } from './clients.ts'
import { ALGORITHMS, type FapiClient, fapiWorld, PROGRAMS, walkFapi } from './fapi-clients.ts'
import type { Nonces } from './notes-api.ts'

const EVERY_CLIENT = PROGRAMS.flatMap((program) => ALGORITHMS.map((alg): FapiClient => [program, alg]))
const PAIRS: Record<Nonces, FapiClient[]> = {
  off: [
    ['openid-client-fapi', 'PS256'],
    ['oauth4webapi-fapi', 'ES256'],
  ],
  required: [['oauth4webapi-fapi', 'PS256']],
}

describe.each(['off', 'required'] as const)('nonces %s:', (nonce) => {
  const clients = WEEKLY ? EVERY_CLIENT : PAIRS[nonce]
  let browser: Browser
  let world: ClientWorld
  beforeAll(async () => {
    browser = await launchBrowser()
    world = await fapiWorld({ clients, nonce })
  })
  afterAll(async () => {
    await browser?.close()
    await world?.stop()
  })

  it.each(clients)(
    '%s with %s pushes its request, signs a user in, calls UserInfo and an API, refreshes, and gets, introspects and revokes a token of its own',
    async (...client) => {
      await walkFapi(browser, world, client)
      const errors = () => world.provider.logged('request.refused').map(({ error }) => error)
      await eventually(() => expect(errors().includes('use_dpop_nonce')).toBe(nonce === 'required'))
    },
  )
})
