/** `oidc.profile: "fapi2"`: the authorization code flow. FAPI 2.0 Security Profile §5.3.2.2. */

import type { Client } from '@ostiary/core'
import { createResourceServer } from '@ostiary/resource-server'
import { dpopKey, dpopProof } from '@ostiary/test-kit/dpop'
import { exportJWK } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { lastReason, tokenProof, withProof } from './dpop.js'
import { authenticated, bank, fapi2World, granted, key, proofKey } from './fapi2.js'
import { parameters, post } from './par.js'
import {
  type Answer,
  answer,
  type Browser,
  CODE_VERIFIER,
  header,
  payload,
  REDIRECT_URI,
  type TokenAnswer,
  tokens,
  type World,
  world,
} from './support.js'

type Changes = Record<string, string | null>
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'

let w: World
beforeEach(async () => {
  w = await fapi2World()
})

/** Pushes the standard request of the client `bank`. @param form Undefined: with a new assertion. */
async function push(changes: Changes = {}, form?: Record<string, string>) {
  const credentials = form ?? (await authenticated(w))
  const request = parameters(w, { client_id: 'bank', ...changes })
  const response = await post(w, [...request, ...Object.entries(credentials)])
  return { status: response.status, body: await response.json() }
}

async function open(browser: Browser, changes: Changes = {}): Promise<Response> {
  const { body } = await push(changes)
  const query = new URLSearchParams({ client_id: 'bank', request_uri: String(body.request_uri) })
  return browser.get(`${w.issuer}/oauth/authorize?${query}`)
}

/** Pushes, signs in and consents as far as it is needed. */
async function authorized(browser: Browser, changes: Changes = {}): Promise<Answer> {
  let response = await open(browser, changes)
  if (response.headers.get('location')?.startsWith(`${w.issuer}/login?`)) response = await browser.signIn()
  if (response.status === 200) response = await browser.approve()
  return answer(response)
}

const codeForm = (code: unknown) => ({
  grant_type: 'authorization_code',
  code: String(code),
  redirect_uri: REDIRECT_URI,
  code_verifier: CODE_VERIFIER,
})
const redeem = (code: unknown): Promise<TokenAnswer> => granted(w, codeForm(code))
const stored = (fields: Partial<Client>) => async () => {
  w = await fapi2World({ clients: [await bank(fields)] })
}

it('works with a pushed request, an assertion and a proof each time, and the refresh token stays', async () => {
  const pushed = await push()
  expect([pushed.status, pushed.body.expires_in]).toEqual([201, 90])
  const { code, iss, state } = await authorized(w.browser(), { nonce: 'n'.repeat(64) })
  expect([iss, state]).toEqual([w.issuer, 'the state'])
  const { body } = await redeem(code)
  expect(payload(body.access_token).cnf).toEqual({ jkt: proofKey.jkt })
  expect(payload(body.id_token).nonce).toBe('n'.repeat(64))
  expect([header(body.access_token).alg, header(body.id_token).alg]).toEqual(['ES256', 'ES256'])
  for (let use = 0; use < 2; use += 1) {
    const refresh = { grant_type: 'refresh_token', refresh_token: body.refresh_token }
    const refreshed = await granted(w, refresh)
    expect([refreshed.status, refreshed.body.refresh_token]).toEqual([200, body.refresh_token])
    expect(payload(refreshed.body.access_token).cnf).toEqual({ jkt: proofKey.jkt })
  }
})

describe('the pushed request', () => {
  it('is required: parameters in the URL are refused', async () => {
    const response = await w.browser().authorize({ client_id: 'bank' })
    expect(answer(response)).toMatchObject({ error: 'invalid_request', iss: w.issuer })
  })

  it.each<[string, Record<string, string>]>([
    ['none', {}],
    ['a secret', { client_secret: 'x'.repeat(32) }],
  ])('needs an assertion; %s is refused', async (_, form) => {
    const { status, body } = await push({}, form)
    expect([status, body.error]).toEqual([401, 'invalid_client'])
  })

  it.each(['/oauth/par', '/oauth/token'])(
    'an assertion for %s is refused: its aud is the issuer alone',
    async (path) => {
      const { status, body } = await push({}, await authenticated(w, { claims: { aud: w.issuer + path } }))
      expect([status, body.error]).toEqual([401, 'invalid_client'])
    },
  )

  it.each<[string, Changes, string]>([
    ['redirect_uri, although one is registered', { redirect_uri: null }, 'redirect_uri is missing'],
    ['code_challenge', { code_challenge: null, code_challenge_method: null }, 'PKCE is required'],
  ])('needs %s', async (_, changes, description) => {
    await stored({ require_pkce: false })()
    const { status, body } = await push(changes)
    expect([status, body.error]).toEqual([400, 'invalid_request'])
    expect(body.error_description).toContain(description)
  })

  it.each<[string, Changes, string]>([
    ['PKCE plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['response_type token', { response_type: 'token' }, 'unsupported_response_type'],
    ['response_type code id_token', { response_type: 'code id_token' }, 'unsupported_response_type'],
  ])('%s is refused', async (_, changes, error) => {
    expect((await push(changes)).body.error).toBe(error)
  })

  it('to an http redirect URI that a stored client has is refused; to the loopback it is not', async () => {
    await stored({ redirect_uris: ['http://intranet.example.com/cb', 'http://127.0.0.1/cb'] })()
    const refused = await push({ redirect_uri: 'http://intranet.example.com/cb' })
    expect([refused.status, refused.body.error, lastReason(w)]).toEqual([
      400,
      'invalid_request',
      'insecure_redirect_uri',
    ])
    expect((await push({ redirect_uri: 'http://127.0.0.1:49152/cb' })).status).toBe(201)
  })
})

it('every redirect to the client is a 303', async () => {
  const browser = w.browser()
  expect((await authorized(browser)).status).toBe(303)
  const again = await open(browser)
  expect([again.status, answer(again).code]).toEqual([303, expect.any(String)])
  const refused = await open(w.browser(), { prompt: 'none' })
  expect([refused.status, answer(refused).error]).toEqual([303, 'login_required'])
})

describe('a code', () => {
  it('is valid for at most 60 seconds', async () => {
    const { code } = await authorized(w.browser())
    w.clock.now += 60
    expect((await redeem(code)).body.error).toBe('invalid_grant')
  })

  it('is redeemed once', async () => {
    const { code } = await authorized(w.browser())
    const { body } = await redeem(code)
    expect((await redeem(code)).body.error).toBe('invalid_grant')
    const refresh = { grant_type: 'refresh_token', refresh_token: body.refresh_token }
    expect((await granted(w, refresh)).body.error).toBe('invalid_grant')
  })

  it('is not redeemed without a proof, nor spent by the attempt', async () => {
    const { code } = await authorized(w.browser())
    const refused = await tokens(w, { ...codeForm(code), ...(await authenticated(w)) })
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_dpop_proof'])
    expect((await redeem(code)).status).toBe(200)
  })

  it('with dpop_jkt is redeemed with a proof of that key alone', async () => {
    const { code } = await authorized(w.browser(), { dpop_jkt: proofKey.jkt })
    const other = withProof(tokenProof(w, dpopKey()))
    const refused = await tokens(w, { ...codeForm(code), ...(await authenticated(w)) }, other)
    expect(refused.body.error).toBe('invalid_grant')
    expect((await redeem(code)).status).toBe(200)
  })
})

it('a refresh without a proof is refused', async () => {
  const { body } = await redeem((await authorized(w.browser())).code)
  const refresh = { grant_type: 'refresh_token', refresh_token: body.refresh_token }
  const refused = await tokens(w, { ...refresh, ...(await authenticated(w)) })
  expect([refused.status, refused.body.error]).toEqual([400, 'invalid_dpop_proof'])
  expect((await granted(w, refresh)).status).toBe(200)
})

describe('an access token at UserInfo and at a guard', () => {
  const BEFORE = { clients: { private_key_jwt: true }, keys: { algorithms: ['ES256' as const] } }
  const proof = (access_token: string, url: string) =>
    dpopProof(proofKey, { method: 'GET', url, now: w.clock.now, access_token })
  const sent = async (place: string, headers: Record<string, string>) => {
    if (place === 'UserInfo')
      return (await w.provider.fetch(new Request(`${w.issuer}/oauth/userinfo`, { headers }))).status
    const found = await w.provider.guard().authenticate(new Request(`${w.issuer}/api`, { headers }))
    return found instanceof Response ? found.status : 200
  }

  it.each([
    ['UserInfo', '/oauth/userinfo'],
    ['a guard', '/api'],
  ])('%s takes it with a proof, and no bearer token', async (place, path) => {
    const { body } = await redeem((await authorized(w.browser())).code)
    const { access_token } = body
    const dpop = proof(access_token, w.issuer + path)
    expect(await sent(place, { authorization: `DPoP ${access_token}`, dpop })).toBe(200)
    expect(await sent(place, { authorization: `DPoP ${access_token}` })).toBe(401)
    expect(await sent(place, { authorization: `Bearer ${access_token}` })).toBe(401)
  })

  it.each([
    ['UserInfo', '/oauth/userinfo'],
    ['a guard', '/api'],
  ])('%s refuses a bearer token from before the profile was set', async (place, path) => {
    const { storage } = w
    const before = await world({ storage, oidc: BEFORE, own_key: true, clients: [] })
    const { body } = await tokens(before, {
      grant_type: 'client_credentials',
      ...(await authenticated(before)),
    })
    expect(payload(body.access_token)).not.toHaveProperty('cnf')
    const old = { authorization: `Bearer ${body.access_token}` }
    const as_old = await before.provider.guard().authenticate(new Request(w.issuer, { headers: old }))
    expect(as_old).not.toBeInstanceOf(Response)
    expect(await sent(place, old)).toBe(401)
    const dpop = proof(body.access_token, w.issuer + path)
    expect(await sent(place, { authorization: `DPoP ${body.access_token}`, dpop })).toBe(401)
  })
})

it('an access token with RS256 from before the profile was set is refused, although it is bound', async () => {
  const { storage } = w
  const oidc = { clients: { private_key_jwt: true }, dpop: 'on' as const }
  const before = await world({ storage, oidc, own_key: true, clients: [] })
  const { access_token } = (await granted(before, { grant_type: 'client_credentials' })).body
  expect(header(access_token).alg).toBe('RS256')
  const passes = async ({ provider, clock, issuer }: World) => {
    const dpop = dpopProof(proofKey, { method: 'GET', url: `${issuer}/api`, now: clock.now, access_token })
    const headers = { authorization: `DPoP ${access_token}`, dpop }
    return !(
      (await provider.guard().authenticate(new Request(`${issuer}/api`, { headers }))) instanceof Response
    )
  }
  expect([await passes(before), await passes(w)]).toEqual([true, false])
})

it('an API of its own introspects with a key, and sees a revocation at once', async () => {
  const resource = 'https://api.example.com/payments'
  const api_client = { client_id: resource, grant_types: [], redirect_uris: [] }
  w = await fapi2World({
    oidc: { resources: { [resource]: { scopes: ['payments'] } } },
    clients: [await bank(), await bank(api_client)],
  })
  const private_key = { ...(await exportJWK(key.private_key)), alg: 'ES256' }
  const api = createResourceServer({
    issuer: w.issuer,
    resource,
    introspection: { client_id: resource, private_key },
    dpop: { required: true },
    fetch: (input, init) => w.provider.fetch(new Request(input, init)),
    now: () => w.clock.now,
  })
  const { code } = await authorized(w.browser(), { resource, scope: 'payments' })
  const { access_token } = (await redeem(code)).body
  const send = () => {
    const dpop = dpopProof(proofKey, { method: 'GET', url: resource, now: w.clock.now, access_token })
    return api.authenticate(
      new Request(resource, { headers: { authorization: `DPoP ${access_token}`, dpop } }),
    )
  }
  expect(await send()).toMatchObject({ kind: 'user' })
  await w.post('/oauth/revoke', { token: access_token, ...(await authenticated(w)) })
  expect((await send()) as Response).toMatchObject({ status: 401 })
})

it('a token exchange needs a proof too, and binds the new token to its key', async () => {
  const audience = 'https://api.example.com/payments'
  const grant_types = ['client_credentials', EXCHANGE]
  w = await fapi2World({
    oidc: { clients: { token_exchange: true }, resources: { [audience]: { scopes: [] } } },
    clients: [await bank({ grant_types, allowed_exchange_audiences: [audience] })],
  })
  const { body } = await granted(w, { grant_type: 'client_credentials' })
  const form = {
    grant_type: EXCHANGE,
    subject_token: body.access_token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    audience,
  }
  const refused = await tokens(w, { ...form, ...(await authenticated(w)) })
  expect(refused.status).toBe(400)
  const exchanged = await granted(w, form)
  expect([exchanged.status, exchanged.body.token_type]).toEqual([200, 'DPoP'])
  expect(payload(exchanged.body.access_token)).toMatchObject({ aud: audience, cnf: { jkt: proofKey.jkt } })
})
