/** The nonces of the token endpoint: RFC 9449 §8. */

import { dpopKey } from '@ostiary/test-kit/dpop'
import { beforeEach, describe, expect, it } from 'vitest'
import { deriveSecrets } from '../src/crypto/secrets.js'
import { type NonceRole, realmNonces } from '../src/dpop/nonces.js'
import type { Realm } from '../src/realm/realm.js'
import { codeForm, lastReason, tokenProof } from './dpop.js'
import {
  CLIENT_SECRET,
  client,
  type FormFields,
  SECRET,
  tokens,
  type World,
  type WorldOptions,
  world,
} from './support.js'

const MACHINE = { grant_type: 'client_credentials', client_id: 'service', client_secret: CLIENT_SECRET }
const MINUTE = 60
const key = dpopKey()

const nonceWorld = async (options: WorldOptions = {}): Promise<World> =>
  world({
    routing: 'path',
    clients: [
      await client(),
      await client({ ...MACHINE, client_id: 'service', grant_types: ['client_credentials'] }),
    ],
    ...options,
    oidc: { dpop: 'nonce', ...options.oidc },
  })

const send = (w: World, nonce?: string, form: FormFields = MACHINE) =>
  tokens(w, form, { dpop: tokenProof(w, key, nonce === undefined ? {} : { nonce }) })

/** The nonce that the server asks for now. */
async function currentNonce(w: World): Promise<string> {
  const nonce = (await send(w)).headers.get('dpop-nonce')
  if (nonce === null) throw new Error('The server gave no nonce')
  return nonce
}

/** The nonce of a role, made as the provider makes it. */
async function roleNonce(w: World, role: NonceRole): Promise<string> {
  const realm = { id: w.realm } as Realm
  return realmNonces({ realm, secrets: await deriveSecrets(SECRET) }, role).current(w.clock.now)
}

describe('Where nonces are required', () => {
  let w: World
  beforeEach(async () => {
    w = await nonceWorld()
  })

  async function refused(nonce: string | undefined, reason: string): Promise<void> {
    const { status, body, headers } = await send(w, nonce)
    expect([status, body.error, lastReason(w)]).toEqual([400, 'use_dpop_nonce', reason])
    expect(headers.get('dpop-nonce')).toMatch(/^[\w-]{43}$/)
    expect(headers.get('cache-control')).toBe('no-store')
  }

  it('a proof without one is answered with use_dpop_nonce and the nonce, with which it is accepted', async () => {
    await refused(undefined, 'missing_nonce')
    const { status, body, headers } = await send(w, await currentNonce(w))
    expect([status, body.token_type]).toEqual([200, 'DPoP'])
    expect(headers.get('dpop-nonce')).toBeNull()
  })

  it.each<[string, string]>([
    ['another text', 'n'.repeat(43)],
    ['an empty text', ''],
    ['a text of a thousand characters', 'n'.repeat(1000)],
  ])('%s is answered with use_dpop_nonce', async (_, nonce) => refused(nonce, 'unknown_nonce'))

  it('the nonce of another realm is not accepted', async () => {
    const other = { ...w, issuer: w.issuer.replace('acme', 'other') }
    await w
      .storage('other')
      .clients.create(await client({ client_id: 'page', grant_types: ['refresh_token'] }))
    const headers = { dpop: tokenProof(other, key), 'content-type': 'application/x-www-form-urlencoded' }
    const body = 'grant_type=refresh_token&client_id=page&refresh_token=x'
    const answer = await w.provider.fetch(
      new Request(`${other.issuer}/oauth/token`, { method: 'POST', headers, body }),
    )
    const nonce = answer.headers.get('dpop-nonce') ?? ''
    expect(nonce).toMatch(/^[\w-]{43}$/)
    await refused(nonce, 'unknown_nonce')
  })

  it('the nonce of another role, or of another secret, is not accepted', async () => {
    const elsewhere = await nonceWorld({ secret: 'another-secret-of-the-tests-another-secret' })
    await refused(await currentNonce(elsewhere), 'unknown_nonce')
    await refused(await roleNonce(w, 'resource'), 'unknown_nonce')
    expect((await send(w, await roleNonce(w, 'server'))).status).toBe(200)
  })

  it.each([
    [4 * MINUTE, 200],
    [5 * MINUTE, 400],
    [0, 200],
    [-MINUTE, 200],
    [-2 * MINUTE, 400],
  ])('a nonce that is %i seconds old: %i', async (age, expected) => {
    const nonce = await currentNonce(w)
    w.clock.now += age
    expect((await send(w, nonce)).status).toBe(expected)
  })

  it('a success has the next nonce when the minute has changed, and none before', async () => {
    const nonce = await currentNonce(w)
    w.clock.now += MINUTE - 1 - (w.clock.now % MINUTE)
    expect((await send(w, nonce)).headers.get('dpop-nonce')).toBeNull()
    w.clock.now += 1
    const { status, headers } = await send(w, nonce)
    const next = headers.get('dpop-nonce')
    expect([status, next === null, next === nonce]).toEqual([200, false, false])
    const { status: again, headers: none } = await send(w, next ?? '')
    expect([again, none.get('dpop-nonce')]).toEqual([200, null])
  })

  it('20 parallel requests may have the same one', async () => {
    const nonce = await currentNonce(w)
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(w, nonce)))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
  })

  it('a proof that was answered with use_dpop_nonce spends no code, and a request without a proof needs none', async () => {
    const { code } = await w.browser().code()
    expect((await send(w, undefined, codeForm(code))).body.error).toBe('use_dpop_nonce')
    expect((await send(w, await currentNonce(w), codeForm(code))).status).toBe(200)
    const bearer = await tokens(w, MACHINE)
    expect([bearer.status, bearer.body.token_type]).toEqual([200, 'Bearer'])
  })

  it('a nonce does not make up for a wrong proof', async () => {
    const nonce = await currentNonce(w)
    const dpop = tokenProof(w, key, { nonce, claims: { htm: 'GET' } })
    const { body, headers } = await tokens(w, MACHINE, { dpop })
    expect([body.error, headers.get('dpop-nonce')]).toEqual(['invalid_dpop_proof', null])
  })
})

it('a nonce of the previous secret is accepted, and new ones are of the current secret', async () => {
  const before = 'the-secret-before-the-change-of-the-tests'
  const after = 'the-secret-after-the-change-of-the-tests-'
  const old_nonce = await currentNonce(await nonceWorld({ secret: before }))
  const changed = await nonceWorld({ secret: after, previous_secret: before })
  const { status, headers } = await send(changed, old_nonce)
  expect(status).toBe(200)
  expect(headers.get('dpop-nonce')).toBe(await currentNonce(await nonceWorld({ secret: after })))
  expect((await send(await nonceWorld({ secret: after }), old_nonce)).body.error).toBe('use_dpop_nonce')
})

it('with nonces off a proof may have any nonce, and no answer has one', async () => {
  const w = await nonceWorld({ oidc: { dpop: 'on' } })
  for (const nonce of [undefined, 'anything']) {
    const { status, headers } = await send(w, nonce)
    expect([status, headers.get('dpop-nonce')]).toEqual([200, null])
  }
})
