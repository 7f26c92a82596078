/** The operations of the admin API: what they take, what they need, and their rows. */

import { passkeysFor } from '@ostiary/identity'
import { client, REDIRECT_URI, SECRET } from '@ostiary/test-kit/world'
import { expect, it, vi } from 'vitest'
import { type SimulationCall, simulationOperations } from '../src/index.ts'
import { CORE, place } from './_place.ts'

async function opened() {
  const { w, sealed } = await place({ clients: [await client()] })
  const provider = {
    oidc: { issuer: w.issuer },
    secret: SECRET,
    storage: w.storage,
    accounts: { find: async (sub: string) => w.accounts.get(sub) ?? null },
    interactions: { login: async () => new Response() },
    now: () => w.clock.now,
  }
  const operations = simulationOperations({ core: CORE, provider, extensions: [], passkeysFor })
  const named = (id: string) => {
    const found = operations.find((operation) => operation.id === `simulate.${id}`)
    if (found === undefined) throw new Error(`There is no operation ${id}`)
    return found
  }
  return { w, sealed, named }
}

const isValid = ({ body }: { body: { safeParse(value: unknown): { success: boolean } } }, value: object) =>
  body.safeParse(value).success

const REQUEST = { client_id: 'app', parameters: { redirect_uri: REDIRECT_URI } }
const parameters = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, '']))

it('the body has limits, and a session has a user', async () => {
  const { named } = await opened()
  const authorization = named('authorization')
  const ask = (more: object) => isValid(authorization, { ...REQUEST, ...more })
  expect([200, 201].map((count) => ask({ parameters: parameters(count) }))).toEqual([true, false])
  const ages = [315_360_000, 315_360_001]
  expect(ages.map((age) => ask({ sub: 'alice', session: { level: 1, age } }))).toEqual([true, false])
  expect(ask({ session: { level: 1, age: 0 } })).toBe(false)
  for (const session of [{ level: 3 }, { age: -1 }, { age: 1.5 }, { levels: 1 }])
    expect([session, ask({ sub: 'alice', session })]).toEqual([session, false])
  expect(ask({ parameters: { client_id: 'other' } })).toBe(false)
  const sign_in = named('sign_in')
  expect([{}, { address: 'x' }, { username: 'ada' }].map((body) => isValid(sign_in, body))).toEqual([
    false,
    false,
    true,
  ])
})

it('who names a user has to read users too', async () => {
  const { named } = await opened()
  const also = (id: string, body: object) => named(id).also?.(body as never) ?? null
  expect([also('authorization', REQUEST), also('authorization', { ...REQUEST, sub: 'alice' })]).toEqual([
    null,
    'users',
  ])
  expect(also('tokens', {})).toBe('users')
  expect([named('authorization').area, named('tokens').area, named('sign_in').area]).toEqual([
    'clients',
    'clients',
    'users',
  ])
})

it('each has a row of its own, before it runs, and writes nothing else', async () => {
  const { w, sealed, named } = await opened()
  const change = vi.fn(async <T>(_: object, run: () => Promise<T>) => run())
  const user = {
    sub: 'alice',
    username: 'alice',
    password_hash: 'x',
    disabled_at: null,
    claims: {},
    second_step: false,
  }
  const call = {
    realm: 'default',
    users: { findByUsername: async () => user },
    audit: { change },
    parts: async () => ({
      settings: {
        passkeys: null,
        second_factor: 'off',
        password: true,
        enrolment: 'self',
        remember_device: 0,
      },
      factors: { list: async () => [] },
      links: null,
      addresses: null,
      throttles: { list: async () => [] },
    }),
  } as unknown as SimulationCall
  const run = (id: string, body: object) =>
    sealed(() => named(id).run(call, { query: undefined as never, body: body as never }))
  expect(await run('authorization', { ...REQUEST, sub: 'alice' })).toMatchObject({
    body: { result: 'refused' },
  })
  const tokens = { client_id: 'app', sub: 'alice', scopes: ['openid'] }
  expect(await run('tokens', tokens)).toMatchObject({ body: { result: 'tokens' } })
  expect(await run('sign_in', { username: 'alice' })).toMatchObject({ body: { user: { sub: 'alice' } } })
  const of = { realm: 'default', type: 'simulation' }
  expect(change.mock.calls.map(([row]) => row)).toEqual([
    { ...of, sub: 'alice', client_id: 'app', ids: { operation: 'simulate.authorization' } },
    { ...of, sub: 'alice', client_id: 'app', ids: { operation: 'simulate.tokens' } },
    { ...of, ids: { operation: 'simulate.sign_in' } },
  ])
  expect(w.events).toEqual([])
  // Without its row, nothing runs.
  change.mockImplementation(async () => Promise.reject(new Error('no row')))
  await expect(run('authorization', REQUEST)).rejects.toThrow('no row')
})
