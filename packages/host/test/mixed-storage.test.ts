/** PostgreSQL with Redis, and its background work: Redis cannot search all realms, so each round looks at some of them. */

import type { BackgroundStorage, DueRealms, RealmStorage, Storage } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { describe, expect, it } from 'vitest'
import { mixedStorage } from '../src/index.ts'

const REALMS = Array.from({ length: 50 }, (_, n) => `realm-${n}`)
const QUESTION = { now: 100, realms: REALMS, keys_before: 0 }
const NOTHING: DueRealms = { sessions: [], deliveries: [], deletions: [], keys: [], expired: false }

/** A mix whose parts note what they are asked to purge. */
function mix(place: 'redis' | 'database', due: Partial<DueRealms> = {}) {
  const purged: string[] = []
  const watched = (realm: string): RealmStorage => ({
    ...memoryStorage()(realm),
    async purge() {
      purged.push(realm)
      return 1
    },
  })
  const background: BackgroundStorage = {
    due: async () => ({ ...NOTHING, ...due }),
    async purge() {
      purged.push('all of the database')
      return 10
    },
  }
  const durable: Storage = Object.assign((realm: string) => memoryStorage()(realm), { background })
  const mixed = mixedStorage(durable, watched, place).background
  if (mixed === undefined) throw new Error('no background')
  return { ...mixed, purged }
}

it('a used assertion stays used when Redis has lost everything', async () => {
  const durable = memoryStorage()
  const claim = (redis: Storage) => mixedStorage(durable, redis)('default').replays.claim('used', 200, 100)
  expect(await claim(memoryStorage())).toBe(true)
  expect(await claim(memoryStorage())).toBe(false)
})

describe('the background work of the mix', () => {
  it('looks at the sessions of 20 realms in each round, and has looked at all after three', async () => {
    const { due } = mix('redis')
    const rounds = [await due(QUESTION), await due(QUESTION), await due(QUESTION)].map(
      ({ sessions }) => sessions,
    )
    expect(rounds.map(({ length }) => length)).toEqual([20, 20, 10])
    expect(rounds.flat()).toEqual(REALMS)
    expect((await due(QUESTION)).sessions).toEqual(rounds[0])
  })

  it('asks the database for the sessions that it has', async () => {
    const { due } = mix('database', { sessions: ['realm-7'], deliveries: ['realm-8'] })
    expect(await due(QUESTION)).toMatchObject({
      sessions: ['realm-7'],
      deliveries: ['realm-8'],
      expired: true,
    })
  })

  it('purges Redis in the realms of the round, and the database when something has expired there', async () => {
    const idle = mix('database')
    await idle.due(QUESTION)
    expect(await idle.purge(100)).toBe(20)
    expect(idle.purged).toEqual(REALMS.slice(0, 20))
    const busy = mix('database', { expired: true })
    await busy.due({ ...QUESTION, realms: [] })
    expect([await busy.purge(100), busy.purged]).toEqual([10, ['all of the database']])
  })

  it('without `background` of the database, has none', () => {
    const durable: Storage = (realm) => memoryStorage()(realm)
    expect(mixedStorage(durable, memoryStorage()).background).toBeUndefined()
  })
})

it('has `issue` of the database only where it has the sessions too', () => {
  const issue = () => async () => 'stored' as const
  const durable: Storage = Object.assign(memoryStorage(), { issue })
  expect(mixedStorage(durable, memoryStorage(), 'database').issue).toBe(issue)
  expect(mixedStorage(durable, memoryStorage(), 'redis').issue).toBeUndefined()
  expect(mixedStorage(memoryStorage(), memoryStorage(), 'database').issue).toBeUndefined()
})
