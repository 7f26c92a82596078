/** Codes and refresh tokens that are bound to a key: RFC 9449 §5 and §10. */

import { dpopKey } from '@ostiary/test-kit/dpop'
import { beforeAll, describe, expect, it } from 'vitest'
import { codeForm, lastReason, proven, refreshForm, tokenProof } from './dpop.js'
import {
  CLIENT_SECRET,
  client,
  payload,
  type TokenAnswer,
  tokens,
  type World,
  type WorldOptions,
  world,
} from './support.js'

const key = dpopKey()
const other = dpopKey('Ed25519')
const SERVICE = { client_id: 'service', client_secret: CLIENT_SECRET }
const GRACE = 30
const ON = { dpop: 'on' as const }

const bindingWorld = async (options: WorldOptions = {}): Promise<World> =>
  world({
    oidc: ON,
    clients: [await client(), await client(SERVICE), await client({ client_id: 'thief' })],
    ...options,
  })

/** The first tokens of alice, bound to the key or to none. */
const granted = async (w: World, with_key: typeof key | null, service = {}): Promise<TokenAnswer['body']> => {
  const { code } = await w.browser().code({ client_id: 'app', ...service })
  return (await proven(w, codeForm(code, service), with_key)).body
}
const grantOf = (w: World, access_token: string) => {
  const [grant_id = ''] = String(payload(access_token).jti).split('.')
  return w.storage(w.realm).grants.find(grant_id)
}
const boundTo = (access_token: string) => payload(access_token).cnf

async function refused(answer: Promise<TokenAnswer>, w: World, reason: string): Promise<void> {
  const { status, body } = await answer
  expect([status, body.error, lastReason(w)]).toEqual([400, 'invalid_grant', reason])
}

describe('A refresh token of a public client whose code was redeemed with a proof', () => {
  it('needs a proof of that key each time; without one or with another key it is not spent', async () => {
    const w = await bindingWorld()
    let { refresh_token, access_token } = await granted(w, key)
    expect((await grantOf(w, access_token))?.jkt).toBe(key.jkt)
    for (let i = 0; i < 3; i++) {
      await refused(proven(w, refreshForm(refresh_token), null), w, 'missing_proof')
      await refused(proven(w, refreshForm(refresh_token), other), w, 'proof_of_another_key')
      const { status, body } = await proven(w, refreshForm(refresh_token), key)
      expect([status, boundTo(body.access_token)]).toEqual([200, { jkt: key.jkt }])
      refresh_token = body.refresh_token
    }
  })

  it('needs a proof that was not used before, and a used one does not spend it', async () => {
    const w = await bindingWorld()
    const { refresh_token } = await granted(w, key)
    const dpop = tokenProof(w, key)
    const second = await tokens(w, refreshForm(refresh_token), { dpop })
    const third = refreshForm(second.body.refresh_token)
    expect((await tokens(w, third, { dpop })).body.error).toBe('invalid_dpop_proof')
    expect((await proven(w, third, key)).status).toBe(200)
  })

  it('a proof with a broken signature is no proof', async () => {
    const w = await bindingWorld()
    const form = refreshForm((await granted(w, key)).refresh_token)
    const dpop = tokenProof(w, { ...other, jwk: key.jwk, alg: 'ES256' })
    expect((await tokens(w, form, { dpop })).body.error).toBe('invalid_dpop_proof')
    expect((await proven(w, form, key)).status).toBe(200)
  })

  it('within the grace period the spent one gives the same successor, to the same key only', async () => {
    const w = await bindingWorld({ oidc: { ...ON, tokens: { refresh_token_grace: GRACE } } })
    const form = refreshForm((await granted(w, key)).refresh_token)
    const first = await proven(w, form, key)
    await refused(proven(w, form, null), w, 'missing_proof')
    await refused(proven(w, form, other), w, 'proof_of_another_key')
    const again = await proven(w, form, key)
    expect(again.body.refresh_token).toBe(first.body.refresh_token)
    expect(boundTo(again.body.access_token)).toEqual({ jkt: key.jkt })
  })

  it('of 20 parallel refreshes with the key within the grace period each gets the same successor', async () => {
    const w = await bindingWorld({ oidc: { ...ON, tokens: { refresh_token_grace: GRACE } } })
    const form = refreshForm((await granted(w, key)).refresh_token)
    const with_key = (n: number) => (n % 2 === 0 ? key : other)
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => proven(w, form, with_key(n))))
    expect(answers.map(({ status }) => status)).toEqual(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? 400 : 200)),
    )
    const successors = answers.flatMap(({ body }) => body.refresh_token ?? [])
    expect(new Set(successors).size).toBe(1)
  })

  it('its reuse revokes the grant with the key, and without it does not', async () => {
    const w = await bindingWorld()
    const form = refreshForm((await granted(w, key)).refresh_token)
    const { body } = await proven(w, form, key)
    await refused(proven(w, form, null), w, 'missing_proof')
    await refused(proven(w, form, other), w, 'proof_of_another_key')
    expect((await grantOf(w, body.access_token))?.revoked_at).toBeNull()
    w.clock.now += 30
    await refused(proven(w, form, key), w, 'reused_refresh_token')
    expect((await grantOf(w, body.access_token))?.revoked_at).not.toBeNull()
  })

  it('is of no use without its key when DPoP is switched off', async () => {
    const w = await bindingWorld()
    const { refresh_token } = await granted(w, key)
    const off = await world({ storage: w.storage, clients: [] })
    await refused(proven(off, refreshForm(refresh_token), key), off, 'missing_proof')
    await refused(tokens(off, refreshForm(refresh_token)), off, 'missing_proof')
    expect((await proven(w, refreshForm(refresh_token), key)).status).toBe(200)
  })
})

describe('A refresh token that is not bound', () => {
  it('of a public client whose code was redeemed without a proof stays so after a refresh with one', async () => {
    const w = await bindingWorld()
    const first = await granted(w, null)
    const second = await proven(w, refreshForm(first.refresh_token), key)
    expect([second.body.token_type, boundTo(second.body.access_token)]).toEqual(['DPoP', { jkt: key.jkt }])
    expect((await grantOf(w, second.body.access_token))?.jkt).toBeNull()
    const third = await proven(w, refreshForm(second.body.refresh_token), other)
    expect(boundTo(third.body.access_token)).toEqual({ jkt: other.jkt })
    const fourth = await proven(w, refreshForm(third.body.refresh_token), null)
    expect([fourth.status, fourth.body.token_type]).toEqual([200, 'Bearer'])
  })

  it('of a confidential client is bound to its authentication alone', async () => {
    const w = await bindingWorld()
    const first = await granted(w, key, SERVICE)
    expect(boundTo(first.access_token)).toEqual({ jkt: key.jkt })
    expect((await grantOf(w, first.access_token))?.jkt).toBeNull()
    const second = await proven(w, refreshForm(first.refresh_token, SERVICE), other)
    expect(boundTo(second.body.access_token)).toEqual({ jkt: other.jkt })
    const third = await proven(w, refreshForm(second.body.refresh_token, SERVICE), null)
    expect([third.status, third.body.token_type]).toEqual([200, 'Bearer'])
  })
})

describe('dpop_jkt', () => {
  let w: World
  beforeAll(async () => {
    w = await bindingWorld({ routing: 'path' })
  })
  const boundCode = async (dpop_jkt: string) => (await w.browser().code({ dpop_jkt })).code

  it.each([
    ['42 characters', 'a'.repeat(42)],
    ['44 characters', 'a'.repeat(44)],
    ['padding', `${'a'.repeat(42)}=`],
    ['letters of another base64', `${'a'.repeat(42)}+`],
    ['a space between', `${'a'.repeat(21)} ${'a'.repeat(21)}`],
    ['a thumbprint URI', `urn:ietf:params:oauth:jwk-thumbprint:sha-256:${key.jkt}`],
  ])('with %s: invalid_request', async (_, dpop_jkt) => {
    const { error, code } = await w.browser().code({ dpop_jkt })
    expect([error, code]).toEqual(['invalid_request', undefined])
    const refusal = w.events.findLast(({ type }) => type === 'authorization.refused')
    expect(refusal).toMatchObject({ reason: 'invalid_dpop_jkt' })
  })

  it('given twice: invalid_request', async () => {
    const url = new URL(`${w.issuer}/oauth/authorize`)
    const request = { client_id: 'app', redirect_uri: 'https://client.example.com/callback' }
    url.search = `${new URLSearchParams({ ...request, response_type: 'code' })}&dpop_jkt=${key.jkt}&dpop_jkt=${other.jkt}`
    const response = await w.provider.fetch(new Request(url))
    expect(response.headers.get('location')).toContain('error=invalid_request')
  })

  it('binds the code: a proof of another key, or none, is invalid_grant, and the code is not spent', async () => {
    const form = codeForm(await boundCode(key.jkt))
    await refused(proven(w, form, null), w, 'missing_proof')
    await refused(proven(w, form, other), w, 'proof_of_another_key')
    const { status, body } = await proven(w, form, key)
    expect([status, boundTo(body.access_token)]).toEqual([200, { jkt: key.jkt }])
    await refused(proven(w, form, key), w, 'replayed_code')
  })

  it('an empty one counts as absent', async () => {
    const form = codeForm(await boundCode(''))
    expect((await proven(w, form, null)).status).toBe(200)
  })

  it('another client that has the code and the key gets nothing', async () => {
    const form = codeForm(await boundCode(key.jkt))
    await refused(proven(w, { ...form, client_id: 'thief' }, key), w, 'wrong_client')
    expect((await proven(w, form, key)).status).toBe(200)
  })

  it('binds the code of a confidential client too', async () => {
    const { code } = await w.browser().code({ client_id: 'service', dpop_jkt: key.jkt })
    await refused(proven(w, codeForm(code, SERVICE), other), w, 'proof_of_another_key')
    expect((await proven(w, codeForm(code, SERVICE), key)).status).toBe(200)
  })

  it('is kept while the request waits for a login and a consent, also in a long request', async () => {
    for (const state of ['short', 's'.repeat(6000)]) {
      const { code } = await w.browser().code({ dpop_jkt: key.jkt, state })
      await refused(proven(w, codeForm(code), other), w, 'proof_of_another_key')
      expect((await proven(w, codeForm(code), key)).status).toBe(200)
    }
  })

  it('is ignored with DPoP off, even a broken one', async () => {
    const off = await world({ clients: [await client()] })
    for (const dpop_jkt of [key.jkt, 'x']) {
      const { code } = await off.browser().code({ dpop_jkt })
      expect((await tokens(off, codeForm(code))).status).toBe(200)
    }
  })
})
