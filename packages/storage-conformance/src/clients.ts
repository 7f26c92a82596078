import type { RealmStorage } from '@ostiary/core'
import { expect } from 'vitest'
import { bareClient, client, LATER, LONG_TEXT, NOW, ODD_LIST } from './records.js'
import { drain, parallel, type Rules, winnersOf } from './rule.js'

export function clientRules({ rule }: Rules): void {
  rule('create: a client is found exactly as it was stored', async ({ store, id }) => {
    const records = [
      client(id('full')),
      client(id('long'), { client_name: LONG_TEXT, redirect_uris: ODD_LIST }),
      client(id('revoked'), { revoked_at: NOW }),
      client(id('unused'), { expires_at: LATER }),
      bareClient(id('bare')),
      client(id('keys'), { jwks: { keys: [] }, token_endpoint_auth_method: 'private_key_jwt' }),
      client(id('empty'), { default_scopes: [], optional_scopes: [] }),
      client(id('unbound'), {
        dpop_bound_access_tokens: false,
        require_pushed_authorization_requests: false,
      }),
      ...(['RS256', 'ES256', 'PS256', 'EdDSA'] as const).map((alg) =>
        client(id(alg), { id_token_signed_response_alg: alg }),
      ),
    ]
    for (const record of records) expect(await store.clients.create(record)).toBe(true)
    for (const record of records) expect(await store.clients.find(record.client_id)).toEqual(record)
  })

  rule('find: null for an unknown id with any text', async ({ store, id }) => {
    await store.clients.create(client(id('known')))
    for (const unknown of [id('unknown'), id('know'), id('KNOWN'), `${id('known')} `, ...ODD_LIST]) {
      expect(await store.clients.find(unknown)).toBeNull()
    }
  })

  rule('create: false when the id is taken, and the first client stays', async ({ store, id }) => {
    const first = client(id('a'))
    await store.clients.create(first)
    expect(await store.clients.create(bareClient(id('a')))).toBe(false)
    expect(await store.clients.find(id('a'))).toEqual(first)
    await store.clients.revoke(id('a'), NOW)
    expect(await store.clients.create(bareClient(id('a')))).toBe(false)
  })

  rule(
    'create, update: a name or kid that PostgreSQL cannot hold is refused, and nothing is stored',
    async (context) => {
      const { clients } = context.store
      const known = client(context.id('known'))
      await clients.create(known)
      for (const text of ['\uD800', 'x\uDC00y', 'x\0y']) {
        for (const changes of [{ client_name: text }, { jwks: { keys: [{ kty: 'EC' }, { kid: text }] } }]) {
          await expect(clients.create(client(context.id('a'), changes))).rejects.toThrow(TypeError)
          await expect(clients.update({ ...known, ...changes })).rejects.toThrow(TypeError)
        }
      }
      expect(await clients.find(context.id('a'))).toBeNull()
      expect(await clients.find(context.id('known'))).toEqual(known)
    },
  )

  rule(
    'create, update: a client of a metadata document is refused, and nothing is stored',
    async (context) => {
      const { clients } = context.store
      const known = client(context.id('known'))
      const origin = 'metadata_document'
      await clients.create(known)
      await expect(clients.create(client(context.id('a'), { origin }))).rejects.toThrow(TypeError)
      await expect(clients.update({ ...known, origin })).rejects.toThrow(TypeError)
      await expect(clients.update({ ...known, origin }, known)).rejects.toThrow(TypeError)
      expect(await clients.find(context.id('a'))).toBeNull()
      expect(await clients.find(context.id('known'))).toEqual(known)
    },
  )

  rule('create: one of 50 parallel callers wins, and its client is stored', async ({ store, id }) => {
    const results = await parallel(50, (caller) =>
      store.clients.create(client(id('a'), { client_name: `${caller}` })),
    )
    const winners = winnersOf(results)
    expect(winners).toHaveLength(1)
    expect(await store.clients.find(id('a'))).toMatchObject({ client_name: `${winners[0]}` })
  })

  rule('update: replaces the record, and leaves others', async ({ store, id }) => {
    const bystander = client(id('b'))
    await store.clients.create(client(id('a')))
    await store.clients.create(bystander)
    for (const next of [bareClient(id('a')), client(id('a'), { default_scopes: [] }), client(id('a'))]) {
      expect(await store.clients.update(next)).toBe(true)
      expect(await store.clients.find(id('a'))).toEqual(next)
    }
    expect(await store.clients.find(id('b'))).toEqual(bystander)
  })

  rule('update: leaves expires_at as it is', async ({ store, id }) => {
    await store.clients.create(client(id('a'), { expires_at: LATER }))
    expect(await store.clients.update(bareClient(id('a')))).toBe(true)
    expect(await store.clients.find(id('a'))).toEqual({ ...bareClient(id('a')), expires_at: LATER })
  })

  rule('setSecret: replaces the hash only; false for a revoked or unknown client', async ({ store, id }) => {
    for (const name of ['a', 'b', 'revoked']) await store.clients.create(client(id(name)))
    await store.clients.revoke(id('revoked'), NOW)
    expect(await store.clients.setSecret(id('a'), 'another')).toBe(true)
    expect(await store.clients.setSecret(id('revoked'), 'another')).toBe(false)
    expect(await store.clients.setSecret(id('none'), 'another')).toBe(false)
    expect(await store.clients.find(id('a'))).toEqual(client(id('a'), { client_secret_hash: 'another' }))
    expect(await store.clients.find(id('b'))).toEqual(client(id('b')))
    expect(await store.clients.find(id('revoked'))).toEqual(client(id('revoked'), { revoked_at: NOW }))
    expect(await store.clients.find(id('none'))).toBeNull()
  })

  rule('keep: the client no longer expires', async ({ store, id }) => {
    for (const name of ['a', 'b']) await store.clients.create(client(id(name), { expires_at: NOW - 1 }))
    expect(await store.clients.keep(id('a'))).toBe(true)
    expect(await store.clients.keep(id('a'))).toBe(true)
    expect(await store.clients.keep(id('none'))).toBe(false)
    await drain(store, NOW)
    expect(await store.clients.find(id('a'))).toEqual(client(id('a')))
    expect(await store.clients.find(id('b'))).toBeNull()
    expect((await store.clients.list({ limit: 10 })).map(({ client_id }) => client_id)).toEqual([id('a')])
    expect(await store.clients.keep(id('b'))).toBe(false)
  })

  rule('keep: false for a revoked client, which still expires', async ({ store, id }) => {
    await store.clients.create(client(id('a'), { expires_at: LATER }))
    await store.clients.revoke(id('a'), NOW)
    expect(await store.clients.keep(id('a'))).toBe(false)
    expect(await store.clients.find(id('a'))).toMatchObject({ expires_at: LATER, revoked_at: NOW })
  })

  rule('update: leaves revoked_at as it is', async ({ store, id }) => {
    await store.clients.create(client(id('a')))
    expect(await store.clients.update({ ...bareClient(id('a')), revoked_at: NOW })).toBe(true)
    expect(await store.clients.find(id('a'))).toEqual(bareClient(id('a')))
    await store.clients.revoke(id('a'), NOW)
    expect(await store.clients.update(client(id('a')))).toBe(true)
    expect(await store.clients.find(id('a'))).toEqual(client(id('a'), { revoked_at: NOW }))
  })

  rule('update: a concurrent revocation is not lost', async ({ store, id }) => {
    await store.clients.create(client(id('a')))
    await parallel(50, (caller) =>
      caller === 25 ? store.clients.revoke(id('a'), NOW) : store.clients.update(client(id('a'))),
    )
    expect(await store.clients.find(id('a'))).toMatchObject({ revoked_at: NOW })
  })

  rule('update: false when there is no such client, and none is created', async ({ store, id }) => {
    expect(await store.clients.update(client(id('a')))).toBe(false)
    expect(await store.clients.find(id('a'))).toBeNull()
  })

  rule('revoke: sets revoked_at once', async ({ store, id }) => {
    const record = client(id('a'))
    const bystander = client(id('b'))
    await store.clients.create(record)
    await store.clients.create(bystander)
    expect(await store.clients.revoke(id('a'), NOW)).toBe(true)
    expect(await store.clients.revoke(id('a'), NOW + 9)).toBe(false)
    expect(await store.clients.find(id('a'))).toEqual({ ...record, revoked_at: NOW })
    expect(await store.clients.find(id('b'))).toEqual(bystander)
  })

  rule('revoke: false for an unknown client', async ({ store, id }) => {
    expect(await store.clients.revoke(id('a'), NOW)).toBe(false)
    expect(await store.clients.find(id('a'))).toBeNull()
  })

  rule('revoke: one of 50 parallel callers wins', async ({ store, id }) => {
    await store.clients.create(client(id('a')))
    const winners = winnersOf(await parallel(50, (caller) => store.clients.revoke(id('a'), NOW + caller)))
    expect(winners).toHaveLength(1)
    expect(await store.clients.find(id('a'))).toMatchObject({ revoked_at: NOW + (winners[0] ?? 0) })
  })

  rule('list: an empty realm has no clients', async ({ store, id }) => {
    expect(await store.clients.list({ limit: 10 })).toEqual([])
    expect(await store.clients.list({ after: id('a'), limit: 10 })).toEqual([])
  })

  rule(
    'list: in the order of client_id, after the given one, with revoked clients',
    async ({ store, id }) => {
      const records = ['c', 'a', 'e', 'b', 'd'].map((name) => client(id(name)))
      for (const record of records) await store.clients.create(record)
      await store.clients.revoke(id('d'), NOW)
      const [a, b, c, d, e] = records
        .map((record) => (record.client_id === id('d') ? { ...record, revoked_at: NOW } : record))
        .sort((a, b) => (a.client_id < b.client_id ? -1 : 1))
      expect(await store.clients.list({ limit: 10 })).toEqual([a, b, c, d, e])
      expect(await store.clients.list({ limit: 2 })).toEqual([a, b])
      expect(await store.clients.list({ after: id('b'), limit: 2 })).toEqual([c, d])
      expect(await store.clients.list({ after: id('d'), limit: 2 })).toEqual([e])
      expect(await store.clients.list({ after: id('e'), limit: 2 })).toEqual([])
      expect(await store.clients.list({ after: id('bb'), limit: 1 })).toEqual([c])
    },
  )

  rule('list: page by page, each client is listed exactly once', async ({ store, id }) => {
    const ids = ['A', 'a', 'B', 'b', 'a-b', 'a_b', 'a.b', 'ab', 'é', 'z', 'Z', '1', '10', '2'].map(id)
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
