import { expect } from 'vitest'
import {
  claimOf,
  client,
  code,
  consent,
  delivery,
  grant,
  LATER,
  NOW,
  pendingAuthorization,
  pendingConsent,
  refreshToken,
  session,
  signingKey,
} from './records.js'
import type { Rules } from './rule.js'

/** Changes every text, number and list of a record, in place. */
function spoil(record: object | null): void {
  for (const [name, value] of Object.entries(record ?? {})) {
    if (typeof value === 'object' && value !== null) spoil(value)
    else Reflect.set(record ?? {}, name, typeof value === 'number' ? 1 : 'spoiled')
  }
  if (Array.isArray(record)) record.push('spoiled')
}

/** Passes a record to the store, and changes it afterwards. */
async function handOver<T extends object>(record: T, write: (given: T) => Promise<unknown>): Promise<void> {
  const given = structuredClone(record)
  await write(given)
  spoil(given)
}

/** Changes a record that was read; the next read must not see the change. */
async function readsAs(read: () => Promise<object | null>, expected: unknown): Promise<void> {
  spoil(await read())
  expect(await read()).toEqual(expected)
}

export function copyRules({ rule }: Rules): void {
  rule('clients: changes of a record by the caller do not reach the store', async ({ store, id }) => {
    const { clients } = store
    await handOver(client(id('a')), (given) => clients.create(given))
    await readsAs(() => clients.find(id('a')), client(id('a')))
    await handOver(client(id('a'), { grant_types: ['b'] }), (given) => clients.update(given))
    await readsAs(() => clients.find(id('a')), client(id('a'), { grant_types: ['b'] }))
    await readsAs(() => clients.list({ limit: 9 }), [client(id('a'), { grant_types: ['b'] })])
  })

  rule('consents: changes of a record by the caller do not reach the store', async ({ store, id }) => {
    const row = { sub: id('sub'), client_id: id('a'), resource: 'https://a.example/', scopes: ['openid'] }
    const approval = { ...row, approved: [{ resource: row.resource, scopes: ['openid'] }] }
    await handOver(approval, (given) => store.consents.merge(given, NOW))
    await readsAs(() => store.consents.find(row.sub, row.client_id, [row.resource]), [consent(row)])
    await readsAs(() => store.consents.list(row.sub), [consent(row)])
  })

  rule('grants: changes of a record by the caller do not reach the store', async ({ store, id }) => {
    const { grants } = store
    const record = grant(id('a'))
    const its = code(id('a'))
    const first = { refresh_token: refreshToken(id('a'), id('t1')), grant_expires_at: LATER }
    const second = { refresh_token: refreshToken(id('a'), id('t2')), grant_expires_at: LATER }
    await handOver({ record, its }, (given) => grants.create(given.record, given.its))
    await readsAs(() => grants.find(id('a')), record)
    await readsAs(() => grants.findCode(its.code_hash), { code: its, grant: record })
    await handOver(first, (next) => grants.redeemCode(its.code_hash, next, NOW))
    await readsAs(() => grants.findRefreshToken(id('t1')), {
      refresh_token: first.refresh_token,
      grant: record,
    })
    await handOver(second, (next) => grants.rotateRefreshToken(id('t1'), next, NOW))
    await readsAs(() => grants.findRefreshToken(id('t2')), {
      refresh_token: second.refresh_token,
      grant: record,
    })
  })

  rule('sessions: changes of a record by the caller do not reach the store', async ({ store, id }) => {
    const { sessions } = store
    const record = session(id('a'), { client_ids: ['one'] })
    await handOver(record, (given) => sessions.create(given))
    await readsAs(() => sessions.find(record.session_hash), record)
    await readsAs(() => sessions.list(record.sub), [record])
    await readsAs(() => sessions.expired(LATER, 9), [record])
  })

  rule('pending: changes of a record by the caller do not reach the store', async ({ store, id }) => {
    for (const record of [pendingAuthorization(id('a')), pendingConsent(id('b'))]) {
      await handOver(record, (given) => store.pending.put(given))
      await readsAs(() => store.pending.find(record.pending_hash), record)
    }
  })

  rule('keys: changes of a record by the caller do not reach the store', async ({ store, id }) => {
    const one = signingKey(id('a'))
    const two = signingKey(id('b'), NOW + 1)
    await handOver(signingKey(id('a')), (given) => store.keys.ensure(given))
    await readsAs(() => store.keys.ensure(two), [one])
    await handOver(signingKey(id('b'), NOW + 1), (given) => store.keys.add(given))
    await readsAs(() => store.keys.list(), [one, two])
  })

  rule('logouts: changes of a record by the caller do not reach the store', async ({ store, id }) => {
    const { logouts } = store
    await handOver([delivery(id('a'))], (given) => logouts.add(given))
    spoil(await logouts.claim(claimOf(NOW, 30, 9)))
    expect(await logouts.claim(claimOf(NOW + 30, 30, 9))).toEqual([
      delivery(id('a'), { attempts: 2, next_attempt_at: NOW + 60 }),
    ])
  })
}
