/** Clients of a realm with the FAPI 2.0 Security Profile, and the APIs that they call. */

import { jwtHeader } from '@ostiary/test-kit/jwt'
import { freePort } from '@ostiary/test-kit/ports'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import type { Browser } from 'playwright-core'
import { expect } from 'vitest'
import { type ClientWorld, type Configuration, clientWorld } from './clients.ts'
import { type Nonces, startNotesApi } from './notes-api.ts'
import { json, walkThrough } from './walk-through.ts'

/** The folders of the programs. */
export const PROGRAMS = ['openid-client-fapi', 'oauth4webapi-fapi'] as const
/** Of assertions, proofs, ID tokens and access tokens alike. */
export const ALGORITHMS = ['ES256', 'PS256'] as const
export type Algorithm = (typeof ALGORITHMS)[number]
export type FapiClient = [program: (typeof PROGRAMS)[number], alg: Algorithm]

const idOf = ([program, alg]: FapiClient): string => `${program}-${alg}`.toLowerCase()

interface FapiSettings {
  clients: FapiClient[]
  nonce: Nonces
}

/** A provider, a client of each kind as a process, and an API for each algorithm. */
export async function fapiWorld({ clients, nonce }: FapiSettings): Promise<ClientWorld> {
  const algorithms = [...new Set(clients.map(([, alg]) => alg))]
  const apis = new Map<string, string>()
  for (const alg of algorithms) apis.set(alg, `http://localhost:${await freePort()}/notes`)
  const keys = new Map<string, JWK>()
  const entries: Configuration['clients'] = []
  for (const client of clients) {
    const [, alg] = client
    const pair = await generateKeyPair(alg, { extractable: true })
    const name = { kid: idOf(client), alg }
    keys.set(idOf(client), { ...(await exportJWK(pair.privateKey)), ...name })
    entries.push(entryOf(client, { ...(await exportJWK(pair.publicKey)), ...name }))
  }
  const resources = [...apis].map(([token_signing_alg, api]) => [
    api,
    { scopes: ['notes.read'], token_signing_alg },
  ])
  const world = await clientWorld({
    oidc: {
      profile: 'fapi2',
      keys: { algorithms },
      dpop: nonce === 'required' ? 'nonce' : 'on',
      resources: Object.fromEntries(resources),
      scopes: { 'notes.read': { description: 'Read your notes' } },
    },
    clients: entries,
  })
  const { issuer } = world.provider
  for (const resource of apis.values()) world.onStop(await startNotesApi({ issuer, resource, nonce }))
  const start = (client: FapiClient) =>
    world.start(idOf(client), {
      folder: client[0],
      env: { CLIENT_KEY: JSON.stringify(keys.get(idOf(client))), API: apis.get(client[1]) ?? '' },
    })
  await Promise.all(clients.map(start))
  return world
}

const entryOf = (client: FapiClient, jwk: JWK) => ({
  client_id: idOf(client),
  redirect_uris: ['http://localhost:8080/callback'],
  post_logout_redirect_uris: ['http://localhost:8080/'],
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  id_token_signed_response_alg: client[1],
  jwks: { keys: [jwk] },
})

/** A user signs in and out; in between the program calls UserInfo and its API, refreshes, and gets a token of its own. */
export async function walkFapi(browser: Browser, world: ClientWorld, client: FapiClient): Promise<void> {
  const { url } = world.app(idOf(client))
  await walkThrough(browser, world, {
    client_id: idOf(client),
    async silent(context) {
      const page = await context.newPage()
      await page.goto(`${url}/login`)
      const { origin } = new URL(page.url())
      await page.close()
      return origin === url ? { code: 'without a page' } : { error: 'login_required' }
    },
    async whileSignedIn(context) {
      const notes = ['Buy milk', 'Call Ben']
      expect(await json(context, `${url}/notes`)).toMatchObject({ notes })
      // The profile forbids the rotation of refresh tokens.
      expect(await json(context, `${url}/refresh`)).toEqual({ refreshed: true, rotated: false })
      expect(await json(context, `${url}/notes`)).toMatchObject({ notes })

      const own = await json(context, `${url}/service`)
      expect(own).toMatchObject({
        token_type: 'dpop',
        notes,
        introspected: { active: true, client_id: idOf(client), token_type: 'DPoP' },
        revoked: { active: false },
      })
      expect(own.introspected.cnf).toEqual({ jkt: expect.any(String) })
      expect(jwtHeader(own.access_token)).toMatchObject({ alg: client[1] })
    },
  })
}
