/** Background work of many realms: a storage with `background` says where something is due, and only there jobs run. */

import {
  createProvider,
  type DueRealms,
  type OidcEvent,
  type RealmStorage,
  type Storage,
} from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { describe, expect, it } from 'vitest'

const NOTHING: DueRealms = { sessions: [], deliveries: [], deletions: [], keys: [], expired: false }
const REALMS = Array.from({ length: 100 }, (_, n) => `realm-${n}`)

interface Choice {
  due?: Partial<DueRealms>
  failing?: string
  lookup?: boolean
}

/** A provider of 100 realms whose storage notes which realm's jobs ask for something. */
function start({ due = {}, failing, lookup = false }: Choice) {
  const asked: string[] = []
  const events: OidcEvent[] = []
  const memory = memoryStorage()
  const watched = (realm: string): RealmStorage => {
    const stores = memory(realm)
    const noted =
      <A extends unknown[], T>(job: string, call: (...args: A) => Promise<T>) =>
      async (...args: A): Promise<T> => {
        asked.push(`${job} ${realm}`)
        if (realm === failing) throw new Error('the storage of this realm is away')
        return call(...args)
      }
    return {
      ...stores,
      sessions: { ...stores.sessions, expired: noted('sessions', stores.sessions.expired) },
      logouts: { ...stores.logouts, claim: noted('deliveries', stores.logouts.claim) },
      keys: { ...stores.keys, list: noted('keys', stores.keys.list) },
      clients: { ...stores.clients, deleted: noted('deletions', stores.clients.deleted) },
      purge: noted('purge', stores.purge),
    }
  }
  const questions: unknown[] = []
  const storage: Storage = Object.assign(watched, {
    background: {
      async due(question: unknown) {
        questions.push(question)
        if (failing === 'all') throw new Error('the storage is away')
        return { ...NOTHING, ...due }
      },
      async purge() {
        asked.push('purge')
        return 7
      },
    },
  })
  const realms = Object.fromEntries(REALMS.map((id) => [id, {}]))
  const provider = createProvider({
    oidc: {
      issuer: 'https://id.example.com',
      routes: { realms: 'path' },
      ...(lookup ? {} : { realms }),
      tokens: { access_token: 60, id_token: 60, client_credentials: 60 },
    },
    secret: 'only-for-tests-only-for-tests-only-for-tests',
    storage,
    accounts: { find: async () => null },
    interactions: { login: async () => new Response() },
    now: () => 1_800_000_000,
    on_event: (event) => void events.push(event),
    ...(lookup && {
      realms: async (id: string) => {
        if (id === 'broken') throw new Error('the look-up failed')
        return REALMS.includes(id) ? {} : null
      },
    }),
  })
  return { provider, asked, events, questions }
}

describe('tick() with a storage that knows where something is due', () => {
  it('asks one question, and no realm, when nothing is due', async () => {
    const { provider, asked, questions } = start({})
    await provider.tick()
    await provider.settled()
    expect(questions).toEqual([{ now: 1_800_000_000, realms: REALMS, keys_before: 1_800_000_000 - 120 }])
    expect(asked).toEqual([])
  })

  it('runs each job only in the realms where it is due', async () => {
    const { provider, asked } = start({
      due: {
        sessions: ['realm-3'],
        deliveries: ['realm-4'],
        deletions: ['realm-5'],
        keys: ['realm-6', 'realm-3'],
      },
    })
    await provider.tick()
    await provider.settled()
    expect([...new Set(asked)].sort()).toEqual(
      [
        'deletions realm-5',
        'deliveries realm-3',
        'deliveries realm-4',
        'deliveries realm-5',
        'deliveries realm-6',
        'keys realm-3',
        'keys realm-6',
        'sessions realm-3',
      ].sort(),
    )
  })

  it('purges all realms at once, when something has expired', async () => {
    const { provider, asked } = start({ due: { expired: true } })
    expect(await provider.tick()).toEqual({ sessions_ended: 0, keys_retired: 0, records_purged: 7 })
    expect(asked).toEqual(['purge'])
  })

  it('a realm that fails stops no other, and a realm that is not known is skipped', async () => {
    const due = { sessions: ['realm-1', 'removed', 'realm-2', 'realm-3', 'realm-4', 'realm-5', 'realm-6'] }
    const { provider, asked, events } = start({ due, failing: 'realm-1' })
    await provider.tick()
    await provider.settled()
    expect(asked.filter((call) => call.startsWith('sessions')).sort()).toEqual(
      [1, 2, 3, 4, 5, 6].map((n) => `sessions realm-${n}`),
    )
    expect(events.every(({ type, realm }) => type === 'server.error' && realm === 'realm-1')).toBe(true)
    expect(events.length).toBeGreaterThan(0)
  })

  it('a storage that cannot answer is one event', async () => {
    const { provider, events } = start({ failing: 'all' })
    expect(await provider.tick()).toEqual({ sessions_ended: 0, keys_retired: 0, records_purged: 0 })
    expect(events).toMatchObject([{ type: 'server.error', route: null, realm: '' }])
  })

  it('opens a realm of the look-up function that no request has opened yet', async () => {
    const { provider, asked } = start({ due: { sessions: ['realm-9', 'unknown'] }, lookup: true })
    await provider.tick()
    await provider.settled()
    expect(asked).toEqual(['sessions realm-9', 'deliveries realm-9'])
  })

  it('a realm whose look-up fails stops no other', async () => {
    const { provider, asked, events } = start({ due: { sessions: ['broken', 'realm-9'] }, lookup: true })
    await provider.tick()
    await provider.settled()
    expect(asked).toEqual(['sessions realm-9', 'deliveries realm-9'])
    expect(events).toMatchObject([{ type: 'server.error', realm: 'broken' }])
  })

  it('of given realms runs every job in each of them', async () => {
    const { provider, asked, questions } = start({})
    await provider.tick(['realm-1', 'realm-2'])
    await provider.settled()
    const jobs = ['deletions', 'deliveries', 'keys', 'purge', 'sessions']
    expect([...new Set(asked)].sort()).toEqual(
      jobs.flatMap((job) => [`${job} realm-1`, `${job} realm-2`]).sort(),
    )
    expect(questions).toEqual([])
    await expect(provider.tick(['unknown'])).rejects.toThrow('There is no realm unknown')
  })
})
