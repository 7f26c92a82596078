/** DPoP at the token endpoint: the proof, what it binds, and its one use. RFC 9449 §4.3, §5 and §11.1. */

import { memoryStorage } from '@ostiary/core/memory'
import { BAD_PROOFS } from '@ostiary/test-kit/bad-proofs'
import { dpopKey } from '@ostiary/test-kit/dpop'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Storage } from '../src/storage/storage.js'
import { codeForm, lastReason, proven, refreshForm, tokenProof, withProof } from './dpop.js'
import {
  CLIENT_SECRET,
  client,
  formRequest,
  payload,
  tokens,
  type World,
  type WorldOptions,
  world,
} from './support.js'

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const API = 'https://api.example.net'
const STRICT = 'https://strict.example.net'
const SERVICE = { client_id: 'service', client_secret: CLIENT_SECRET }
const MACHINE = { grant_type: 'client_credentials', ...SERVICE }
const key = dpopKey()
const other = dpopKey()

/** The storage, and how often it was asked to remember a use. */
function countedStorage(): { storage: Storage; claims: () => number } {
  const stores = memoryStorage()
  let claims = 0
  const storage: Storage = (realm) => {
    const store = stores(realm)
    const claim: typeof store.replays.claim = (...use) => {
      claims += 1
      return store.replays.claim(...use)
    }
    return { ...store, replays: { ...store.replays, claim } }
  }
  return { storage, claims: () => claims }
}

async function dpopWorld({ oidc, ...options }: WorldOptions = {}): Promise<World> {
  const confidential = { client_secret: CLIENT_SECRET, allowed_exchange_audiences: [API, STRICT] }
  const grant_types = ['authorization_code', 'refresh_token', 'client_credentials', EXCHANGE]
  return world({
    clients: [
      await client(),
      await client({ client_id: 'service', ...confidential, grant_types }),
      await client({ client_id: 'bound', ...confidential, grant_types, dpop_bound_access_tokens: true }),
    ],
    ...options,
    oidc: {
      dpop: 'on',
      resources: {
        [API]: { scopes: ['notes'] },
        ...(oidc?.dpop !== 'off' && { [STRICT]: { dpop: 'required' } }),
      },
      clients: { token_exchange: true },
      ...oidc,
    },
  })
}

describe('A proof at the token endpoint', () => {
  let w: World
  beforeAll(async () => {
    w = await dpopWorld({ routing: 'path' })
  })
  const forge = () => ({ key, method: 'POST', url: `${w.issuer}/oauth/token`, now: w.clock.now })

  it.each(BAD_PROOFS)('is refused: $name', async ({ make }) => {
    const refused = await tokens(w, MACHINE, withProof(make(forge())))
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_dpop_proof'])
    expect(refused.headers.get('dpop-nonce')).toBeNull()
    expect(lastReason(w)).toMatch(/^(?:several|malformed)_proof|^proof_\w+$/)
  })

  it.each<[string, (w: World) => string, string]>([
    ['the introspection endpoint', ({ issuer }) => `${issuer}/oauth/introspect`, 'proof_url'],
    ['the issuer', ({ issuer }) => issuer, 'proof_url'],
    [
      'the token endpoint of another realm',
      ({ issuer }) => `${issuer.replace('acme', 'other')}/oauth/token`,
      'proof_url',
    ],
    ['the token endpoint without the realm', () => 'https://id.example.com/oauth/token', 'proof_url'],
  ])('for %s is refused', async (_, htu, reason) => {
    const sent = tokenProof(w, key, { claims: { htu: htu(w) } })
    expect((await tokens(w, MACHINE, withProof(sent))).body.error).toBe('invalid_dpop_proof')
    expect(lastReason(w)).toBe(reason)
  })

  it('is for the configured URL, whatever host and path the request names', async () => {
    const url = 'http://attacker.example/realms/acme/oauth/token'
    const body = new URLSearchParams(MACHINE).toString()
    const send = (htu: string) => {
      const dpop = tokenProof(w, key, { claims: { htu } })
      const headers = { 'content-type': 'application/x-www-form-urlencoded', host: 'attacker.example', dpop }
      return w.provider.fetch(new Request(url, { method: 'POST', headers, body }))
    }
    expect((await send(url)).status).toBe(400)
    expect((await send(`${w.issuer}/oauth/token`)).status).toBe(200)
  })

  it('is checked after the client is authenticated, and before the grant', async () => {
    const bad = withProof('rubbish')
    const stranger = await tokens(w, { ...MACHINE, client_secret: 'wrong' }, bad)
    expect([stranger.status, stranger.body.error]).toEqual([401, 'invalid_client'])
    const unregistered = await tokens(w, { grant_type: 'client_credentials', client_id: 'app' }, bad)
    expect(unregistered.body.error).toBe('unauthorized_client')
    expect((await tokens(w, { ...MACHINE, scope: 'unheard-of' }, bad)).body.error).toBe('invalid_dpop_proof')
  })

  it('is refused 300 seconds after its iat, and 60 seconds before it', async () => {
    const send = async (iat: number) =>
      (await tokens(w, MACHINE, withProof(tokenProof(w, key, { claims: { iat } })))).status
    const { now } = w.clock
    expect(await Promise.all([now - 300, now + 60].map(send))).toEqual([200, 200])
    expect(await Promise.all([now - 301, now + 61].map(send))).toEqual([400, 400])
  })

  it('the answer to a refused one says what to do, and names no reason', async () => {
    const { body } = await tokens(w, MACHINE, withProof('rubbish'))
    expect(body.error_description).toMatch(/make a new one for each request/i)
    expect(JSON.stringify(body)).not.toContain('malformed_proof')
  })
})

describe('What a proof binds', () => {
  /** Tokens of each grant, by the client `service` unless the grant is a user's of the public client. */
  const GRANTS: [string, (w: World) => Promise<Record<string, string>>][] = [
    ['authorization_code', async (w) => codeForm((await w.browser().code()).code)],
    [
      'refresh_token',
      async (w) => {
        const { body } = await tokens(w, codeForm((await w.browser().code()).code))
        return refreshForm(body.refresh_token)
      },
    ],
    ['client_credentials', async () => MACHINE],
    [
      'token exchange',
      async (w) => ({
        grant_type: EXCHANGE,
        ...SERVICE,
        subject_token: (await tokens(w, MACHINE)).body.access_token,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        audience: API,
      }),
    ],
  ]

  it.each(GRANTS)('%s: the access token, to the key', async (_, form) => {
    const w = await dpopWorld()
    const { status, body } = await proven(w, await form(w), key)
    expect([status, body.token_type]).toEqual([200, 'DPoP'])
    expect(payload(body.access_token).cnf).toEqual({ jkt: key.jkt })
    if (body.id_token) expect(payload(body.id_token)).not.toHaveProperty('cnf')
    expect(w.events.findLast(({ type }) => type === 'token.issued')).toMatchObject({ jkt: key.jkt })
  })

  it.each(GRANTS)('%s without a proof: a bearer token', async (_, form) => {
    const w = await dpopWorld()
    const { body } = await proven(w, await form(w), null)
    expect(body.token_type).toBe('Bearer')
    expect(payload(body.access_token)).not.toHaveProperty('cnf')
    expect(w.events.findLast(({ type }) => type === 'token.issued')).not.toHaveProperty('jkt')
  })

  it.each(GRANTS)('%s with DPoP off: the header is ignored, even a broken one', async (_, form) => {
    const w = await dpopWorld({ oidc: { dpop: 'off' } })
    for (const dpop of [tokenProof(w, key), 'rubbish']) {
      const { status, body } = await tokens(w, await form(w), { dpop })
      expect([status, body.token_type]).toEqual([200, 'Bearer'])
      expect(payload(body.access_token)).not.toHaveProperty('cnf')
    }
  })

  it('the claims resolver of the application cannot bind a token to another key', async () => {
    const w = await dpopWorld({ claims: () => ({ cnf: { jkt: other.jkt } }) })
    const bound = await proven(w, codeForm((await w.browser().code()).code), key)
    expect(payload(bound.body.access_token).cnf).toEqual({ jkt: key.jkt })
    const free = await proven(w, codeForm((await w.browser().code()).code), null)
    expect(payload(free.body.access_token)).not.toHaveProperty('cnf')
  })

  describe('where bound tokens alone are issued, a request without a proof is refused, and nothing is spent', () => {
    const BOUND = { client_id: 'bound', client_secret: CLIENT_SECRET }
    const refused = async (w: World, form: Record<string, string>, reason: string) => {
      const { status, body } = await proven(w, form, null)
      expect([status, body.error, lastReason(w)]).toEqual([400, 'invalid_dpop_proof', reason])
      expect(body.error_description).toMatch(/send a proof of the key in the header DPoP/)
      expect(body).not.toHaveProperty('access_token')
      const accepted = await proven(w, form, key)
      expect([accepted.status, accepted.body.token_type]).toEqual([200, 'DPoP'])
      return accepted.body
    }

    it('by dpop_bound_access_tokens of the client', async () => {
      const w = await dpopWorld()
      const reason = 'client_requires_proof'
      const { code } = await w.browser().code({ client_id: 'bound' })
      const { refresh_token, access_token } = await refused(w, codeForm(code, BOUND), reason)
      await refused(w, refreshForm(refresh_token, BOUND), reason)
      await refused(w, { grant_type: 'client_credentials', ...BOUND }, reason)
      expect(payload(access_token).client_id).toBe('bound')
    })

    it('by the resource of the token', async () => {
      const w = await dpopWorld()
      const reason = 'resource_requires_proof'
      const request = { client_id: 'service', resource: STRICT, scope: '' }
      const { code } = await w.browser().code(request)
      const { refresh_token } = await refused(w, codeForm(code, SERVICE), reason)
      await refused(w, refreshForm(refresh_token, SERVICE), reason)
      await refused(w, { ...MACHINE, resource: STRICT }, reason)
      const subject_token = (await proven(w, MACHINE, null)).body.access_token
      const subject_token_type = 'urn:ietf:params:oauth:token-type:access_token'
      const exchange = { grant_type: EXCHANGE, ...SERVICE, subject_token, subject_token_type }
      await refused(w, { ...exchange, audience: STRICT }, reason)
    })

    it('and with DPoP off: dpop_bound_access_tokens has no effect, and such a resource is a wrong configuration', async () => {
      const w = await dpopWorld({ oidc: { dpop: 'off' } })
      expect((await proven(w, { grant_type: 'client_credentials', ...BOUND }, null)).status).toBe(200)
      const resources = { [STRICT]: { dpop: 'required' as const } }
      const faults = `oidc.resources.${STRICT}.dpop: required needs oidc.dpop: set that to "on" as well`
      for (const dpop of ['off', undefined] as const)
        await expect(dpopWorld({ oidc: { dpop, resources } })).rejects.toThrow(faults)
    })
  })
})

describe('A proof is used once', () => {
  it('of 50 parallel uses one succeeds, and the others get invalid_dpop_proof', async () => {
    const w = await dpopWorld()
    const dpop = tokenProof(w, key)
    const answers = await Promise.all(Array.from({ length: 50 }, () => tokens(w, MACHINE, { dpop })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(49).fill(400)])
    expect(lastReason(w)).toBe('proof_replayed')
  })

  it.each<[string, (w: World) => Promise<Record<string, string>>]>([
    ['a code', async (w) => codeForm((await w.browser().code()).code)],
    [
      'a refresh token',
      async (w) => {
        const { body } = await proven(w, codeForm((await w.browser().code()).code), key)
        return refreshForm(body.refresh_token)
      },
    ],
  ])('a used one does not spend %s', async (_, form) => {
    const w = await dpopWorld()
    const dpop = tokenProof(w, key)
    expect((await tokens(w, MACHINE, { dpop })).status).toBe(200)
    const fields = await form(w)
    const replayed = await tokens(w, fields, { dpop })
    expect([replayed.status, replayed.body.error]).toEqual([400, 'invalid_dpop_proof'])
    expect((await proven(w, fields, key)).status).toBe(200)
  })

  it('another proof with the same jti is a replay; of another key it is not, and in another realm it is not', async () => {
    const w = await dpopWorld({ routing: 'path' })
    const claims = { jti: 'the same' }
    const send = async (from: typeof key) =>
      (await tokens(w, MACHINE, { dpop: tokenProof(w, from, { claims }) })).status
    expect(await send(key)).toBe(200)
    w.clock.now += 1
    expect(await send(key)).toBe(400)
    expect(await send(other)).toBe(200)
    const other_issuer = w.issuer.replace('acme', 'other')
    await w.storage('other').clients.create(await client({ ...SERVICE, grant_types: ['client_credentials'] }))
    const dpop = tokenProof({ ...w, issuer: other_issuer }, key, { claims })
    const headers = { dpop }
    const request = formRequest(`${other_issuer}/oauth/token`, MACHINE, { headers })
    expect((await w.provider.fetch(request)).status).toBe(200)
  })

  it('a request that is refused does not use it up, and stores nothing', async () => {
    const { storage, claims } = countedStorage()
    const w = await dpopWorld({ storage })
    const dpop = tokenProof(w, key)
    for (const form of [
      { ...MACHINE, client_secret: 'wrong' },
      { ...MACHINE, scope: 'unheard-of' },
      { ...MACHINE, resource: 'https://unknown.example' },
      codeForm('never-issued'),
      refreshForm('never-issued'),
    ])
      expect((await tokens(w, form, { dpop })).status).toBeGreaterThanOrEqual(400)
    expect(claims()).toBe(0)
    expect((await tokens(w, MACHINE, { dpop })).status).toBe(200)
    expect(claims()).toBe(1)
  })

  it('a use is remembered until the proof is refused for its age, to the second', async () => {
    const w = await dpopWorld()
    const started = w.clock.now
    const dpop = tokenProof(w, key, { claims: { iat: started + 60 } })
    expect((await tokens(w, MACHINE, { dpop })).status).toBe(200)
    w.clock.now = started + 360
    expect((await tokens(w, MACHINE, { dpop })).status).toBe(400)
    expect(lastReason(w)).toBe('proof_replayed')
    w.clock.now = started + 361
    expect((await tokens(w, MACHINE, { dpop })).status).toBe(400)
    expect(lastReason(w)).toBe('proof_expired')
  })
})
