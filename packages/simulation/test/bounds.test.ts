/** Simulations are bounded in number and time. */

import type { ProviderOptions } from '@ostiary/core'
import { eventually } from '@ostiary/test-kit/eventually'
import { client, REDIRECT_URI } from '@ostiary/test-kit/world'
import { afterEach, expect, it, vi } from 'vitest'
import { createSimulation } from '../src/index.ts'
import { CORE, place, UNLIMITED_MS } from './_place.ts'

const INPUT = { client_id: 'app', parameters: { redirect_uri: REDIRECT_URI }, user: null }

/** A storage whose look-up of clients waits until it is released. */
async function held(limits: { within_ms?: number } = {}) {
  const { w } = await place({ clients: [await client()] })
  let release: () => void = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const storage: ProviderOptions['storage'] = (realm) => {
    const stores = w.storage(realm)
    const find = async (client_id: string) => {
      await released
      return stores.clients.find(client_id)
    }
    return { ...stores, clients: { ...stores.clients, find } }
  }
  const provider: ProviderOptions = {
    oidc: { issuer: w.issuer },
    secret: 'only-for-tests-only-for-tests-only-for-tests',
    storage,
    accounts: { find: async () => null },
    interactions: { login: async () => new Response() },
  }
  const simulation = createSimulation({ core: CORE, provider, ...limits })
  return { ask: () => simulation.authorization('default', INPUT), release: () => release() }
}

afterEach(() => {
  vi.useRealTimers()
})

it('four run at once, and a fifth is refused until one has ended', async () => {
  const { ask, release } = await held({ within_ms: UNLIMITED_MS })
  const running = [ask(), ask(), ask(), ask()]
  await expect(ask()).rejects.toMatchObject({ code: 'too_many_requests' })
  release()
  for (const { result } of await Promise.all(running)) expect(result).toBe('refused')
  expect(await ask()).toMatchObject({ result: 'refused' })
})

it('one that takes longer than four seconds has no result, and counts until it has ended', async () => {
  const { ask, release } = await held()
  vi.useFakeTimers()
  const running = [ask(), ask(), ask(), ask()].map((each) => each.catch(({ code }) => code))
  const settled = vi.fn()
  void running[0]?.then(settled)
  await vi.advanceTimersByTimeAsync(3_999)
  expect(settled).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(await Promise.all(running)).toEqual(Array(4).fill('unavailable'))
  await expect(ask()).rejects.toMatchObject({ code: 'too_many_requests' })
  release()
  vi.useRealTimers()
  await eventually(async () => expect(await ask()).toMatchObject({ result: 'refused' }))
})

it('the keys of the last twenty realms are kept', async () => {
  const { w } = await place({ clients: [] })
  const memoryStorage = vi.fn(CORE.memoryStorage)
  const record = await client({ trusted: true })
  const simulation = createSimulation({
    within_ms: UNLIMITED_MS,
    core: { ...CORE, memoryStorage },
    provider: {
      oidc: { issuer: w.issuer, routes: { realms: 'path' }, keys: { algorithms: ['ES256'] } },
      realms: async () => ({}),
      secret: 'only-for-tests-only-for-tests-only-for-tests',
      storage: (realm) => ({
        ...w.storage(realm),
        clients: { ...w.storage(realm).clients, find: async () => record },
      }),
      accounts: { find: async (sub) => ({ sub, claims: {} }) },
      interactions: { login: async () => new Response() },
    },
  })
  /** The memories that a simulation makes: its own, and that of the keys of the realm. */
  async function made(n: number): Promise<number> {
    memoryStorage.mockClear()
    const user = { sub: 'alice', level: 1, age: 0 } as const
    const input = { client_id: 'app', user, scopes: ['openid'], resource: null }
    expect(await simulation.tokens(`realm-${n}`, input)).toMatchObject({ result: 'tokens' })
    return memoryStorage.mock.calls.length
  }
  for (let n = 0; n <= 20; n += 1) expect(await made(n)).toBe(2)
  expect([await made(1), await made(20), await made(0)]).toEqual([1, 1, 2])
})
