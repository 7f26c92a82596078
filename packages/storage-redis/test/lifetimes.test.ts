import { afterAll, describe, expect, it } from 'vitest'
import { redisStorage } from '../src/index.js'
import { code, fill, grant, HOUR, LATER, NOW, pending, redemption, refreshToken, session } from './records.js'
import { connect, keysBelow, randomPrefix, removeBelow } from './support.js'

const redis = connect()
const prefix = randomPrefix()
const storage = redisStorage(redis, { prefix })
const WEEK = 7 * 24 * HOUR

afterAll(async () => {
  await removeBelow(redis, prefix)
  redis.disconnect()
})

/** The time to live of each key of a realm, in seconds, by the kind of the key; -1 means no expiry. */
async function lifetimes(realm: string): Promise<Record<string, number>> {
  const root = `${prefix}{${realm}}:`
  const keys = await keysBelow(redis, root)
  const found = keys.map(async (key) => [key.slice(root.length), await redis.ttl(key)] as const)
  return Object.fromEntries(await Promise.all(found))
}

/** Tolerance: a test takes less than a minute, and Redis rounds seconds. */
const about = (seconds: number) => expect.toSatisfy((ttl) => ttl <= seconds + 1 && ttl > seconds - 60)

describe('lifetimes', () => {
  it('all keys expire, except those of clients, their documents, consents and signing keys', async () => {
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
      'consents:["alice","app"]': -1,
      'consenting:alice': -1,
      keys: -1,
      'grant:g': forGrants,
      'code:g-code': forGrants,
      'token:t1': forGrants,
      'token:t2': forGrants,
      'grants-by-end': forGrants,
      'grants-of-user:alice': forGrants,
      'spent-of:g': forGrants,
      'grants-of-session:s': forGrants,
      'session:h': forSessions,
      'sid:s': forSessions,
      'sessions-by-end': forSessions,
      'sessions-of:alice': forSessions,
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
    await store.sessions.end('s', NOW, 30)
    await store.sessions.forget('s')
    await store.pending.take('p')
    await store.logouts.settle('d', null)
    expect(await store.purge(LATER + 1)).toBe(3)
    expect(await store.purge(LATER + 1)).toBe(0)
    const left = Object.entries(await lifetimes('empty')).flatMap(([key, ttl]) => (ttl === -1 ? [] : key))
    expect(left.sort()).toEqual(['replay:r', expect.stringContaining('throttle:')])
  })

  it('the codes, tokens and indexes of a renewed grant live as long as the grant', async () => {
    const { grants } = storage('renewed')
    await grants.create(grant(), code('g'))
    const renew = (n: number, grant_expires_at: number) =>
      grants.rotateRefreshToken(`t${n}`, { refresh_token: refreshToken(`t${n + 1}`), grant_expires_at }, NOW)
    await grants.redeemCode('g-code', redemption(refreshToken('t0')), NOW)
    for (const ttl of Object.values(await lifetimes('renewed'))) expect(ttl).toEqual(about(2 * HOUR))
    // The first time it needs more time, it gets twice that; no old key is touched until that time is used up.
    for (const [n, hours, kept] of [
      [0, 10, 22],
      [1, 15, 22],
      [2, 21, 22],
      [3, 22, 46],
      [4, 1, 46],
    ] as const) {
      await renew(n, NOW + hours * HOUR)
      const found = await lifetimes('renewed')
      for (const ttl of Object.values(found)) expect(ttl).toEqual(about(kept * HOUR))
      expect(Object.keys(found).filter((key) => key.startsWith('token:'))).toHaveLength(n + 2)
    }
    expect(await grants.find('g')).toMatchObject({ expires_at: NOW + HOUR })
  })

  it('an index lives as long as its longest record, also when a shorter one is added later', async () => {
    const { pending: requests, revoked_tokens, sessions } = storage('shorter')
    for (const hours of [10, 1, 5]) {
      const expires_at = NOW + hours * HOUR
      await requests.put({ ...pending(expires_at), pending_hash: `p${hours}` })
      await revoked_tokens.add(`j${hours}`, expires_at)
      await sessions.create(session({ sid: `s${hours}`, session_hash: `h${hours}`, expires_at }))
    }
    const forSessions = about(10 * HOUR + WEEK)
    expect(await lifetimes('shorter')).toMatchObject({
      'pending-by-end': about(11 * HOUR),
      'revoked-by-end': about(11 * HOUR),
      'sessions-by-end': forSessions,
      'sessions-of:alice': forSessions,
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
    await grants.create(grant({ expires_at: then + 600 }), code('g'))
    await grants.redeemCode('g-code', redemption(refreshToken('t'), then + 700), then)
    for (const hits of [1, 2]) expect(await throttle.hit('a', 60, then)).toBe(hits)
    for (const claimed of [true, false]) expect(await replays.claim('r', then + 9000, then)).toBe(claimed)
    expect(await requests.find('p')).not.toBeNull()
    expect(await revoked_tokens.has('j')).toBe(true)
    expect(await sessions.find('h')).not.toBeNull()
    expect(await grants.findCode('g-code')).not.toBeNull()
    expect(await grants.findRefreshToken('t')).not.toBeNull()
    const found = await lifetimes('behind')
    for (const ttl of Object.values(found)) expect(ttl).toBeGreaterThan(60)
    expect(found['replay:r']).toBeGreaterThan(9000)
  })
})

describe('records that Redis has expired', () => {
  const forget = (realm: string, ...keys: string[]) =>
    redis.unlink(keys.map((key) => `${prefix}{${realm}}:${key}`))

  it('are removed from the indexes when others are added, without a purge', async () => {
    const { grants, sessions, pending: requests } = storage('indexes')
    const many = Array.from({ length: 50 }, (_, n) => `${n}`)
    for (const n of many) {
      await sessions.create(session({ sid: n, session_hash: n }))
      await grants.create(grant({ grant_id: n }), code(n))
      await requests.put({ ...pending(LATER), pending_hash: n })
      await forget('indexes', `session:${n}`, `sid:${n}`, `grant:${n}`, `code:${n}-code`, `pending:${n}`)
    }
    for (const index of [
      'sessions-by-end',
      'sessions-of:alice',
      'grants-by-end',
      'grants-of-user:["alice","app"]',
      'grants-of-session:s',
      'pending-by-end',
    ]) {
      expect(await redis.zcard(`${prefix}{indexes}:${index}`), index).toBeLessThanOrEqual(2)
    }
  })

  it('are in no list', async () => {
    const { grants, sessions } = storage('lists')
    for (const n of ['1', '2', '3', '4']) {
      await sessions.create(session({ sid: n, session_hash: n, expires_at: NOW }))
      await grants.create(grant({ grant_id: n }), code(n))
    }
    await forget('lists', 'session:1', 'session:2', 'grant:1', 'grant:2')
    const kept = ['3', '4'].map((n) => session({ sid: n, session_hash: n, expires_at: NOW }))
    expect(await sessions.expired(NOW, 2)).toEqual(kept)
    expect(await sessions.list('alice')).toEqual(kept)
    expect(await sessions.end('1', NOW, 30)).toBeNull()
    expect(await sessions.join('2', 'app')).toBe(false)
    expect(await grants.findCode('1-code')).toBeNull()
    expect(await grants.redeemCode('1-code', redemption(null), NOW)).toBe(false)
    expect(await grants.revoke({ sid: 's' }, NOW)).toBe(2)
    expect(await redis.zcard(`${prefix}{lists}:grants-of-session:s`)).toBe(2)
  })
})
