/** The operations of simulations, through the API: their rights, and that they write their own row alone. */

import { SimulationError } from '@ostiary/simulation'
import { expect, it } from 'vitest'
import { problemOf } from '../../src/api/failure.ts'
import { adminPlace } from './_place.ts'

const AUTHORIZATION = 'POST /realms/acme/simulate/authorization'
const REQUEST = { client_id: 'ops', parameters: { response_type: 'code' } }
/** What may be called of a store; requests are counted. */
const READS = /^(?:find|list|of|has|deleted|page|hit$)/

it('writes nothing but its row, and says nothing of a secret', async () => {
  let is_sealed = false
  const written: string[] = []
  const wrap = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get(target, name) {
        const value = Reflect.get(target, name)
        if (typeof value !== 'function' || READS.test(String(name))) return value
        return (...args: unknown[]) => {
          if (!is_sealed) return value.apply(target, args)
          written.push(String(name))
          throw new Error(`A simulation writes: ${String(name)}`)
        }
      },
    })
  const place = await adminPlace({ wrap })
  await place.give('sub:ann', 'owner', '*')
  const { access_token } = await place.signIn('ann')
  const events = [...place.w.events, ...place.events]
  is_sealed = true
  const ask = async (path: string, body: object) =>
    (await place.call(access_token, `POST /realms/acme/simulate/${path}`, { body })).body
  expect(await ask('authorization', { ...REQUEST, sub: 'ann', session: { level: 2, age: 5 } })).toMatchObject(
    {
      result: 'refused',
      reason: 'missing_code_challenge',
      user_is_active: true,
    },
  )
  const tokens = await ask('tokens', { client_id: 'ops', sub: 'ann', scopes: ['openid', 'offline_access'] })
  expect(tokens).toMatchObject({ result: 'tokens', refresh_token: true })
  expect(JSON.stringify(tokens)).not.toMatch(/eyJ|[\w-]+\.[\w-]+\.[\w-]{40,}/)
  expect(await ask('sign-in', { username: 'ann', address: '192.0.2.1' })).toMatchObject({
    user: { is_known: true, sub: 'ann' },
    limits: [],
  })
  expect(await ask('sign-in', { username: 'nobody' })).toMatchObject({ user: { is_known: false } })
  expect([written, place.failures]).toEqual([[], []])
  expect([...place.w.events, ...place.events]).toEqual(events)
  const rows = (await place.changes()).map(({ type, outcome, actor, data }) => ({
    type,
    outcome,
    actor,
    operation: JSON.parse(data).operation,
  }))
  const row = (operation: string) => ({ type: 'simulation', outcome: 'done', actor: 'sub:ann', operation })
  expect(rows).toEqual([
    row('simulate.authorization'),
    row('simulate.tokens'),
    row('simulate.sign_in'),
    row('simulate.sign_in'),
  ])
})

it('who may not read users names none', async () => {
  const place = await adminPlace()
  await place.give('client:deploy', 'manager', 'acme')
  const { access_token } = await place.program('deploy', { scope: 'admin.clients:read' })
  const ask = (body: object, path = AUTHORIZATION) => place.call(access_token, path, { body })
  expect((await ask(REQUEST)).status).toBe(200)
  const refused = await ask({ ...REQUEST, sub: 'ann' })
  expect([refused.status, refused.body.type]).toEqual([403, 'urn:ostiary:problem:insufficient_scope'])
  expect(refused.headers.get('www-authenticate')).toContain('scope="admin.users:read"')
  const tokens = { client_id: 'ops', sub: 'ann', scopes: [] }
  expect((await ask(tokens, 'POST /realms/acme/simulate/tokens')).status).toBe(403)
  expect((await ask({ username: 'ann' }, 'POST /realms/acme/simulate/sign-in')).status).toBe(403)
})

it('without a result, the answer says why', async () => {
  for (const code of ['conflict', 'too_many_requests', 'unavailable'] as const)
    expect(problemOf(new SimulationError(code, 'what to do'))).toMatchObject({
      code,
      details: { detail: 'what to do' },
    })
  const place = await adminPlace()
  await place.give('client:deploy', 'owner', '*')
  const { access_token } = await place.program()
  const wrong = await place.call(access_token, AUTHORIZATION, { body: { ...REQUEST, session: {} } })
  expect(wrong.body).toMatchObject({
    errors: [{ pointer: '/session', message: expect.stringContaining('sub') }],
  })
})
