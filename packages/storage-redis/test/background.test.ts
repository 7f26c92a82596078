/** Background work goes through the tags of a realm: of many people, in turn, and also when Redis has lost the sets of tags. */

import {
  BUCKETS,
  bucketByHash,
  personTag,
  type RealmStorage,
  type SweepStep,
  tagOfBucket,
} from '@ostiary/core'
import { describe, expect, it } from 'vitest'
import { redisStorage } from '../src/index.js'
import { code, fillPerson, grant, idOf, LATER, NOW, session } from './records.js'
import { commandsOf, keysBelow, ownCorner, removeBelow } from './support.js'

const { redis, prefix } = ownCorner()

/** The stores of a realm as a process that has just started sees them. */
const storesOf = (realm: string): RealmStorage => redisStorage(redis, { prefix })(realm)
const setOf = (realm: string, kind: string) => `${prefix}{${realm}}:tags-of-${kind}`
const KINDS = ['grants', 'sessions', 'revoked']

/** People of whom no two have the same tag. */
function people(count: number): string[] {
  const subs = new Map<string, string>()
  for (let n = 0; subs.size < count; n += 1) subs.set(personTag(`user-${n}`), `user-${n}`)
  return [...subs.values()]
}
const each = (subs: string[], store: (sub: string) => Promise<unknown>) => Promise.all(subs.map(store))

const expiredSession = (store: RealmStorage, sub: string, name = 's') =>
  store.sessions.create(
    session({ sub, sid: idOf(name, sub), session_hash: idOf(`${name}-hash`, sub), expires_at: NOW - 1 }),
  )
const expiredGrant = (store: RealmStorage, sub: string) =>
  store.grants.create(grant({ sub, grant_id: idOf('g', sub), expires_at: NOW - 1 }), code(idOf('g', sub)))
const sidsOf = (sessions: { sid: string }[]): string[] => sessions.map(({ sid }) => sid)
/** Background work has looked at all tags after so many calls. */
const CALLS = BUCKETS / 32
/** The expired sessions that as many calls find. */
async function foundSessions(store: RealmStorage): Promise<string[]> {
  const sids = new Set<string>()
  for (let calls = 0; calls < CALLS; calls += 1)
    for (const sid of sidsOf(await store.sessions.expired(NOW, 1000))) sids.add(sid)
  return [...sids].sort()
}

describe('expired sessions', () => {
  it('of many people are found in turn, as many as are asked for', async () => {
    const store = storesOf('in-turn')
    const subs = people(600)
    await each(subs, (sub) => expiredSession(store, sub))
    const found: string[] = []
    for (let calls = 0; calls < 6; calls += 1) {
      const some = await store.sessions.expired(NOW, 100)
      expect(some).toHaveLength(100)
      found.push(...sidsOf(some))
    }
    expect(found.sort()).toEqual(subs.map((sub) => idOf('s', sub)).sort())
    // From the beginning again.
    expect(await store.sessions.expired(NOW, 100)).toHaveLength(100)
  })

  it('of one person do not hide those of others', async () => {
    const store = storesOf('one-has-many')
    await each(people(150), (name) => expiredSession(store, 'busy', name))
    const others = people(20)
    await each(others, (sub) => expiredSession(store, sub))
    const found = [...(await store.sessions.expired(NOW, 100)), ...(await store.sessions.expired(NOW, 100))]
    expect(sidsOf(found)).toEqual(expect.arrayContaining(others.map((sub) => idOf('s', sub))))
  })

  it.each([
    ['1,024 tags are visited in one call', 1023, 1],
    ['one tag more is visited in the next call', 1024, 2],
  ])('%s', async (_, before, calls) => {
    const realm = `visited-${before}`
    const store = storesOf(realm)
    const last = people(100).find((sub) => bucketByHash(sub) >= before) ?? ''
    await redis.sadd(
      setOf(realm, 'sessions'),
      ...Array.from({ length: before }, (_, bucket) => tagOfBucket(bucket)),
    )
    await expiredSession(store, last)
    for (let call = 1; call < calls; call += 1) expect(await store.sessions.expired(NOW, 100)).toEqual([])
    expect(sidsOf(await store.sessions.expired(NOW, 100))).toEqual([idOf('s', last)])
  })
})

describe('a tag that fails, as while its slot moves', () => {
  const breakTag = async (realm: string, sub: string) =>
    redis.set(`${prefix}{${realm}:${personTag(sub)}}:sessions-by-end`, 'a text')

  it('does not keep the sessions of others from being found', async () => {
    const store = storesOf('broken')
    const subs = people(600).sort((a, b) => bucketByHash(a) - bucketByHash(b))
    await each(subs, (sub) => expiredSession(store, sub))
    const [broken = '', ...others] = subs
    await breakTag('broken', broken)
    // 256 tags are asked at once, and the call ends with those.
    const found = sidsOf(await store.sessions.expired(NOW, 1000))
    expect(found).toHaveLength(255)
    found.push(...sidsOf(await store.sessions.expired(NOW, 1000)))
    expect([...new Set(found)].sort()).toEqual(others.map((sub) => idOf('s', sub)).sort())
  })

  it('is an error when there is no other work', async () => {
    const store = storesOf('only-broken')
    await expiredSession(store, 'alice')
    await breakTag('only-broken', 'alice')
    await expect(store.sessions.expired(NOW, 100)).rejects.toThrow('WRONGTYPE')
  })

  it('stops the end of a client, which leaves no record out', async () => {
    const store = storesOf('broken-sweep')
    await each(['alice', 'bob'], (sub) => fillPerson(store, sub))
    await redis.set(`${prefix}{broken-sweep:${personTag('bob')}}:grants-by-end`, 'a text')
    const sweep = { client_id: 'app', before: LATER }
    await expect(store.grants.revokeOfClient(sweep, NOW)).rejects.toThrow('WRONGTYPE')
  })
})

describe('purge', () => {
  it('deletes at most 1,000 grants of many people, the others in the next call, and nothing else', async () => {
    const store = storesOf('purge')
    const subs = people(1100)
    await each(subs, (sub) => expiredGrant(store, sub))
    await fillPerson(store, 'alice')
    expect([await store.purge(NOW), await store.purge(NOW), await store.purge(NOW)]).toEqual([1000, 100, 0])
    const left = await keysBelow(redis, `${prefix}{purge:`)
    expect(left.filter((key) => !key.startsWith(`${prefix}{purge:${personTag('alice')}}:`))).toEqual([])
    expect(await store.grants.list('alice', NOW)).toHaveLength(1)
  })

  it('deletes at most 1,000 grants of two people', async () => {
    const store = storesOf('purge-two')
    const names = Array.from({ length: 600 }, (_, n) => `g-${n}-`)
    const create = (sub: string) =>
      each(names, (name) =>
        store.grants.create(
          grant({ sub, grant_id: idOf(name, sub), expires_at: NOW - 1 }),
          code(idOf(name, sub)),
        ),
      )
    await each(['alice', 'bob'], create)
    expect([await store.purge(NOW), await store.purge(NOW), await store.purge(NOW)]).toEqual([1000, 200, 0])
  })

  it('deletes revoked tokens of people and of clients', async () => {
    const store = storesOf('purge-tokens')
    const subs = people(300)
    await each(subs, (sub) => store.revoked_tokens.add(`${idOf('g', sub)}.random`, NOW - 1))
    await each(['a', 'b'], (jti) => store.revoked_tokens.add(jti, NOW - 1))
    expect([await store.purge(NOW), await store.purge(NOW)]).toEqual([302, 0])
    const left = await keysBelow(redis, `${prefix}{purge-tokens`)
    expect(left).toEqual([setOf('purge-tokens', 'revoked')])
  })
})

it('with few people, a round of background work is less than 120 commands', async () => {
  const store = storesOf('few')
  await each(['alice', 'bob', 'eve'], (sub) => fillPerson(store, sub))
  const commands = await commandsOf(redis, prefix, async () => {
    await store.sessions.expired(NOW, 100)
    await store.purge(NOW)
  })
  expect(commands.length).toBeGreaterThan(9)
  expect(commands.length).toBeLessThan(120)
})

describe('the end of a client', () => {
  async function sweepAll(step: (after: { after?: string }) => Promise<SweepStep>): Promise<number[]> {
    const counts: number[] = []
    let next: string | undefined
    do {
      const done: SweepStep = await step(next === undefined ? {} : { after: next })
      counts.push(done.count)
      next = done.next ?? undefined
    } while (next !== undefined)
    return counts
  }
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)

  it.each([
    [500, 1],
    [501, 2],
  ])('of %s people takes steps: %s', async (count, steps) => {
    const store = storesOf(`sweep-${count}`)
    const subs = people(count)
    const approved = [{ resource: 'r', scopes: [] }]
    await each(subs, (sub) =>
      store.grants.create(grant({ sub, grant_id: idOf('g', sub) }), code(idOf('g', sub))),
    )
    await each(subs, (sub) => store.consents.merge({ sub, client_id: 'app', approved }, NOW))
    await store.consents.merge({ sub: 'user-0', client_id: 'stays', approved }, NOW)
    // The sets are lost: no record may be left out.
    await redis.del(KINDS.map((kind) => setOf(`sweep-${count}`, kind)))
    const sweep = { client_id: 'app', before: LATER }
    const revoked = await sweepAll((after) => store.grants.revokeOfClient({ ...sweep, ...after }, NOW))
    const deleted = await sweepAll((after) => store.consents.deleteOfClient({ ...sweep, ...after }))
    expect([sum(revoked), sum(deleted)]).toEqual([count, count])
    expect(deleted.filter((n) => n > 0)).toHaveLength(steps)
    const left = await keysBelow(redis, `${prefix}{sweep-${count}:`)
    const consents = left.filter((key) => /:consent/.test(key)).map((key) => key.slice(key.indexOf('}:') + 2))
    expect(consents).toEqual(['consenting-to:stays', 'consenting:user-0', 'consents:["user-0","stays"]'])
  })

  it('of a few people takes one step', async () => {
    const store = storesOf('sweep-few')
    await each(['alice', 'bob'], (sub) => fillPerson(store, sub))
    const sweep = { client_id: 'app', before: LATER }
    expect(await store.consents.deleteOfClient(sweep)).toEqual({ count: 2, next: null })
    expect(await store.grants.revokeOfClient(sweep, NOW)).toEqual({ count: 2, next: null })
  })

  it('reads the people of one tag to the end, however many they are', async () => {
    const store = storesOf('sweep-one')
    await each(people(1200), (name) =>
      store.grants.create(grant({ sub: 'alice', grant_id: idOf(name) }), code(idOf(name))),
    )
    expect(await store.grants.revokeOfClient({ client_id: 'app', before: LATER }, NOW)).toMatchObject({
      count: 1200,
    })
  })
})

describe('tags that Redis has lost', () => {
  it.each([
    ['the process that has added them', (before: RealmStorage) => before],
    ['another process', () => storesOf('lost')],
  ])('are found again by %s', async (_, after) => {
    const store = storesOf('lost')
    const subs = people(40)
    await each(subs, (sub) => expiredSession(store, sub))
    await each(subs, (sub) => expiredGrant(store, sub))
    await each(subs, (sub) => store.revoked_tokens.add(`${idOf('g', sub)}.random`, NOW - 1))
    await redis.del(KINDS.map((kind) => setOf('lost', kind)))
    // Their tags are remembered, and are not added.
    await each(subs, (sub) => expiredSession(store, sub, 'later'))
    expect(await redis.exists(setOf('lost', 'sessions'))).toBe(0)
    const background = after(store)
    let purged = 0
    for (let calls = 0; calls < CALLS; calls += 1) purged += await background.purge(NOW)
    expect(purged).toBe(80)
    expect(await foundSessions(background)).toHaveLength(80)
    const tags = [...new Set(subs.map((sub) => personTag(sub)))].sort()
    for (const kind of KINDS) expect((await redis.smembers(setOf('lost', kind))).sort(), kind).toEqual(tags)
    await removeBelow(redis, `${prefix}{lost`)
  })

  it('are found again when Redis has lost everything, and the people are back', async () => {
    const store = storesOf('flushed')
    await expiredSession(store, 'alice')
    await removeBelow(redis, `${prefix}{flushed`)
    await expiredSession(store, 'alice')
    expect(await foundSessions(store)).toEqual([idOf('s')])
  })

  it('a part of them, as in a failover, is found again', async () => {
    const store = storesOf('failover')
    await each(['alice', 'bob'], (sub) => expiredSession(store, sub))
    await redis.srem(setOf('failover', 'sessions'), personTag('bob'))
    expect(await foundSessions(store)).toEqual([idOf('s', 'alice'), idOf('s', 'bob')].sort())
  })
})
