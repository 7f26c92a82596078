import { expect } from 'vitest'
import {
  claimOf,
  client,
  code,
  consent,
  delivery,
  grant,
  LATER,
  LONG_AGO,
  NOW,
  pendingConsent,
  redemption,
  refreshToken,
  session,
  signingKey,
} from './records.js'
import { drain, parallel, type Rules } from './rule.js'

const MINUTE_SECONDS = 60
const DAY_SECONDS = 86_400

/** A storage may have deleted expired records by itself; `purge` must count the others. */
const countPresent = (found: unknown[]): number =>
  found.filter((record) => record !== null && record !== false).length

export function purgeRules({ rule }: Rules): void {
  rule('deletes expired pending records and revoked tokens, and counts them', async ({ store, id }) => {
    const readAll = () =>
      Promise.all([
        ...['a', 'b'].map((name) => store.pending.find(id(name))),
        ...['c', 'd', 'e'].map((name) => store.revoked_tokens.has(id(name))),
      ])
    for (const name of ['a', 'b'])
      await store.pending.put({ ...pendingConsent(id(name)), expires_at: LONG_AGO })
    for (const name of ['c', 'd', 'e']) await store.revoked_tokens.add(id(name), LONG_AGO)
    const left = countPresent(await readAll())
    expect(await drain(store, NOW)).toBeGreaterThanOrEqual(left)
    expect(await readAll()).toEqual([null, null, false, false, false])
  })

  rule('deletes an expired grant with its code and its refresh tokens', async ({ store, id, person }) => {
    const { grants } = store
    const record = grant(id('a'), { sid: id('s'), sub: person() })
    const codeRecord = code(id('a'))
    await grants.create(record, codeRecord)
    const first = redemption(refreshToken(id('a'), id('t1')))
    const last = redemption(refreshToken(id('a'), id('t2')), LONG_AGO)
    await grants.redeemCode(codeRecord.code_hash, first, NOW)
    await grants.rotateRefreshToken(id('t1'), last, NOW)
    const left = countPresent([await grants.find(id('a'))])
    expect(await drain(store, NOW)).toBeGreaterThanOrEqual(left)
    expect(await grants.find(id('a'))).toBeNull()
    expect(await grants.findCode(codeRecord.code_hash)).toBeNull()
    for (const token of ['t1', 't2']) {
      expect(await grants.findRefreshToken(id(token))).toBeNull()
      expect(await grants.rotateRefreshToken(id(token), first, NOW)).toBe(false)
    }
    expect(await grants.redeemCode(codeRecord.code_hash, first, NOW)).toBe(false)
    expect(await grants.revoke({ sid: id('s') }, NOW)).toBe(0)
    expect(await grants.revoke({ sub: person(), client_id: record.client_id }, NOW)).toBe(0)
  })

  rule(
    'deletes an expired grant, and no other grant of its session or user',
    async ({ store, id, person }) => {
      const owner = { sid: id('s'), sub: person() }
      await store.grants.create(grant(id('expired'), { ...owner, expires_at: LONG_AGO }), code(id('expired')))
      await store.grants.create(grant(id('kept'), owner), code(id('kept')))
      await drain(store, NOW)
      expect(await store.grants.find(id('expired'))).toBeNull()
      expect(await store.grants.findCode(id('kept-code'))).toEqual({
        code: code(id('kept')),
        grant: grant(id('kept'), owner),
      })
      expect(await store.grants.revoke({ sid: id('s') }, NOW)).toBe(1)
    },
  )

  rule('keeps expired and spent codes and tokens until their grant expires', async ({ store, id }) => {
    const { grants } = store
    const old = { expires_at: LONG_AGO }
    await grants.create(grant(id('a')), code(id('a'), old))
    await grants.create(grant(id('b')), code(id('b'), old))
    const token = { ...refreshToken(id('a'), id('t')), ...old }
    await grants.redeemCode(id('a-code'), redemption(token), NOW)
    await grants.rotateRefreshToken(id('t'), redemption(null), NOW)
    await drain(store, NOW)
    const redeemed = code(id('a'), { ...old, redeemed_at: NOW })
    expect(await grants.findCode(id('a-code'))).toEqual({ code: redeemed, grant: grant(id('a')) })
    expect(await grants.findCode(id('b-code'))).toEqual({ code: code(id('b'), old), grant: grant(id('b')) })
    expect(await grants.findRefreshToken(id('t'))).toEqual({
      refresh_token: { ...token, spent_at: NOW },
      grant: grant(id('a')),
    })
  })

  rule('keeps the codes and tokens of a renewed grant after its first expiry', async ({ store, id }) => {
    const epochSeconds = () => Math.floor(Date.now() / 1000)
    const { grants } = store
    const soon = epochSeconds() + 2
    const short = grant(id('a'), { expires_at: soon })
    await grants.create(short, code(id('a'), { expires_at: soon }))
    const tokens = ['t1', 't2'].map((name) => ({ ...refreshToken(id('a'), id(name)), expires_at: soon }))
    const [t1 = null, t2 = null] = tokens
    await grants.redeemCode(id('a-code'), redemption(t1, soon), NOW)
    await grants.rotateRefreshToken(id('t1'), redemption(t2, soon), NOW)
    const last = redemption(refreshToken(id('a'), id('t3')))
    expect(await grants.rotateRefreshToken(id('t2'), last, NOW)).toBe(true)
    while (epochSeconds() <= soon) await new Promise((resolve) => setTimeout(resolve, 100))
    await drain(store, epochSeconds())
    const renewed = { ...short, expires_at: LATER }
    expect(await grants.find(id('a'))).toEqual(renewed)
    expect(await grants.findCode(id('a-code'))).toMatchObject({ code: { redeemed_at: NOW }, grant: renewed })
    for (const name of ['t1', 't2', 't3']) {
      expect(await grants.findRefreshToken(id(name))).toMatchObject({ grant: renewed })
    }
    expect(await grants.revoke({ sid: short.sid }, NOW)).toBe(1)
  })

  rule('deletes expired clients, and counts them', async ({ store, id }) => {
    await store.clients.create(client(id('a'), { expires_at: NOW }))
    await store.clients.create(client(id('b'), { expires_at: NOW + 1 }))
    expect(await drain(store, NOW)).toBe(1)
    expect(await store.clients.find(id('a'))).toBeNull()
    expect(await store.clients.list({ limit: 10 })).toEqual([client(id('b'), { expires_at: NOW + 1 })])
  })

  rule('keeps records that have not expired', async ({ store, id, person }) => {
    const sub = person()
    const hit = () => store.throttle.hit(id('a'), 100 * DAY_SECONDS, NOW)
    const row = { sub, client_id: id('a'), resource: 'https://a.example/', scopes: ['openid'] }
    await store.clients.create(client(id('a'), { client_id_issued_at: 1, revoked_at: 2 }))
    await store.consents.merge({ ...row, approved: [row] }, NOW)
    await store.consents.revoke(row, NOW)
    await store.grants.create(grant(id('a'), { revoked_at: 2 }), code(id('a')))
    await store.revoked_tokens.add(id('a'), LATER)
    await store.pending.put(pendingConsent(id('a')))
    await store.keys.add(signingKey(id('a'), 1))
    await store.logouts.add([delivery(id('a'), { created_at: 1, next_attempt_at: LONG_AGO })])
    await hit()
    expect(await store.purge(NOW)).toBe(0)
    expect(await store.clients.find(id('a'))).not.toBeNull()
    expect(await store.consents.list(sub)).toEqual([{ ...consent(row), revoked_at: NOW }])
    expect(await store.grants.findCode(id('a-code'))).not.toBeNull()
    expect(await store.revoked_tokens.has(id('a'))).toBe(true)
    expect(await store.pending.find(id('a'))).toEqual(pendingConsent(id('a')))
    expect(await store.keys.list()).toHaveLength(1)
    expect(await store.logouts.claim(claimOf(NOW, MINUTE_SECONDS, 10))).toHaveLength(1)
    expect(await hit()).toBe(2)
  })

  rule('does not end or delete sessions', async ({ store, id }) => {
    const record = session(id('a'), { expires_at: LONG_AGO })
    await store.sessions.create(record)
    expect(await store.purge(NOW)).toBe(0)
    expect(await store.sessions.expired(NOW, 10)).toEqual([record])
    expect(await store.sessions.end(id('a'), NOW, MINUTE_SECONDS)).toEqual(record)
  })

  rule('deletes any number of records when it is called repeatedly', async ({ store, id }) => {
    await parallel(1500, (n) => store.pending.put({ ...pendingConsent(id(`${n}`)), expires_at: LONG_AGO }))
    await drain(store, NOW)
    const found = await parallel(1500, (n) => store.pending.find(id(`${n}`)))
    expect(countPresent(found)).toBe(0)
  })
}
