import { expect } from 'vitest'
import {
  claimOf,
  client,
  clientDocument,
  code,
  consent,
  delivery,
  grant,
  LATER,
  NOW,
  pendingAuthorization,
  pendingConsent,
  redemption,
  refreshToken,
  session,
  signingKey,
} from './records.js'
import type { Rules } from './rule.js'

/** Changes every text, number and list of a record, in place. */
function overwrite(record: object | null): void {
  for (const [name, value] of Object.entries(record ?? {})) {
    if (typeof value === 'object' && value !== null) overwrite(value)
    else Reflect.set(record ?? {}, name, typeof value === 'number' ? 1 : 'overwritten')
  }
  if (Array.isArray(record)) record.push('overwritten')
}

/** Passes a record to the store, and changes it afterwards. */
async function storeThenChange<T extends object>(
  record: T,
  write: (given: T) => Promise<unknown>,
): Promise<void> {
  const given = structuredClone(record)
  await write(given)
  overwrite(given)
}

/** Changes a record that was read; the next read must not see the change. */
async function expectSeparateCopies(read: () => Promise<object | null>, expected: unknown): Promise<void> {
  overwrite(await read())
  expect(await read()).toEqual(expected)
}

export function copyRules({ rule }: Rules): void {
  rule('clients: changes of a record by the caller do not reach the store', async ({ store, id }) => {
    const { clients } = store
    await storeThenChange(client(id('a')), (given) => clients.create(given))
    await expectSeparateCopies(() => clients.find(id('a')), client(id('a')))
    await storeThenChange(client(id('a'), { grant_types: ['b'] }), (given) => clients.update(given))
    await expectSeparateCopies(() => clients.find(id('a')), client(id('a'), { grant_types: ['b'] }))
    await expectSeparateCopies(() => clients.list({ limit: 9 }), [client(id('a'), { grant_types: ['b'] })])
  })

  rule('client documents: changes of a record by the caller do not reach the store', async (context) => {
    const { store, id } = context
    const documents = store.client_documents
    await storeThenChange(clientDocument(id('a')), (given) => documents.put(given))
    await expectSeparateCopies(() => documents.find(id('a')), clientDocument(id('a')))
    await expectSeparateCopies(() => documents.list({ limit: 9 }), [clientDocument(id('a'))])
  })

  rule('consents: changes of a record by the caller do not reach the store', async ({ store, id }) => {
    const row = { sub: id('sub'), client_id: id('a'), resource: 'https://a.example/', scopes: ['openid'] }
    const approval = { ...row, approved: [{ resource: row.resource, scopes: ['openid'] }] }
    await storeThenChange(approval, (given) => store.consents.merge(given, NOW))
    await expectSeparateCopies(
      () => store.consents.find(row.sub, row.client_id, [row.resource]),
      [consent(row)],
    )
    await expectSeparateCopies(() => store.consents.list(row.sub), [consent(row)])
  })

  rule('grants: changes of a record by the caller do not reach the store', async ({ store, id }) => {
    const { grants } = store
    const record = grant(id('a'))
    const codeRecord = code(id('a'))
    const first = redemption(refreshToken(id('a'), id('t1')))
    const second = redemption(refreshToken(id('a'), id('t2')))
    await storeThenChange({ record, codeRecord }, (given) => grants.create(given.record, given.codeRecord))
    await expectSeparateCopies(() => grants.find(id('a')), record)
    await expectSeparateCopies(() => grants.findCode(codeRecord.code_hash), {
      code: codeRecord,
      grant: record,
    })
    await storeThenChange(first, (next) => grants.redeemCode(codeRecord.code_hash, next, NOW))
    await expectSeparateCopies(() => grants.findRefreshToken(id('t1')), {
      refresh_token: first.refresh_token,
      grant: record,
    })
    await storeThenChange(second, (next) => grants.rotateRefreshToken(id('t1'), next, NOW))
    await expectSeparateCopies(() => grants.findRefreshToken(id('t2')), {
      refresh_token: second.refresh_token,
      grant: record,
    })
  })

  rule('sessions: changes of a record by the caller do not reach the store', async ({ store, id }) => {
    const { sessions } = store
    const record = session(id('a'), { client_ids: ['one'] })
    await storeThenChange(record, (given) => sessions.create(given))
    await expectSeparateCopies(() => sessions.find(record.session_hash), record)
    await expectSeparateCopies(() => sessions.list(record.sub), [record])
    await expectSeparateCopies(() => sessions.expired(LATER, 9), [record])
  })

  rule('pending: changes of a record by the caller do not reach the store', async ({ store, id }) => {
    for (const record of [pendingAuthorization(id('a')), pendingConsent(id('b'))]) {
      await storeThenChange(record, (given) => store.pending.put(given))
      await expectSeparateCopies(() => store.pending.find(record.pending_hash), record)
    }
  })

  rule('keys: changes of a record by the caller do not reach the store', async ({ store, id }) => {
    const first = signingKey(id('a'))
    const second = signingKey(id('b'), NOW + 1)
    await storeThenChange(signingKey(id('a')), (given) => store.keys.ensure(given))
    await expectSeparateCopies(() => store.keys.ensure(second), [first])
    await storeThenChange(signingKey(id('b'), NOW + 1), (given) => store.keys.add(given))
    await expectSeparateCopies(() => store.keys.list(), [first, second])
  })

  rule('logouts: changes of a record by the caller do not reach the store', async ({ store, id }) => {
    const { logouts } = store
    await storeThenChange([delivery(id('a'))], (given) => logouts.add(given))
    overwrite(await logouts.claim(claimOf(NOW, 30, 9)))
    expect(await logouts.claim(claimOf(NOW + 30, 30, 9))).toEqual([
      delivery(id('a'), { attempts: 2, next_attempt_at: NOW + 60 }),
    ])
  })
}
