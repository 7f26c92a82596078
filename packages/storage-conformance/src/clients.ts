import type { RealmStorage } from '@ostiary/core'
import { expect } from 'vitest'
import { bareClient, client, LATER, LONG_TEXT, NOW, ODD_LIST } from './records.js'
import { drain, parallel, type Rules, winnersOf } from './rule.js'

export function clientRules({ rule }: Rules): void {
  rule('create: a client is found exactly as it was stored', async ({ store, key }) => {
    const records = [
      client(key('full')),
      client(key('long'), { client_name: LONG_TEXT, redirect_uris: ODD_LIST }),
      client(key('revoked'), { revoked_at: NOW }),
      client(key('unused'), { expires_at: LATER }),
      client(key('marked'), { not_before: LATER }),
      bareClient(key('bare')),
      client(key('keys'), { jwks: { keys: [] }, token_endpoint_auth_method: 'private_key_jwt' }),
      client(key('empty'), { default_scopes: [], optional_scopes: [] }),
      client(key('unbound'), {
        dpop_bound_access_tokens: false,
        require_pushed_authorization_requests: false,
      }),
      ...(['RS256', 'ES256', 'PS256', 'EdDSA'] as const).map((alg) =>
        client(key(alg), { id_token_signed_response_alg: alg }),
      ),
    ]
    for (const record of records) expect(await store.clients.create(record)).toBe(true)
    for (const record of records) expect(await store.clients.find(record.client_id)).toEqual(record)
  })

  rule('find: null for an unknown id with any text', async ({ store, key }) => {
    await store.clients.create(client(key('known')))
    for (const unknown of [key('unknown'), key('know'), key('KNOWN'), `${key('known')} `, ...ODD_LIST]) {
      expect(await store.clients.find(unknown)).toBeNull()
    }
  })

  rule('create: false when the id is taken, and the first client stays', async ({ store, key }) => {
    const first = client(key('a'))
    await store.clients.create(first)
    expect(await store.clients.create(bareClient(key('a')))).toBe(false)
    expect(await store.clients.find(key('a'))).toEqual(first)
    await store.clients.revoke(key('a'), NOW)
    expect(await store.clients.create(bareClient(key('a')))).toBe(false)
  })

  rule(
    'create, update: a name or kid that PostgreSQL cannot hold is refused, and nothing is stored',
    async (context) => {
      const { clients } = context.store
      const known = client(context.key('known'))
      await clients.create(known)
      for (const text of ['\uD800', 'x\uDC00y', 'x\0y']) {
        for (const changes of [{ client_name: text }, { jwks: { keys: [{ kty: 'EC' }, { kid: text }] } }]) {
          await expect(clients.create(client(context.key('a'), changes))).rejects.toThrow(TypeError)
          await expect(clients.update({ ...known, ...changes })).rejects.toThrow(TypeError)
        }
      }
      expect(await clients.find(context.key('a'))).toBeNull()
      expect(await clients.find(context.key('known'))).toEqual(known)
    },
  )

  rule(
    'create, update: a client of a metadata document is refused, and nothing is stored',
    async (context) => {
      const { clients } = context.store
      const known = client(context.key('known'))
      const origin = 'metadata_document'
      await clients.create(known)
      await expect(clients.create(client(context.key('a'), { origin }))).rejects.toThrow(TypeError)
      await expect(clients.update({ ...known, origin })).rejects.toThrow(TypeError)
      await expect(clients.update({ ...known, origin }, known)).rejects.toThrow(TypeError)
      expect(await clients.find(context.key('a'))).toBeNull()
      expect(await clients.find(context.key('known'))).toEqual(known)
    },
  )

  rule('create: one of 50 parallel callers wins, and its client is stored', async ({ store, key }) => {
    const results = await parallel(50, (caller) =>
      store.clients.create(client(key('a'), { client_name: `${caller}` })),
    )
    const winners = winnersOf(results)
    expect(winners).toHaveLength(1)
    expect(await store.clients.find(key('a'))).toMatchObject({ client_name: `${winners[0]}` })
  })

  rule('update: replaces the record, and leaves others', async ({ store, key }) => {
    const bystander = client(key('b'))
    await store.clients.create(client(key('a')))
    await store.clients.create(bystander)
    for (const next of [bareClient(key('a')), client(key('a'), { default_scopes: [] }), client(key('a'))]) {
      expect(await store.clients.update(next)).toBe(true)
      expect(await store.clients.find(key('a'))).toEqual(next)
    }
    expect(await store.clients.find(key('b'))).toEqual(bystander)
  })

  rule('update: leaves expires_at as it is', async ({ store, key }) => {
    await store.clients.create(client(key('a'), { expires_at: LATER }))
    expect(await store.clients.update(bareClient(key('a')))).toBe(true)
    expect(await store.clients.find(key('a'))).toEqual({ ...bareClient(key('a')), expires_at: LATER })
  })

  rule('setSecret: replaces the hash only; false for a revoked or unknown client', async ({ store, key }) => {
    for (const name of ['a', 'b', 'revoked']) await store.clients.create(client(key(name)))
    await store.clients.revoke(key('revoked'), NOW)
    expect(await store.clients.setSecret(key('a'), 'another')).toBe(true)
    expect(await store.clients.setSecret(key('revoked'), 'another')).toBe(false)
    expect(await store.clients.setSecret(key('none'), 'another')).toBe(false)
    expect(await store.clients.find(key('a'))).toEqual(client(key('a'), { client_secret_hash: 'another' }))
    expect(await store.clients.find(key('b'))).toEqual(client(key('b')))
    expect(await store.clients.find(key('revoked'))).toEqual(client(key('revoked'), { revoked_at: NOW }))
    expect(await store.clients.find(key('none'))).toBeNull()
  })

  rule('keep: the client no longer expires', async ({ store, key }) => {
    for (const name of ['a', 'b']) await store.clients.create(client(key(name), { expires_at: NOW - 1 }))
    expect(await store.clients.keep(key('a'))).toBe(true)
    expect(await store.clients.keep(key('a'))).toBe(true)
    expect(await store.clients.keep(key('none'))).toBe(false)
    await drain(store, NOW)
    expect(await store.clients.find(key('a'))).toEqual(client(key('a')))
    expect(await store.clients.find(key('b'))).toBeNull()
    expect((await store.clients.list({ limit: 10 })).map(({ client_id }) => client_id)).toEqual([key('a')])
    expect(await store.clients.keep(key('b'))).toBe(false)
  })

  rule('keep: false for a revoked client, which still expires', async ({ store, key }) => {
    await store.clients.create(client(key('a'), { expires_at: LATER }))
    await store.clients.revoke(key('a'), NOW)
    expect(await store.clients.keep(key('a'))).toBe(false)
    expect(await store.clients.find(key('a'))).toMatchObject({ expires_at: LATER, revoked_at: NOW })
  })

  rule('update: leaves revoked_at as it is', async ({ store, key }) => {
    await store.clients.create(client(key('a')))
    expect(await store.clients.update({ ...bareClient(key('a')), revoked_at: NOW })).toBe(true)
    expect(await store.clients.find(key('a'))).toEqual(bareClient(key('a')))
    await store.clients.revoke(key('a'), NOW)
    expect(await store.clients.update(client(key('a')))).toBe(true)
    expect(await store.clients.find(key('a'))).toEqual(client(key('a'), { revoked_at: NOW }))
  })

  rule('update: leaves not_before as it is', async ({ store, key }) => {
    await store.clients.create(client(key('a'), { not_before: NOW }))
    expect(await store.clients.update(bareClient(key('a')))).toBe(true)
    expect(await store.clients.find(key('a'))).toEqual({ ...bareClient(key('a')), not_before: NOW })
    await store.clients.create(client(key('b')))
    expect(await store.clients.update(client(key('b'), { not_before: NOW }))).toBe(true)
    expect(await store.clients.find(key('b'))).toEqual(client(key('b')))
  })

  rule('update: a concurrent revocation is not lost', async ({ store, key }) => {
    await store.clients.create(client(key('a')))
    await parallel(50, (caller) =>
      caller === 25 ? store.clients.revoke(key('a'), NOW) : store.clients.update(client(key('a'))),
    )
    expect(await store.clients.find(key('a'))).toMatchObject({ revoked_at: NOW })
  })

  rule('update: false when there is no such client, and none is created', async ({ store, key }) => {
    expect(await store.clients.update(client(key('a')))).toBe(false)
    expect(await store.clients.find(key('a'))).toBeNull()
  })

  rule('revoke: sets revoked_at once', async ({ store, key }) => {
    const record = client(key('a'))
    const bystander = client(key('b'))
    await store.clients.create(record)
    await store.clients.create(bystander)
    expect(await store.clients.revoke(key('a'), NOW)).toBe(true)
    expect(await store.clients.revoke(key('a'), NOW + 9)).toBe(false)
    expect(await store.clients.find(key('a'))).toEqual({ ...record, revoked_at: NOW })
    expect(await store.clients.find(key('b'))).toEqual(bystander)
  })

  rule('revoke: false for an unknown client', async ({ store, key }) => {
    expect(await store.clients.revoke(key('a'), NOW)).toBe(false)
    expect(await store.clients.find(key('a'))).toBeNull()
  })

  rule('revoke: one of 50 parallel callers wins', async ({ store, key }) => {
    await store.clients.create(client(key('a')))
    const winners = winnersOf(await parallel(50, (caller) => store.clients.revoke(key('a'), NOW + caller)))
    expect(winners).toHaveLength(1)
    expect(await store.clients.find(key('a'))).toMatchObject({ revoked_at: NOW + (winners[0] ?? 0) })
  })

  rule('list: an empty realm has no clients', async ({ store, key }) => {
    expect(await store.clients.list({ limit: 10 })).toEqual([])
    expect(await store.clients.list({ after: key('a'), limit: 10 })).toEqual([])
  })

  rule(
    'list: in the order of client_id, after the given one, with revoked clients',
    async ({ store, key }) => {
      const records = ['c', 'a', 'e', 'b', 'd'].map((name) => client(key(name)))
      for (const record of records) await store.clients.create(record)
      await store.clients.revoke(key('d'), NOW)
      const [a, b, c, d, e] = records
        .map((record) => (record.client_id === key('d') ? { ...record, revoked_at: NOW } : record))
        .sort((a, b) => (a.client_id < b.client_id ? -1 : 1))
      expect(await store.clients.list({ limit: 10 })).toEqual([a, b, c, d, e])
      expect(await store.clients.list({ limit: 2 })).toEqual([a, b])
      expect(await store.clients.list({ after: key('b'), limit: 2 })).toEqual([c, d])
      expect(await store.clients.list({ after: key('d'), limit: 2 })).toEqual([e])
      expect(await store.clients.list({ after: key('e'), limit: 2 })).toEqual([])
      expect(await store.clients.list({ after: key('bb'), limit: 1 })).toEqual([c])
    },
  )

  rule('list: page by page, each client is listed exactly once', async ({ store, key }) => {
    const ids = ['A', 'a', 'B', 'b', 'a-b', 'a_b', 'a.b', 'ab', 'é', 'z', 'Z', '1', '10', '2'].map((name) =>
      key(name),
    )
    for (const client_id of ids) await store.clients.create(client(client_id))
    expect((await walk(store, 3)).sort()).toEqual(ids.sort())
  })
}

async function walk(store: RealmStorage, limit: number): Promise<string[]> {
  const seen: string[] = []
  for (let pages = 0; pages < 100; pages += 1) {
    const after = seen.at(-1)
    const page = await store.clients.list(after === undefined ? { limit } : { after, limit })
    if (page.length === 0) break
    seen.push(...page.map(({ client_id }) => client_id))
  }
  return seen
}
