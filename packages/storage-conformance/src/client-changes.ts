import { type Client, isTombstone } from '@ostiary/core'
import { expect } from 'vitest'
import { bareClient, client, LATER, LONG_AGO, NOW } from './records.js'
import { drain, parallel, type Rules, winnersOf } from './rule.js'

/** The tombstone of a deleted client: it expires, but has not registered itself. */
const tombstone = (client_id: string, changes: Partial<Client> = {}): Client => ({
  ...bareClient(client_id),
  revoked_at: NOW,
  expires_at: LATER,
  not_before: LATER - 1,
  ...changes,
})

export function clientChangeRules({ rule }: Rules): void {
  rule(
    'update with expected: replaces the record only if every field is as expected',
    async ({ store, key }) => {
      const stored = client(key('a'))
      const next = client(key('a'), { client_name: 'next' })
      await store.clients.create(stored)
      const outdated: Partial<Client>[] = [
        { client_name: 'other' },
        { client_secret_hash: 'other' },
        { client_secret_hash: null },
        { redirect_uris: [] },
        { redirect_uris: [...stored.redirect_uris].reverse() },
        { default_scopes: null },
        { trusted: true },
        { origin: 'operator' },
        { jwks: null },
        { jwks: { keys: [] } },
        { jwks: { keys: [...(stored.jwks?.keys ?? []), { kty: 'EC' }] } },
        { jwks_uri: null },
        { jwks_uri: 'https://other.example/' },
        { token_endpoint_auth_signing_alg: null },
        { token_endpoint_auth_signing_alg: 'RS256' },
        { id_token_signed_response_alg: null },
        { id_token_signed_response_alg: 'RS256' },
        { dpop_bound_access_tokens: null },
        { dpop_bound_access_tokens: false },
        { require_pushed_authorization_requests: null },
        { require_pushed_authorization_requests: false },
        { revoked_at: NOW },
        { expires_at: NOW },
        { not_before: NOW },
      ]
      for (const changes of outdated) {
        expect(await store.clients.update(next, { ...stored, ...changes })).toBe(false)
        expect(await store.clients.find(key('a'))).toEqual(stored)
      }
      expect(await store.clients.update(next, stored)).toBe(true)
      expect(await store.clients.find(key('a'))).toEqual(next)
      expect(await store.clients.update(bareClient(key('a')), next)).toBe(true)
      expect(await store.clients.update(next, bareClient(key('a')))).toBe(true)
      expect(await store.clients.update(client(key('none')), client(key('none')))).toBe(false)
      expect(await store.clients.find(key('none'))).toBeNull()
    },
  )

  rule('update with expected: a new secret or a revocation since then is noticed', async ({ store, key }) => {
    const stored = client(key('a'))
    await store.clients.create(stored)
    await store.clients.setSecret(key('a'), 'another')
    expect(await store.clients.update(client(key('a'), { trusted: true }), stored)).toBe(false)
    const rotated = { ...stored, client_secret_hash: 'another' }
    expect(await store.clients.update({ ...rotated, trusted: true }, rotated)).toBe(true)
    await store.clients.revoke(key('a'), NOW)
    expect(await store.clients.update(rotated, { ...rotated, trusted: true })).toBe(false)
    const revoked = { ...rotated, trusted: true, revoked_at: NOW }
    expect(await store.clients.find(key('a'))).toEqual(revoked)
    expect(await store.clients.update(rotated, revoked)).toBe(true)
    expect(await store.clients.find(key('a'))).toEqual({ ...rotated, revoked_at: NOW })
  })

  rule('update with expected: one of 50 parallel callers wins', async ({ store, key }) => {
    const stored = client(key('a'))
    await store.clients.create(stored)
    const update = (caller: number) =>
      store.clients.update(client(key('a'), { client_name: `${caller}` }), stored)
    const winners = winnersOf(await parallel(50, update))
    expect(winners).toHaveLength(1)
    expect(await store.clients.find(key('a'))).toMatchObject({ client_name: `${winners[0]}` })
  })
}

export function clientDeletionRules({ rule }: Rules): void {
  rule('delete: the tombstone replaces the record, and its id stays taken', async ({ store, key }) => {
    const bystander = client(key('b'))
    await store.clients.create(client(key('a'), { expires_at: LATER }))
    await store.clients.create(bystander)
    expect(await store.clients.delete(tombstone(key('a')))).toBe(true)
    const found = await store.clients.find(key('a'))
    expect(found).toEqual(tombstone(key('a')))
    expect(found && isTombstone(found)).toBe(true)
    expect(await store.clients.create(client(key('a')))).toBe(false)
    expect(await store.clients.keep(key('a'))).toBe(false)
    expect(await store.clients.setSecret(key('a'), 'another')).toBe(false)
    expect(await store.clients.revoke(key('a'), NOW + 1)).toBe(false)
    expect(await store.clients.find(key('a'))).toEqual(tombstone(key('a')))
    expect(await store.clients.list({ limit: 10 })).toEqual([bystander])
    expect(await store.clients.list({ limit: 1 })).toEqual([bystander])
  })

  rule('delete: a revoked client too; false for a tombstone and for an unknown client', async (context) => {
    const { store, key } = context
    await store.clients.create(client(key('a')))
    await store.clients.revoke(key('a'), NOW - 9)
    expect(await store.clients.delete(tombstone(key('a')))).toBe(true)
    expect(await store.clients.delete(tombstone(key('a'), { expires_at: LATER + 9 }))).toBe(false)
    expect(await store.clients.find(key('a'))).toEqual(tombstone(key('a')))
    expect(await store.clients.delete(tombstone(key('none')))).toBe(false)
    expect(await store.clients.find(key('none'))).toBeNull()
  })

  rule('delete: one of 50 parallel callers wins, also beside updates', async ({ store, key }) => {
    await store.clients.create(client(key('a')))
    const results = await parallel(50, (caller) =>
      caller % 5 === 0
        ? store.clients.update(client(key('a')), client(key('a'))).then(() => false)
        : store.clients.delete(tombstone(key('a'), { revoked_at: NOW + caller })),
    )
    const winners = winnersOf(results)
    expect(winners).toHaveLength(1)
    expect(await store.clients.find(key('a'))).toEqual(
      tombstone(key('a'), { revoked_at: NOW + (winners[0] ?? 0) }),
    )
  })

  rule('deleted, forget: tombstones that are over, which purge leaves', async ({ store, key }) => {
    for (const name of ['over', 'later', 'live']) await store.clients.create(client(key(name)))
    await store.clients.create(client(key('unused'), { expires_at: LONG_AGO }))
    await store.clients.create(client(key('revoked'), { expires_at: LONG_AGO, revoked_at: LONG_AGO }))
    await store.clients.delete(tombstone(key('over'), { expires_at: NOW }))
    await store.clients.delete(tombstone(key('later')))
    expect(await store.clients.deleted(NOW - 1, 10)).toEqual([])
    expect(await store.clients.deleted(NOW, 10)).toEqual([tombstone(key('over'), { expires_at: NOW })])
    await drain(store, LATER)
    expect(await store.clients.find(key('over'))).not.toBeNull()
    for (const name of ['unused', 'revoked']) expect(await store.clients.find(key(name))).toBeNull()

    for (const name of ['over', 'later', 'live', 'none']) await store.clients.forget(key(name), NOW)
    expect(await store.clients.find(key('over'))).toBeNull()
    expect(await store.clients.find(key('later'))).toEqual(tombstone(key('later')))
    expect(await store.clients.find(key('live'))).toEqual(client(key('live')))
    expect(await store.clients.deleted(LATER, 10)).toEqual([tombstone(key('later'))])
    expect(await store.clients.deleted(LATER, 0)).toEqual([])

    expect(await store.clients.create(client(key('over'), { client_name: 'new' }))).toBe(true)
    await store.clients.forget(key('over'), LATER)
    expect(await store.clients.find(key('over'))).toEqual(client(key('over'), { client_name: 'new' }))
    expect((await store.clients.list({ limit: 10 })).map(({ client_id }) => client_id).sort()).toEqual(
      [key('live'), key('over')].sort(),
    )
  })
}
