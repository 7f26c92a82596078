/** What becomes of tokens that are bound to a key: introspection, revocation, token exchange; and what clients learn of DPoP. */

import { DPOP_ALGORITHMS } from '@ostiary/resource-server'
import { dpopKey } from '@ostiary/test-kit/dpop'
import { beforeAll, describe, expect, it } from 'vitest'
import { codeForm, lastReason, proven, tokenProof } from './dpop.js'
import {
  bearer,
  CLIENT_SECRET,
  client,
  payload,
  tokens,
  type World,
  type WorldOptions,
  world,
} from './support.js'

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'
const API = 'https://api.example.net'
const secret = { client_secret: CLIENT_SECRET }
const APP = { client_id: 'app', ...secret }
const BACKEND = { client_id: 'backend', ...secret }
const key = dpopKey()
const other = dpopKey()

/** `app` signs users in; its tokens for `notes` reach the API `backend`, which exchanges them. */
async function apiWorld({ oidc, ...options }: WorldOptions = {}): Promise<World> {
  const grant_types = ['authorization_code', 'refresh_token', 'client_credentials', EXCHANGE]
  const allowed_exchange_audiences = [API, 'backend', 'https://id.example.com/notes']
  return world({
    clients: [
      await client({ ...APP, grant_types, allowed_exchange_audiences }),
      await client({ ...BACKEND, grant_types, allowed_exchange_audiences }),
    ],
    ...options,
    oidc: {
      dpop: 'on',
      resources: { notes: { clients: ['backend'] }, [API]: {} },
      clients: { token_exchange: true },
      ...oidc,
    },
  })
}

async function userToken(w: World, with_key: typeof key | null): Promise<Record<string, string>> {
  const { code } = await w.browser().code({ resource: `${w.issuer}/notes`, scope: 'openid' })
  return (await proven(w, codeForm(code, APP), with_key)).body as never
}
const machineToken = async (w: World): Promise<string> =>
  (await proven(w, { grant_type: 'client_credentials', ...APP }, key)).body.access_token

const introspect = async (w: World, token = '', caller = BACKEND) =>
  (await w.post('/oauth/introspect', { ...caller, token })).json()

describe('Introspection of a bound token, without a proof', () => {
  let w: World
  beforeAll(async () => {
    w = await apiWorld({ routing: 'path' })
  })

  it('answers cnf and token_type DPoP, to the API and to the client of the token', async () => {
    const { access_token } = await userToken(w, key)
    for (const caller of [BACKEND, APP]) {
      const answer = await introspect(w, access_token, caller)
      expect(answer).toMatchObject({ active: true, token_type: 'DPoP', cnf: { jkt: key.jkt } })
      expect(answer.sub).toBe('alice')
    }
    const machine = await introspect(w, await machineToken(w), APP)
    expect(machine).toMatchObject({ active: true, token_type: 'DPoP', cnf: { jkt: key.jkt } })
  })

  it('answers a bearer token as before', async () => {
    const { access_token } = await userToken(w, null)
    const answer = await introspect(w, access_token)
    expect(answer).toMatchObject({ active: true, token_type: 'Bearer' })
    expect(answer).not.toHaveProperty('cnf')
  })

  it('a header DPoP has no effect, even a broken one', async () => {
    const { access_token = '' } = await userToken(w, key)
    const form = { ...BACKEND, token: access_token }
    const answer = await w.post('/oauth/introspect', form, { dpop: 'rubbish' })
    expect(await answer.json()).toMatchObject({ active: true })
  })

  it('with DPoP off again such a token is not active: an API that knows bearer tokens alone would accept it', async () => {
    const { access_token } = await userToken(w, key)
    const off = await apiWorld({ routing: 'path', storage: w.storage, clients: [], oidc: { dpop: 'off' } })
    expect(await introspect(off, access_token)).toEqual({ active: false })
    expect(await introspect(w, access_token)).toMatchObject({ active: true })
  })
})

describe('Revocation of a bound token, without a proof', () => {
  it.each(['access_token', 'refresh_token'])('by the %s: the grant ends, with both tokens', async (name) => {
    const w = await apiWorld()
    const issued = await userToken(w, key)
    expect((await w.post('/oauth/revoke', { ...BACKEND, token: issued[name] ?? '' })).status).toBe(200)
    expect(await introspect(w, issued.access_token)).toMatchObject({ active: true })
    expect((await w.post('/oauth/revoke', { ...APP, token: issued[name] ?? '' })).status).toBe(200)
    expect(await introspect(w, issued.access_token)).toEqual({ active: false })
  })

  it('of a token without a grant', async () => {
    const w = await apiWorld()
    const token = await machineToken(w)
    expect(await introspect(w, token, APP)).toMatchObject({ active: true })
    await w.post('/oauth/revoke', { ...APP, token })
    expect(await introspect(w, token, APP)).toEqual({ active: false })
  })
})

describe('Token exchange of a bound subject token', () => {
  const form = (subject_token = '', caller = APP) => ({
    grant_type: EXCHANGE,
    ...caller,
    subject_token,
    subject_token_type: ACCESS_TOKEN,
    audience: API,
  })
  let w: World
  beforeAll(async () => {
    w = await apiWorld()
  })
  /** A token of alice for the client `backend` itself, bound to the key. */
  async function tokenForBackend(): Promise<string> {
    const { access_token } = await userToken(w, key)
    const exchanged = await proven(w, { ...form(access_token), audience: 'backend' }, key)
    expect(payload(exchanged.body.access_token)).toMatchObject({ aud: 'backend', cnf: { jkt: key.jkt } })
    return exchanged.body.access_token
  }

  it('by its own client: only with a proof of its key, and the new token is bound to it', async () => {
    const { access_token } = await userToken(w, key)
    for (const [proof_key, reason] of [
      [null, 'subject_token_missing_proof'],
      [other, 'subject_token_proof_of_another_key'],
    ] as const) {
      const { status, body } = await proven(w, form(access_token), proof_key)
      expect([status, body.error, lastReason(w)]).toEqual([400, 'invalid_grant', reason])
    }
    const { status, body } = await proven(w, form(access_token), key)
    expect([status, body.token_type]).toEqual([200, 'DPoP'])
    expect(payload(body.access_token).cnf).toEqual({ jkt: key.jkt })
  })

  /** Two ways in which a token is addressed to the API `backend`. */
  const ADDRESSED: [string, () => Promise<string | undefined>][] = [
    ['its client_id in aud', tokenForBackend],
    ['oidc.resources.<key>.clients', async () => (await userToken(w, key)).access_token],
  ]

  it.each(ADDRESSED)(
    'by the API that it is addressed to, %s: only with a key of the API',
    async (_, made) => {
      const token = await made()
      const without = await proven(w, form(token, BACKEND), null)
      expect([without.status, without.body.error]).toEqual([400, 'invalid_grant'])
      expect(lastReason(w)).toBe('subject_token_missing_proof')
      const own = await proven(w, form(token, BACKEND), other)
      expect([own.status, own.body.token_type]).toEqual([200, 'DPoP'])
      expect(payload(own.body.access_token)).toMatchObject({ aud: API, cnf: { jkt: other.jkt } })
    },
  )

  it.each(ADDRESSED)('nor for an audience that the token has already, %s', async (_, made) => {
    const token = await made()
    const audience = payload(String(token)).aud as string
    const { body } = await proven(w, { ...form(token, BACKEND), audience }, other)
    expect([body.error, lastReason(w)]).toEqual(['invalid_grant', 'subject_token_proof_of_another_key'])
  })

  it('nor by a public client, although the token is addressed to it', async () => {
    const exchange_policy = async () => ({ scopes: [], token_type: 'Bearer' as const })
    const lax = await apiWorld({ exchange_policy })
    const page = await client({ client_id: 'page', grant_types: [EXCHANGE], trusted: true })
    await lax.storage(lax.realm).clients.create(page)
    const { access_token } = await userToken(lax, key)
    // Bound, and addressed to the public client: made by an operator's policy.
    const bound = await apiWorld({
      storage: lax.storage,
      clients: [],
      exchange_policy: async () => ({ scopes: [] }),
    })
    const token = (await proven(bound, { ...form(access_token), audience: 'page' }, key)).body.access_token
    for (const proof_key of [null, other]) {
      const asked = { ...form(token), client_id: 'page', client_secret: '' }
      expect((await proven(lax, asked, proof_key)).body.error).toBe('invalid_grant')
    }
  })

  describe('where the exchange policy allows a bearer token', () => {
    const exchange_policy = async () => ({ scopes: [], token_type: 'Bearer' as const })

    it('the API needs no key, and gets one', async () => {
      const allowed = await apiWorld({ storage: w.storage, clients: [], exchange_policy })
      const token = await tokenForBackend()
      for (const proof_key of [null, other]) {
        const { status, body } = await proven(allowed, form(token, BACKEND), proof_key)
        expect([status, body.token_type]).toEqual([200, 'Bearer'])
        expect(payload(body.access_token)).not.toHaveProperty('cnf')
      }
    })

    it('the client of the token still proves its key', async () => {
      const allowed = await apiWorld({ storage: w.storage, clients: [], exchange_policy })
      const { access_token } = await userToken(w, key)
      for (const proof_key of [null, other])
        expect((await proven(allowed, form(access_token), proof_key)).body.error).toBe('invalid_grant')
      expect((await proven(allowed, form(access_token), key)).body.token_type).toBe('Bearer')
    })

    it('a resource that requires bound tokens gets none', async () => {
      const allowed = await apiWorld({
        storage: w.storage,
        clients: [],
        exchange_policy,
        oidc: { resources: { notes: { clients: ['backend'] }, [API]: { dpop: 'required' } } },
      })
      const { body } = await proven(allowed, form(await tokenForBackend(), BACKEND), other)
      expect([body.error, lastReason(allowed)]).toEqual(['invalid_dpop_proof', 'resource_requires_proof'])
    })
  })

  it('by a client that it is neither for nor of: refused, whatever the policy says', async () => {
    const exchange_policy = async () => ({ scopes: [] })
    const lax = await apiWorld({ exchange_policy })
    const stranger = { client_id: 'stranger', ...secret }
    await lax.storage(lax.realm).clients.create(await client({ ...stranger, grant_types: [EXCHANGE] }))
    const { access_token } = await userToken(lax, key)
    const { body } = await proven(lax, form(access_token, stranger), other)
    expect([body.error, lastReason(lax)]).toEqual(['invalid_grant', 'subject_token_proof_of_another_key'])
    const bearer = await userToken(lax, null)
    expect((await proven(lax, form(bearer.access_token, stranger), other)).status).toBe(200)
  })

  it('a proof that was used before gets no token', async () => {
    const { access_token } = await userToken(w, key)
    const dpop = tokenProof(w, key)
    expect((await tokens(w, form(access_token), { dpop })).status).toBe(200)
    expect((await tokens(w, form(access_token), { dpop })).body.error).toBe('invalid_dpop_proof')
    expect(lastReason(w)).toBe('proof_replayed')
  })

  it('an unbound one becomes a bound token', async () => {
    const { access_token } = await userToken(w, null)
    const { body } = await proven(w, form(access_token), key)
    expect(payload(body.access_token).cnf).toEqual({ jkt: key.jkt })
  })
})

it('a bound token is no bearer token: UserInfo and the guard refuse it', async () => {
  const w = await apiWorld()
  const ask = async (token = '') => {
    const request = new Request(`${w.issuer}/oauth/userinfo`, { headers: bearer(token) })
    const principal = await w.provider.guard().authenticate(request)
    return [(await w.provider.fetch(request)).status, principal instanceof Response]
  }
  expect(await ask((await userToken(w, null)).access_token)).toEqual([200, false])
  expect(await ask((await userToken(w, key)).access_token)).toEqual([401, true])
})

describe('What clients learn of DPoP', () => {
  const documentOf = async ({ provider, issuer }: World) =>
    (await provider.fetch(new Request(`${issuer}/.well-known/openid-configuration`))).json()

  it('discovery names the algorithms of proofs, only with DPoP on', async () => {
    const on = await documentOf(await apiWorld())
    const off = await documentOf(await apiWorld({ oidc: { dpop: 'off' } }))
    expect(on).toEqual({ ...off, dpop_signing_alg_values_supported: [...DPOP_ALGORITHMS] })
  })

  it.each([true, false])('pages of other origins may send proofs and read nonces: %s', async (enabled) => {
    const w = await apiWorld({ oidc: { dpop: enabled ? 'nonce' : 'off' } })
    const form = { grant_type: 'client_credentials', ...APP }
    const preflight = await w.provider.fetch(new Request(`${w.issuer}/oauth/token`, { method: 'OPTIONS' }))
    expect(/\bDPoP\b/.test(preflight.headers.get('access-control-allow-headers') ?? '')).toBe(enabled)
    const refused = await tokens(w, form, { dpop: tokenProof(w, key) })
    const nonce = refused.headers.get('dpop-nonce') ?? ''
    const answers = [
      preflight,
      refused,
      await tokens(w, form, { dpop: tokenProof(w, key, { nonce }) }),
      await tokens(w, { ...form, client_secret: 'wrong' }),
      await w.provider.fetch(new Request(`${w.issuer}/oauth/token`)),
    ]
    for (const { headers } of answers) {
      expect(headers.get('access-control-allow-origin')).toBe('*')
      const exposed = enabled ? 'WWW-Authenticate, DPoP-Nonce' : 'WWW-Authenticate'
      expect(headers.get('access-control-expose-headers')).toBe(exposed)
    }
  })

  it('endpoints that read no proof do not change', async () => {
    const w = await apiWorld()
    for (const path of ['/oauth/revoke', '/.well-known/jwks.json']) {
      const { headers } = await w.provider.fetch(new Request(w.issuer + path, { method: 'OPTIONS' }))
      expect(headers.get('access-control-allow-headers')).not.toContain('DPoP')
      expect(headers.get('access-control-expose-headers')).toBe('WWW-Authenticate')
    }
  })
})
