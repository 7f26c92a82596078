/** One DPoP proof on PostgreSQL, at two servers: the transaction of the first one is still open. */

import { type DpopKey, dpopKey, dpopProof } from '@ostiary/test-kit/dpop'
import {
  CODE_VERIFIER,
  client,
  REDIRECT_URI,
  type TokenAnswer,
  tokens,
  type World,
  type WorldOptions,
  world,
} from '@ostiary/test-kit/world'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { postgresStorage } from '../src/index.js'
import { hold, storesIn, untilItWaits } from './_held.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'

const SERVER: WorldOptions = {
  oidc: { dpop: 'on', tokens: { refresh_token_grace: 30 } },
  clients: [],
}
const key = dpopKey()

let database: OwnDatabase
let w: World
beforeAll(async () => {
  database = await migratedDatabase()
  w = await world({ ...SERVER, storage: postgresStorage(database.executor) })
  await w.storage(w.realm).clients.create(await client())
})
afterAll(() => database.drop())
beforeEach(() => {
  w.events.length = 0
})

const proof = (of: DpopKey = key) =>
  dpopProof(of, { method: 'POST', url: `${w.issuer}/oauth/token`, now: w.clock.now })
const redemption = async () => ({
  grant_type: 'authorization_code',
  client_id: 'app',
  code: String((await w.browser().code()).code),
  redirect_uri: REDIRECT_URI,
  code_verifier: CODE_VERIFIER,
})
const lastReason = () => {
  const refusal = w.events.findLast(({ type }) => type === 'request.refused')
  return refusal && 'reason' in refusal ? refusal.reason : null
}

/** The answer of another server, whose transaction is open. */
const heldAnswer = (form: Record<string, string>, dpop: string) =>
  hold(database.executor, async (tx): Promise<TokenAnswer> => {
    const other = await world({ ...SERVER, storage: (realm) => storesIn(tx, realm), own_key: true })
    return tokens(other, form, { dpop })
  })

it.each([
  ['commit', 400],
  ['rollback', 200],
] as const)('used for two codes: after a %s of the first the second gets %i', async (end, status) => {
  const dpop = proof()
  const forms = [await redemption(), await redemption()]
  const held = await heldAnswer(forms[0] ?? {}, dpop)
  expect(held.result.status).toBe(200)
  const second = tokens(w, forms[1] ?? {}, { dpop })
  expect(await untilItWaits(database.executor, second)).toBe(true)
  await held[end]()
  expect((await second).status).toBe(status)
  if (end === 'rollback') return
  expect(lastReason()).toBe('proof_replayed')
  // The code of the refused request is not spent.
  expect((await tokens(w, forms[1] ?? {}, { dpop: proof() })).status).toBe(200)
})

it('a bound refresh token, refreshed with two proofs: within the grace period both get the same successor', async () => {
  const { body } = await tokens(w, await redemption(), { dpop: proof() })
  const form = { grant_type: 'refresh_token', client_id: 'app', refresh_token: body.refresh_token }
  const held = await heldAnswer(form, proof())
  const another_key = await tokens(w, form, { dpop: proof(dpopKey()) })
  expect([another_key.status, lastReason()]).toEqual([400, 'proof_of_another_key'])
  const second = tokens(w, form, { dpop: proof() })
  expect(await untilItWaits(database.executor, second)).toBe(true)
  await held.commit()
  expect((await second).body.refresh_token).toBe(held.result.body.refresh_token)
})
