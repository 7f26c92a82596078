import { describe, expect, it } from 'vitest'
import { redisStorage } from '../src/index.js'
import {
  code,
  fill,
  grant,
  HOUR,
  idOf,
  LATER,
  NOW,
  pending,
  redemption,
  refreshToken,
  session,
} from './records.js'
import { keysBelow, ownCorner } from './support.js'

const { redis, prefix } = ownCorner()
const storage = redisStorage(redis, { prefix })
const WEEK = 7 * 24 * HOUR

/** The keys of a realm; those of Alice are named so. */
async function namesOf(realm: string): Promise<[key: string, name: string][]> {
  const beginning = `${prefix}{${realm}`
  const keys = await keysBelow(redis, beginning)
  const nameOf = (key: string) =>
    key.replace(`${idOf(`${beginning}:`)}}:`, 'alice ').replace(`${beginning}}:`, '')
  return keys.map((key) => [key, nameOf(key)])
}

/** The time to live of each key of a realm, in seconds, by the name of the key; -1 means no expiry. */
async function lifetimes(realm: string): Promise<Record<string, number>> {
  const found = (await namesOf(realm)).map(async ([key, name]) => [name, await redis.ttl(key)] as const)
  return Object.fromEntries(await Promise.all(found))
}

/** Less what has passed since NOW: twice that, where a key gets twice the time that is left. Redis rounds seconds. */
const about = (seconds: number) =>
  expect.toSatisfy((ttl) => ttl <= seconds + 1 && ttl >= seconds - 2 - 2 * (Date.now() / 1000 - NOW))

describe('lifetimes', () => {
  it('all keys expire, except those of clients, their documents, consents, signing keys and sets of tags', async () => {
    await fill(storage('fill'))
    const forGrants = about(2 * HOUR)
    const forSessions = about(LATER - NOW + WEEK)
    const found = await lifetimes('fill')
    expect(found).toEqual({
      'client:app': -1,
      clients: -1,
      'document:https://app.example/client.json': -1,
      documents: -1,
      'documents-by-end': -1,
      'alice consents:["alice","app"]': -1,
      'alice consenting:alice': -1,
      'alice consenting-to:app': -1,
      keys: -1,
      'tags-of-grants': -1,
      'tags-of-sessions': -1,
      'tags-of-revoked': -1,
      [`alice grant:${idOf('g')}`]: forGrants,
      [`alice code:${idOf('g-code')}`]: forGrants,
      [`alice token:${idOf('t1')}`]: forGrants,
      [`alice token:${idOf('t2')}`]: forGrants,
      'alice grants-by-end': forGrants,
      'alice grants-of-user:alice': forGrants,
      [`alice spent-of:${idOf('g')}`]: forGrants,
      [`alice grants-of-session:${idOf('s')}`]: forGrants,
      [`alice session:${idOf('h')}`]: forSessions,
      [`alice sid:${idOf('s')}`]: forSessions,
      'alice sessions-by-end': forSessions,
      'alice sessions-of:alice': forSessions,
      [`alice revoked:${idOf('g')}.j`]: about(2 * HOUR),
      'alice revoked-by-end': about(2 * HOUR),
      'pending:p': about(2 * HOUR),
      'pending-by-end': about(2 * HOUR),
      'revoked:j': about(2 * HOUR),
      'revoked-by-end': about(2 * HOUR),
      'replay:r': about(2 * HOUR),
      deliveries: about(WEEK),
      'deliveries-due': about(WEEK),
      [`throttle:["127.0.0.1",60,${Math.floor(NOW / 60)}]`]: about(120 - (NOW % 60)),
    })
  })

  it('purge, forget, take and settle leave only keys without expiry', async () => {
    const store = storage('empty')
    await fill(store)
    await store.sessions.end(idOf('s'), NOW, 30)
    await store.sessions.forget(idOf('s'))
    await store.pending.take('p')
    await store.logouts.settle('d', null)
    expect(await store.purge(LATER + 1)).toBe(4)
    expect(await store.purge(LATER + 1)).toBe(0)
    const left = Object.entries(await lifetimes('empty')).flatMap(([key, ttl]) => (ttl === -1 ? [] : key))
    expect(left.sort()).toEqual(['replay:r', expect.stringContaining('throttle:')])
  })

  it('the codes, tokens and indexes of a renewed grant live as long as the grant', async () => {
    const { grants } = storage('renewed')
    await grants.create(grant(), code(idOf('g')))
    const renew = (n: number, grant_expires_at: number) =>
      grants.rotateRefreshToken(
        idOf(`t${n}`),
        { refresh_token: refreshToken(idOf(`t${n + 1}`)), grant_expires_at },
        NOW,
      )
    const ofAlice = async () =>
      Object.entries(await lifetimes('renewed')).filter(([name]) => name.startsWith('alice '))
    await grants.redeemCode(idOf('g-code'), redemption(refreshToken(idOf('t0'))), NOW)
    for (const [name, ttl] of await ofAlice()) expect(ttl, name).toEqual(about(2 * HOUR))
    // The first time it needs more time, it gets twice that; no old key is touched until that time is used up.
    for (const [n, hours, kept] of [
      [0, 10, 22],
      [1, 15, 22],
      [2, 20.5, 22],
      [3, 22, 46],
      [4, 1, 46],
    ] as const) {
      await renew(n, NOW + hours * HOUR)
      const found = await ofAlice()
      for (const [name, ttl] of found) expect(ttl, name).toEqual(about(kept * HOUR))
      expect(found.filter(([name]) => name.startsWith('alice token:'))).toHaveLength(n + 2)
    }
    expect(await grants.find(idOf('g'))).toMatchObject({ expires_at: NOW + HOUR })
  })

  it('an index lives as long as its longest record, also when a shorter one is added later', async () => {
    const { pending: requests, revoked_tokens, sessions } = storage('shorter')
    for (const hours of [10, 1, 5]) {
      const expires_at = NOW + hours * HOUR
      await requests.put({ ...pending(expires_at), pending_hash: `p${hours}` })
      await revoked_tokens.add(`j${hours}`, expires_at)
      await sessions.create(session({ sid: idOf(`s${hours}`), session_hash: idOf(`h${hours}`), expires_at }))
    }
    const forSessions = about(10 * HOUR + WEEK)
    expect(await lifetimes('shorter')).toMatchObject({
      'pending-by-end': about(11 * HOUR),
      'revoked-by-end': about(11 * HOUR),
      'alice sessions-by-end': forSessions,
      'alice sessions-of:alice': forSessions,
      'pending:p1': about(2 * HOUR),
      'pending:p5': about(6 * HOUR),
    })
  })

  it("no key expires early when core's clock is far behind", async () => {
    const { grants, pending: requests, revoked_tokens, sessions, throttle, replays } = storage('behind')
    const then = 1_000_000_000
    await requests.put(pending(then + 600))
    await revoked_tokens.add('j', then + 600)
    await sessions.create(session({ expires_at: then + 600 }))
    await grants.create(grant({ expires_at: then + 600 }), code(idOf('g')))
    await grants.redeemCode(idOf('g-code'), redemption(refreshToken(idOf('t')), then + 700), then)
    for (const hits of [1, 2]) expect(await throttle.hit('a', 60, then)).toBe(hits)
    for (const claimed of [true, false]) expect(await replays.claim('r', then + 9000, then)).toBe(claimed)
    expect(await requests.find('p')).not.toBeNull()
    expect(await revoked_tokens.has('j')).toBe(true)
    expect(await sessions.find(idOf('h'))).not.toBeNull()
    expect(await grants.findCode(idOf('g-code'))).not.toBeNull()
    expect(await grants.findRefreshToken(idOf('t'))).not.toBeNull()
    const found = await lifetimes('behind')
    const expiring = Object.entries(found).filter(([name]) => !name.startsWith('tags-of-'))
    for (const [name, ttl] of expiring) expect(ttl, name).toBeGreaterThan(60)
    expect(found['replay:r']).toBeGreaterThan(9000)
  })
})

describe('records that Redis has expired', () => {
  async function forget(realm: string, ...forgotten: string[]) {
    const keys = (await namesOf(realm)).flatMap(([key, name]) => (forgotten.includes(name) ? key : []))
    expect(keys).toHaveLength(forgotten.length)
    await redis.unlink(keys)
  }

  it('are removed from the indexes when others are added, without a purge', async () => {
    const { grants, sessions, pending: requests } = storage('indexes')
    const many = Array.from({ length: 50 }, (_, n) => `${n}`)
    for (const n of many) {
      const id = idOf(n)
      await sessions.create(session({ sid: id, session_hash: id }))
      await grants.create(grant({ grant_id: id }), code(id))
      await requests.put({ ...pending(LATER), pending_hash: n })
      const ofAlice = [`session:${id}`, `sid:${id}`, `grant:${id}`, `code:${idOf(`${n}-code`)}`]
      await forget('indexes', ...ofAlice.map((name) => `alice ${name}`), `pending:${n}`)
    }
    const left = (await namesOf('indexes')).filter(([, name]) => !name.startsWith('tags-of-'))
    expect(left.map(([, name]) => name).sort()).toEqual([
      'alice grants-by-end',
      `alice grants-of-session:${idOf('s')}`,
      'alice grants-of-user:alice',
      'alice sessions-by-end',
      'alice sessions-of:alice',
      'pending-by-end',
    ])
    for (const [key, name] of left) expect(await redis.zcard(key), name).toBeLessThanOrEqual(2)
  })

  it('are in no list', async () => {
    const { grants, sessions } = storage('lists')
    for (const n of ['1', '2', '3', '4']) {
      const id = idOf(n)
      await sessions.create(session({ sid: id, session_hash: id, expires_at: NOW }))
      await grants.create(grant({ grant_id: id }), code(id))
    }
    const gone = ['1', '2'].flatMap((n) => [`alice session:${idOf(n)}`, `alice grant:${idOf(n)}`])
    await forget('lists', ...gone)
    const kept = ['3', '4'].map((n) => session({ sid: idOf(n), session_hash: idOf(n), expires_at: NOW }))
    expect(await sessions.expired(NOW, 2)).toEqual(kept)
    expect(await sessions.list('alice')).toEqual(kept)
    expect(await sessions.end(idOf('1'), NOW, 30)).toBeNull()
    expect(await sessions.join(idOf('2'), 'app')).toBe(false)
    expect(await grants.findCode(idOf('1-code'))).toBeNull()
    expect(await grants.redeemCode(idOf('1-code'), redemption(null), NOW)).toBe(false)
    expect(await grants.revoke({ sid: idOf('s') }, NOW)).toBe(2)
    const index = (await namesOf('lists')).find(([, name]) => name === `alice grants-of-session:${idOf('s')}`)
    expect(await redis.zcard(index?.[0] ?? '')).toBe(2)
  })
})
