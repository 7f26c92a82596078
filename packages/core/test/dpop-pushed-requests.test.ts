/** DPoP proofs at the pushed authorization request endpoint: RFC 9449 §10.1. */

import { BAD_PROOFS } from '@ostiary/test-kit/bad-proofs'
import { type DpopKey, dpopKey, dpopProof, type Json } from '@ostiary/test-kit/dpop'
import { beforeEach, describe, expect, it } from 'vitest'
import { asserted, clientKey, signed } from './assertions.js'
import { codeForm, lastReason, proven, withProof } from './dpop.js'
import { ON, parameters, post, push, pushedUrl } from './par.js'
import { answer, client, type World, type WorldOptions, world } from './support.js'

const key = dpopKey()
const other = dpopKey()

interface ProofParts {
  header?: Json
  claims?: Json
  nonce?: string
  path?: string
  method?: string
}

let w: World
const start = async (options: WorldOptions = {}) =>
  world({
    routing: 'path',
    clients: [await client({ trusted: true })],
    ...options,
    oidc: { ...ON, dpop: 'on', ...options.oidc },
  })

function proof(
  at: World,
  by: DpopKey,
  { nonce, path = '/oauth/par', method = 'POST', ...change }: ProofParts = {},
) {
  const request = { method, url: at.issuer + path, now: at.clock.now }
  return dpopProof(by, nonce === undefined ? request : { ...request, nonce }, change)
}
const pushWith = (dpop: string | null, changes: Record<string, string | null> = {}) =>
  push(w, changes, withProof(dpop))

/** The code of a pushed request. */
async function codeOf({ status, body }: Awaited<ReturnType<typeof push>>): Promise<unknown> {
  expect([status, body]).toMatchObject([201, { expires_in: 90 }])
  const browser = w.browser()
  await browser.get(pushedUrl(w, String(body.request_uri)))
  return answer(await browser.signIn()).code
}

beforeEach(async () => {
  w = await start()
})

describe('The code is bound to the key', () => {
  it.each<[string, () => Promise<Awaited<ReturnType<typeof push>>>]>([
    ['of a proof', () => pushWith(proof(w, key))],
    ['of dpop_jkt', () => pushWith(null, { dpop_jkt: key.jkt })],
    ['of both', () => pushWith(proof(w, key), { dpop_jkt: key.jkt })],
  ])('%s', async (_, send) => {
    const code = await codeOf(await send())
    for (const [wrong, reason] of [
      [other, 'proof_of_another_key'],
      [null, 'missing_proof'],
    ] as const) {
      const { status, body } = await proven(w, codeForm(code), wrong)
      expect([status, body.error, lastReason(w)]).toEqual([400, 'invalid_grant', reason])
    }
    expect((await proven(w, codeForm(code), key)).body.token_type).toBe('DPoP')
  })

  it('of what was pushed, not of what the browser brings', async () => {
    const { body } = await pushWith(proof(w, key))
    const browser = w.browser()
    await browser.get(pushedUrl(w, String(body.request_uri), { dpop_jkt: other.jkt }))
    const { code } = answer(await browser.signIn())
    expect((await proven(w, codeForm(code), other)).status).toBe(400)
    expect((await proven(w, codeForm(code), key)).status).toBe(200)
  })

  it('of none without a proof', async () => {
    const code = await codeOf(await pushWith(null))
    expect((await proven(w, codeForm(code), null)).body.token_type).toBe('Bearer')
  })
})

describe('A request is refused', () => {
  it('with a proof of another key than dpop_jkt: invalid_request, and neither is used', async () => {
    const dpop = proof(w, key)
    const { status, body } = await pushWith(dpop, { dpop_jkt: other.jkt })
    expect([status, body.error, lastReason(w)]).toEqual([400, 'invalid_request', 'dpop_jkt_mismatch'])
    expect((await pushWith(dpop)).status).toBe(201)
  })

  it('with a dpop_jkt that is no thumbprint', async () => {
    const { status, body } = await pushWith(null, { dpop_jkt: 'short' })
    expect([status, body.error, lastReason(w)]).toEqual([400, 'invalid_request', 'invalid_dpop_jkt'])
  })

  it.each<[string, () => string]>([
    ['for the token endpoint', () => proof(w, key, { path: '/oauth/token' })],
    ['for the authorization endpoint', () => proof(w, key, { path: '/oauth/authorize' })],
    ['for GET', () => proof(w, key, { method: 'GET' })],
    ['that is too old', () => proof(w, key, { claims: { iat: w.clock.now - 301 } })],
    ['that is signed with another key', () => proof(w, { ...key, jwk: other.jwk })],
    ['of another type', () => proof(w, key, { header: { typ: 'jwt' } })],
    ['that is two', () => `${proof(w, key)}, ${proof(w, key)}`],
    ['that is no JWT', () => 'x'],
  ])('with a proof %s: invalid_dpop_proof', async (_, made) => {
    const { status, body, headers } = await pushWith(made())
    expect([status, body.error]).toEqual([400, 'invalid_dpop_proof'])
    expect(headers.get('access-control-expose-headers')).toContain('DPoP-Nonce')
  })

  it('with each proof of the table that the token endpoint and the guards refuse', async () => {
    const forge = { key, method: 'POST', url: `${w.issuer}/oauth/par`, now: w.clock.now }
    const others: unknown[] = []
    for (const { name, make } of BAD_PROOFS) {
      const { status, body } = await pushWith(make(forge))
      if (status !== 400 || body.error !== 'invalid_dpop_proof') others.push([name, status, body.error])
    }
    expect(others).toEqual([])
    expect((await pushWith(proof(w, key))).status).toBe(201)
  })

  it('with a proof that was used: one of 20 parallel requests is accepted', async () => {
    const dpop = proof(w, key)
    const answers = await Promise.all(Array.from({ length: 20 }, () => pushWith(dpop)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(lastReason(w)).toBe('proof_replayed')
    for (const { status, body } of answers)
      if (status !== 201) expect([status, body.error]).toEqual([400, 'invalid_dpop_proof'])
  })

  it('for another fault: its proof can still be used', async () => {
    const dpop = proof(w, key)
    for (const changes of [{ scope: 'unknown' }, { request_uri: 'x' }, { client_id: 'nobody' }])
      expect((await pushWith(dpop, changes)).status).toBeGreaterThan(399)
    expect((await pushWith(dpop)).status).toBe(201)
  })
})

it('a nonce is asked for as at the token endpoint', async () => {
  w = await start({ oidc: { ...ON, dpop: 'nonce' } })
  const asked = await pushWith(proof(w, key))
  expect([asked.status, asked.body.error]).toEqual([400, 'use_dpop_nonce'])
  const nonce = asked.headers.get('dpop-nonce') ?? ''
  const accepted = await pushWith(proof(w, key, { nonce }))
  expect([accepted.status, accepted.headers.get('dpop-nonce')]).toEqual([201, null])
  w.clock.now += 60
  const later = await pushWith(proof(w, key, { nonce }))
  expect([later.status, later.headers.get('dpop-nonce')]).toEqual([201, expect.stringMatching(/^[\w-]{43}$/)])
  expect((await pushWith(null)).status).toBe(201)
})

it('with oidc.dpop off, neither counts', async () => {
  w = await start({ oidc: { ...ON, dpop: 'off' } })
  const code = await codeOf(await pushWith('no proof', { dpop_jkt: 'no thumbprint' }))
  expect((await proven(w, codeForm(code), null)).body.token_type).toBe('Bearer')
})

it('with oidc.profile "fapi2", the redirect_uri is pushed too', async () => {
  const { private_key, public_jwk } = await clientKey('ES256')
  w = await start({
    oidc: { profile: 'fapi2', par: 'required' },
    own_key: true,
    clients: [await client({ token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [public_jwk] } })],
  })
  const send = async (changes: Record<string, string | null>, jti: string) => {
    const claims = { iss: 'app', sub: 'app', aud: w.issuer, jti, exp: w.clock.now + 60 }
    const fields = asserted(await signed({ key: private_key, header: {}, claims }))
    const response = await post(w, [...parameters(w, changes), ...Object.entries(fields)])
    return [response.status, await response.json()]
  }
  expect(await send({}, 'a')).toMatchObject([201, {}])
  expect(await send({ redirect_uri: null }, 'b')).toMatchObject([
    400,
    { error: 'invalid_request', error_description: 'The parameter redirect_uri is missing' },
  ])
})
