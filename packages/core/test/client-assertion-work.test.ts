/** The duration of a refused assertion does not tell why it was refused: each costs the verification of one signature. */

import * as crypto_module from 'node:crypto'
import { base64url } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'

// The original function, whose calls are counted.
vi.mock('node:crypto', async (original) => {
  const module = await original<typeof import('node:crypto')>()
  return { ...module, verify: vi.fn(module.verify) }
})
// The files of one worker share their modules: those that are loaded already have the function itself.
let assertions: typeof import('./assertions.js')
let support: typeof import('./support.js')
beforeAll(async () => {
  vi.resetModules()
  assertions = await import('./assertions.js')
  support = await import('./support.js')
})
afterAll(() => {
  vi.doUnmock('node:crypto')
  vi.resetModules()
})

const verified = () =>
  vi.mocked(crypto_module.verify).mock.calls.length + vi.mocked(crypto.subtle.verify).mock.calls.length

beforeEach(() => {
  vi.mocked(crypto_module.verify).mockClear()
  vi.spyOn(crypto.subtle, 'verify').mockClear()
})

const encoded = (value: unknown) => base64url.encode(JSON.stringify(value))
/** Bytes of a signature by each algorithm, with an RSA key of 2048 bits. */
const SIGNATURE_BYTES = { RS256: 256, PS256: 256, ES256: 64, EdDSA: 64 }
const algorithms = Object.entries(SIGNATURE_BYTES)

it.each(algorithms)('%s', async (alg, bytes) => {
  const { asserted, clientKey } = assertions
  const { client, tokens, world } = support
  const made = await Promise.all(['RS256', 'ES256', 'Ed25519'].map((name) => clientKey(name)))
  const keys = made.map(({ public_jwk }) => public_jwk)
  const clients = await Promise.all(
    Object.entries({
      'with-keys': { jwks: { keys } },
      'without-keys': { jwks: null },
      revoked: { jwks: { keys }, revoked_at: 1 },
      'by-secret': { jwks: { keys }, token_endpoint_auth_method: 'client_secret_post' as const },
      public: { jwks: { keys }, token_endpoint_auth_method: 'none' as const },
    }).map(([client_id, fields]) =>
      client({ client_id, token_endpoint_auth_method: 'private_key_jwt', ...fields }),
    ),
  )
  const w = await world({ clients, oidc: { clients: { private_key_jwt: true } } })
  const times: Record<string, number> = {}
  for (const client_id of ['unknown', ...clients.map((known) => known.client_id)]) {
    const claims = { iss: client_id, sub: client_id, aud: w.issuer, jti: alg, exp: w.clock.now + 60 }
    const token = `${encoded({ alg })}.${encoded(claims)}.${base64url.encode(new Uint8Array(bytes))}`
    const before = verified()
    const { status } = await tokens(w, { grant_type: 'client_credentials', ...asserted(token) })
    expect(status).toBe(401)
    times[client_id] = verified() - before
  }
  expect(times).toEqual({
    unknown: 1,
    'with-keys': 1,
    'without-keys': 1,
    revoked: 1,
    'by-secret': 1,
    public: 1,
  })
})
