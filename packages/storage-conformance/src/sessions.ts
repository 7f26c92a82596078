import type { RaisedSession, Session } from '@ostiary/core'
import { expect } from 'vitest'
import { elsewhere } from './ids.js'
import { LATER, LONG_AGO, LONG_TEXT, NOW, ODD_LIST, ODD_TEXT, session } from './records.js'
import { parallel, type Rules, winnersOf } from './rule.js'

const bySid = (sessions: Session[]): Session[] => [...sessions].sort((a, b) => (a.sid < b.sid ? -1 : 1))
const sidsOf = (sessions: Session[]): string[] => sessions.map(({ sid }) => sid).sort()

const LEASE = 30

const raised = (session_hash: string, changes: Partial<RaisedSession> = {}): RaisedSession => ({
  session_hash,
  auth_time: NOW + 60,
  amr: ['pwd', 'otp'],
  acr: '2',
  raised_at: NOW + 60,
  ...changes,
})

export function sessionRules({ rule }: Rules): void {
  rule('create: a session is found by its hash, exactly as it was stored', async ({ store, id, person }) => {
    const records = [
      session(id('a')),
      session(id('bare'), { auth_time: null, amr: [], acr: null, user_agent: null, last_used_at: null }),
      session(id('raised'), { raised_at: NOW + 60 }),
      session(id('odd', person(ODD_TEXT)), {
        sub: person(ODD_TEXT),
        amr: ODD_LIST,
        acr: LONG_TEXT,
        user_agent: LONG_TEXT,
        client_ids: ['b', 'a', '"c",{}'],
      }),
    ]
    for (const record of records) await store.sessions.create(record)
    for (const record of records) {
      const found = await store.sessions.find(record.session_hash)
      expect({ ...found, client_ids: found?.client_ids.toSorted() }).toEqual({
        ...record,
        client_ids: record.client_ids.toSorted(),
      })
    }
  })

  rule('find: null for an unknown hash, and for the sid', async ({ store, id }) => {
    await store.sessions.create(session(id('a')))
    for (const unknown of [id('a'), id('b-hash'), ...ODD_LIST]) {
      expect(await store.sessions.find(unknown)).toBeNull()
    }
  })

  rule('find: an expired session is found until it is ended', async ({ store, id }) => {
    const record = session(id('a'), { expires_at: LONG_AGO })
    await store.sessions.create(record)
    expect(await store.sessions.find(record.session_hash)).toEqual(record)
  })

  rule('join: adds a client once', async ({ store, id }) => {
    for (const name of ['a', 'b']) await store.sessions.create(session(id(name)))
    expect(await store.sessions.join(id('a'), 'one')).toBe(true)
    expect(await store.sessions.join(id('a'), 'one')).toBe(true)
    expect(await store.sessions.find(id('a-hash'))).toEqual(session(id('a'), { client_ids: ['one'] }))
    expect(await store.sessions.join(id('a'), 'two')).toBe(true)
    expect((await store.sessions.find(id('a-hash')))?.client_ids.sort()).toEqual(['one', 'two'])
    expect(await store.sessions.find(id('b-hash'))).toEqual(session(id('b')))
  })

  rule('join: false when there is no such session', async ({ store, id }) => {
    await store.sessions.create(session(id('a')))
    await store.sessions.end(id('a'), NOW, LEASE)
    for (const sid of [id('a'), id('x'), id('a-hash')]) {
      expect(await store.sessions.join(sid, 'one')).toBe(false)
    }
    expect(await store.sessions.find(id('a-hash'))).toBeNull()
  })

  rule('join: with 50 parallel callers, each client is listed once', async ({ store, id }) => {
    await store.sessions.create(session(id('a')))
    const results = await parallel(50, (caller) => store.sessions.join(id('a'), `client-${caller % 25}`))
    expect(winnersOf(results)).toHaveLength(50)
    const found = await store.sessions.find(id('a-hash'))
    expect(found?.client_ids.sort()).toEqual(Array.from({ length: 25 }, (_, n) => `client-${n}`).sort())
  })

  rule(
    'touch: sets the last use, of this session alone, and never to an earlier time',
    async ({ store, id, person }) => {
      const sub = person()
      for (const name of ['a', 'b'])
        await store.sessions.create(session(id(name), { sub, last_used_at: null, client_ids: ['one'] }))
      const used = async () => (await store.sessions.find(id('a-hash')))?.last_used_at
      for (const [used_at, stored] of [
        [NOW + 900, NOW + 900],
        [NOW, NOW + 900],
        [NOW + 1800, NOW + 1800],
      ] as const) {
        await store.sessions.touch(id('a'), used_at)
        expect(await used()).toBe(stored)
      }
      const touched = session(id('a'), { sub, last_used_at: NOW + 1800, client_ids: ['one'] })
      const other = session(id('b'), { sub, last_used_at: null, client_ids: ['one'] })
      expect(bySid(await store.sessions.list(sub))).toEqual([touched, other])
      expect(await store.sessions.end(id('a'), NOW, LEASE)).toEqual(touched)
    },
  )

  rule('touch: nothing for a session that is unknown or has ended', async ({ store, id }) => {
    const record = session(id('a'), { last_used_at: null, expires_at: LONG_AGO })
    await store.sessions.create(record)
    await store.sessions.touch(id('x'), NOW)
    expect(await store.sessions.find(id('x-hash'))).toBeNull()
    await store.sessions.end(id('a'), NOW, LEASE)
    await store.sessions.touch(id('a'), NOW)
    expect(await store.sessions.expired(NOW + LEASE, 10)).toEqual([record])
  })

  rule('touch: of 50 parallel callers, the latest time is stored', async ({ store, id }) => {
    await store.sessions.create(session(id('a'), { last_used_at: null }))
    await parallel(50, (caller) => store.sessions.touch(id('a'), NOW + ((caller * 7) % 50)))
    expect((await store.sessions.find(id('a-hash')))?.last_used_at).toBe(NOW + 49)
  })

  rule(
    'raise: sets how the user has authenticated, and a new hash; the old one finds nothing',
    async ({ store, id, person }) => {
      const sub = person()
      const record = session(id('a'), { sub, client_ids: ['one'], last_used_at: NOW + 5 })
      for (const one of [record, session(id('b'), { sub })]) await store.sessions.create(one)
      expect(await store.sessions.raise(id('a'), raised(id('a-new')), id('a-hash'))).toBe(true)
      const expected = { ...record, ...raised(id('a-new')) }
      expect(await store.sessions.find(id('a-new'))).toEqual(expected)
      expect(await store.sessions.find(id('a-hash'))).toBeNull()
      expect(bySid(await store.sessions.list(sub))).toEqual([expected, session(id('b'), { sub })])
      const unknown = { auth_time: null, amr: [], acr: null, raised_at: NOW + 90 }
      expect(await store.sessions.raise(id('a'), raised(id('a-last'), unknown), id('a-new'))).toBe(true)
      expect(await store.sessions.find(id('a-last'))).toEqual({
        ...record,
        ...unknown,
        session_hash: id('a-last'),
      })
    },
  )

  rule(
    'raise: the session goes on: it is joined, used, ended and forgotten',
    async ({ store, id, person }) => {
      await store.sessions.create(
        session(id('a'), { sub: person(), expires_at: LONG_AGO, client_ids: ['one'] }),
      )
      expect(await store.sessions.raise(id('a'), raised(id('a-new')), id('a-hash'))).toBe(true)
      expect(await store.sessions.join(id('a'), 'two')).toBe(true)
      await store.sessions.touch(id('a'), NOW + 900)
      const found = await store.sessions.find(id('a-new'))
      expect(found).toMatchObject({
        client_ids: ['one', 'two'],
        last_used_at: NOW + 900,
        expires_at: LONG_AGO,
      })
      expect(await store.sessions.expired(NOW, 10)).toEqual([found])
      expect(await store.sessions.end(id('a'), NOW, LEASE)).toEqual(found)
      expect(await store.sessions.find(id('a-new'))).toBeNull()
      expect(await store.sessions.list(person())).toEqual([])
      await store.sessions.forget(id('a'))
      expect(await store.sessions.expired(NOW + LEASE, 10)).toEqual([])
    },
  )

  rule(
    'raise: nothing when the hash is not the expected one, or the session is unknown or has ended',
    async ({ store, id }) => {
      for (const name of ['a', 'b']) await store.sessions.create(session(id(name)))
      const tries: [string, string][] = [
        ['a', 'b-hash'],
        ['a', 'x-hash'],
        ['x', 'a-hash'],
        ['x', 'x-hash'],
      ]
      for (const [sid, hash] of tries)
        expect(await store.sessions.raise(id(sid), raised(id('new')), id(hash))).toBe(false)
      await store.sessions.end(id('b'), NOW, LEASE)
      expect(await store.sessions.raise(id('b'), raised(id('new')), id('b-hash'))).toBe(false)
      expect(await store.sessions.find(id('new'))).toBeNull()
      expect(await store.sessions.find(id('a-hash'))).toEqual(session(id('a')))
      expect(await store.sessions.expired(NOW + LEASE, 10)).toEqual([session(id('b'))])
    },
  )

  rule('raise: of 50 parallel callers with the same expected hash, one wins', async ({ store, id }) => {
    await store.sessions.create(session(id('a')))
    const results = await parallel(50, (caller) =>
      store.sessions.raise(id('a'), raised(id(`new-${caller}`)), id('a-hash')),
    )
    const winners = winnersOf(results)
    expect(winners).toHaveLength(1)
    const found = await Promise.all(results.map((_, caller) => store.sessions.find(id(`new-${caller}`))))
    expect(found.flatMap((one, caller) => (one === null ? [] : [caller]))).toEqual(
      results.flatMap((won, caller) => (won ? [caller] : [])),
    )
    expect(await store.sessions.find(id('a-hash'))).toBeNull()
  })

  rule('raise: beside 49 parallel joins, no client is lost', async ({ store, id }) => {
    await store.sessions.create(session(id('a')))
    const results = await parallel(50, (caller) =>
      caller === 25
        ? store.sessions.raise(id('a'), raised(id('a-new')), id('a-hash'))
        : store.sessions.join(id('a'), `client-${caller}`),
    )
    expect(winnersOf(results)).toHaveLength(50)
    expect((await store.sessions.find(id('a-new')))?.client_ids).toHaveLength(49)
  })

  rule('end: returns the session, which is not found afterwards', async ({ store, id, person }) => {
    const record = session(id('a'), { sub: person(), expires_at: LONG_AGO })
    await store.sessions.create(record)
    await store.sessions.create(session(id('b'), { sub: person() }))
    await store.sessions.join(id('a'), 'one')
    expect(await store.sessions.end(id('a'), NOW, LEASE)).toEqual({ ...record, client_ids: ['one'] })
    expect(await store.sessions.end(id('a'), NOW, LEASE)).toBeNull()
    expect(await store.sessions.find(id('a-hash'))).toBeNull()
    expect(await store.sessions.list(person())).toEqual([session(id('b'), { sub: person() })])
    expect(await store.sessions.expired(NOW, 10)).toEqual([])
    await store.sessions.forget(id('a'))
    expect(await store.sessions.expired(NOW + LEASE, 10)).toEqual([])
    expect(await store.sessions.end(id('a'), NOW + LEASE, LEASE)).toBeNull()
  })

  rule('end: returns the session again after the lease, unless it was forgotten', async ({ store, id }) => {
    const record = session(id('a'), { client_ids: ['one'] })
    await store.sessions.create(record)
    expect(await store.sessions.end(id('a'), NOW, LEASE)).toEqual(record)
    expect(await store.sessions.expired(NOW + LEASE - 1, 10)).toEqual([])
    expect(await store.sessions.end(id('a'), NOW + LEASE - 1, LEASE)).toBeNull()
    expect(await store.sessions.expired(NOW + LEASE, 10)).toEqual([record])
    const late = await parallel(50, () => store.sessions.end(id('a'), NOW + LEASE, LEASE))
    expect(late.filter((result) => result !== null)).toEqual([record])
    expect(await store.sessions.find(id('a-hash'))).toBeNull()
    expect(await store.sessions.join(id('a'), 'two')).toBe(false)
  })

  rule('forget: deletes only a session that has ended', async ({ store, id }) => {
    await store.sessions.create(session(id('a')))
    for (const sid of [id('a'), id('x')]) await store.sessions.forget(sid)
    expect(await store.sessions.find(id('a-hash'))).toEqual(session(id('a')))
    expect(await store.sessions.end(id('a'), NOW, LEASE)).toEqual(session(id('a')))
  })

  rule('end: null for an unknown session', async ({ store, id }) => {
    await store.sessions.create(session(id('a')))
    for (const sid of [id('x'), id('a-hash')]) expect(await store.sessions.end(sid, NOW, LEASE)).toBeNull()
    expect(await store.sessions.find(id('a-hash'))).toEqual(session(id('a')))
  })

  rule('end: one of 50 parallel callers gets the session', async ({ store, id }) => {
    await store.sessions.create(session(id('a')))
    const ended = await parallel(50, () => store.sessions.end(id('a'), NOW, LEASE))
    expect(ended.filter((result) => result !== null)).toEqual([session(id('a'))])
  })

  rule(
    'end: returns every client whose join returned true, even when it was concurrent',
    async ({ store, id }) => {
      await store.sessions.create(session(id('a')))
      const joined: string[] = []
      let ended: Session | null = null
      await parallel(50, async (caller) => {
        if (caller === 25) ended = await store.sessions.end(id('a'), NOW, LEASE)
        else if (await store.sessions.join(id('a'), `client-${caller}`)) joined.push(`client-${caller}`)
      })
      expect(ended).toMatchObject({ client_ids: expect.arrayContaining(joined) })
      expect(await store.sessions.find(id('a-hash'))).toBeNull()
    },
  )

  rule('expired: at most `limit` sessions whose expires_at is reached', async ({ store, id }) => {
    const ends = { a: NOW - 2, b: NOW - 1, c: NOW, d: NOW + 1, e: LATER }
    for (const [name, expires_at] of Object.entries(ends)) {
      await store.sessions.create(session(id(name), { expires_at }))
    }
    expect(sidsOf(await store.sessions.expired(NOW, 10))).toEqual([id('a'), id('b'), id('c')])
    expect(await store.sessions.expired(NOW, 2)).toHaveLength(2)
    expect(await store.sessions.expired(NOW - 3, 10)).toEqual([])
    await store.sessions.end(id('b'), NOW, LEASE)
    expect(bySid(await store.sessions.expired(NOW, 10))).toEqual([
      session(id('a'), { expires_at: NOW - 2 }),
      session(id('c'), { expires_at: NOW }),
    ])
  })

  rule('list: all sessions of one user', async ({ store, id, person }) => {
    const sub = person()
    const bob = elsewhere(sub)
    const ofUser = [session(id('a'), { sub }), session(id('b'), { sub, client_ids: ['one'] })]
    for (const record of [...ofUser, session(id('c', bob), { sub: bob })]) await store.sessions.create(record)
    expect(bySid(await store.sessions.list(sub))).toEqual(ofUser)
    expect(await store.sessions.list(id('unknown'))).toEqual([])
    await store.sessions.join(id('a'), 'two')
    expect(bySid(await store.sessions.list(sub))[0]?.client_ids).toEqual(['two'])
  })
}
