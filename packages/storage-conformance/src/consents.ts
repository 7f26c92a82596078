import type { Consent, ConsentApproval, RealmStorage } from '@ostiary/core'
import { expect } from 'vitest'
import { consent, NOW, ODD_LIST } from './records.js'
import { parallel, type Rules } from './rule.js'

const ONE = 'https://a.example/'
const TWO = 'https://b.example/'
const THREE = 'https://c.example/'
const SUB = 'sub'

const approval = (client_id: string, approved: Record<string, string[]>): ConsentApproval => ({
  sub: SUB,
  client_id,
  approved: Object.entries(approved).map(([resource, scopes]) => ({ resource, scopes })),
})

/** The order of the rows, and of the scopes in a row, is not specified. */
const sorted = (rows: Consent[]): Consent[] =>
  rows
    .map((row) => ({ ...row, scopes: [...row.scopes].sort() }))
    .sort((a, b) =>
      JSON.stringify([a.client_id, a.resource]) < JSON.stringify([b.client_id, b.resource]) ? -1 : 1,
    )

const rowOf = async (store: RealmStorage, client_id: string): Promise<Consent | undefined> =>
  sorted(await store.consents.find(SUB, client_id, [ONE]))[0]

export function consentRules({ rule }: Rules): void {
  rule('merge: makes one row for each resource', async ({ store, id }) => {
    const client_id = id('a')
    await store.consents.merge(approval(client_id, { [ONE]: ['openid', 'a'], [TWO]: [] }), NOW)
    expect(sorted(await store.consents.find(SUB, client_id, [ONE, TWO, THREE]))).toEqual([
      consent({ sub: SUB, client_id, resource: ONE, scopes: ['a', 'openid'] }),
      consent({ sub: SUB, client_id, resource: TWO, scopes: [] }),
    ])
  })

  rule('merge: scopes, resources and ids are stored exactly', async ({ store, id }) => {
    const row = {
      sub: id(ODD_LIST.join()),
      client_id: id(`"',{}`),
      resource: `https://é.example/${'🦉'.repeat(50)}`,
    }
    const approved = [{ resource: row.resource, scopes: ODD_LIST }]
    await store.consents.merge({ sub: row.sub, client_id: row.client_id, approved }, NOW)
    const found = sorted(await store.consents.find(row.sub, row.client_id, [row.resource]))
    expect(found).toEqual([consent({ ...row, scopes: [...ODD_LIST].sort() })])
  })

  rule('find: only rows of these resources, this client and this user', async ({ store, id }) => {
    const client_id = id('a')
    await store.consents.merge(approval(client_id, { [ONE]: ['a'], [TWO]: ['b'] }), NOW)
    const row = consent({ sub: SUB, client_id, resource: TWO, scopes: ['b'] })
    expect(await store.consents.find(SUB, client_id, [TWO])).toEqual([row])
    expect(await store.consents.find(SUB, client_id, [TWO, THREE])).toEqual([row])
    expect(await store.consents.find(SUB, client_id, [THREE])).toEqual([])
    expect(await store.consents.find(SUB, client_id, [])).toEqual([])
    expect(await store.consents.find(SUB, id('b'), [TWO])).toEqual([])
    expect(await store.consents.find('other', client_id, [TWO])).toEqual([])
  })

  rule('merge: adds to a live row, which keeps its created_at', async ({ store, id }) => {
    const client_id = id('a')
    await store.consents.merge(approval(client_id, { [ONE]: ['a', 'b'] }), NOW)
    await store.consents.merge(approval(client_id, { [ONE]: ['c', 'b'] }), NOW + 9)
    const row = consent({ sub: SUB, client_id, resource: ONE, scopes: ['a', 'b', 'c'] })
    expect(await rowOf(store, client_id)).toEqual({ ...row, updated_at: NOW + 9 })
  })

  rule('merge: a revoked row becomes live with the newly approved scopes only', async ({ store, id }) => {
    const client_id = id('a')
    await store.consents.merge(approval(client_id, { [ONE]: ['a', 'b'] }), NOW)
    await store.consents.revoke({ sub: SUB, client_id }, NOW + 5)
    await store.consents.merge(approval(client_id, { [ONE]: ['b', 'c'] }), NOW + 9)
    const row = consent({ sub: SUB, client_id, resource: ONE, scopes: ['b', 'c'] })
    expect(await rowOf(store, client_id)).toEqual({ ...row, updated_at: NOW + 9 })
    await store.consents.merge(approval(client_id, { [ONE]: ['d'] }), NOW + 10)
    expect((await rowOf(store, client_id))?.scopes).toEqual(['b', 'c', 'd'])
  })

  rule('merge: 200 parallel approvals with overlapping scopes lose nothing', async ({ store, id }) => {
    const client_id = id('a')
    const scopes = (caller: number) => [
      `own-${caller}`,
      `shared-${caller % 7}`,
      `shared-${caller % 11}`,
      'openid',
    ]
    await parallel(200, (caller) => {
      const own = scopes(caller)
      // The resources in either order: a storage that locks rows in the given order would deadlock.
      const both = caller % 4 === 1 ? { [ONE]: own, [TWO]: own } : { [TWO]: own, [ONE]: own }
      const approved = caller % 2 ? both : { [ONE]: own }
      return store.consents.merge(approval(client_id, approved), NOW)
    })
    const callers = Array.from({ length: 200 }, (_, caller) => caller)
    const union = (of: number[]) => [...new Set(of.flatMap(scopes))].sort()
    expect(sorted(await store.consents.find(SUB, client_id, [ONE, TWO]))).toEqual([
      consent({ sub: SUB, client_id, resource: ONE, scopes: union(callers) }),
      consent({ sub: SUB, client_id, resource: TWO, scopes: union(callers.filter((caller) => caller % 2)) }),
    ])
  })

  rule('merge: 50 parallel approvals of a revoked row restore no old scope', async ({ store, id }) => {
    const client_id = id('a')
    await store.consents.merge(approval(client_id, { [ONE]: ['old', 's1'] }), NOW)
    await store.consents.revoke({ sub: SUB, client_id, resource: ONE }, NOW)
    await parallel(50, (caller) => store.consents.merge(approval(client_id, { [ONE]: [`s${caller}`] }), NOW))
    const all = Array.from({ length: 50 }, (_, caller) => `s${caller}`).sort()
    expect(await rowOf(store, client_id)).toMatchObject({ scopes: all, revoked_at: null })
  })

  rule('revoke: with a resource, its row only, and only once', async ({ store, id }) => {
    const client_id = id('a')
    await store.consents.merge(approval(client_id, { [ONE]: ['a'], [TWO]: ['b'] }), NOW)
    expect(await store.consents.revoke({ sub: SUB, client_id, resource: ONE }, NOW + 1)).toBe(1)
    expect(await store.consents.revoke({ sub: SUB, client_id, resource: ONE }, NOW + 2)).toBe(0)
    expect(sorted(await store.consents.find(SUB, client_id, [ONE, TWO]))).toEqual([
      { ...consent({ sub: SUB, client_id, resource: ONE, scopes: ['a'] }), revoked_at: NOW + 1 },
      consent({ sub: SUB, client_id, resource: TWO, scopes: ['b'] }),
    ])
  })

  rule('revoke: without a resource, every live row of the client', async ({ store, id }) => {
    const client_id = id('a')
    const other_client = id('b')
    await store.consents.merge(approval(client_id, { [ONE]: ['a'], [TWO]: ['b'], [THREE]: ['c'] }), NOW)
    await store.consents.merge(approval(other_client, { [ONE]: ['a'] }), NOW)
    await store.consents.merge({ ...approval(client_id, { [ONE]: ['a'] }), sub: 'other' }, NOW)
    await store.consents.revoke({ sub: SUB, client_id, resource: TWO }, NOW + 1)
    expect(await store.consents.revoke({ sub: SUB, client_id }, NOW + 2)).toBe(2)
    const rows = sorted(await store.consents.find(SUB, client_id, [ONE, TWO, THREE]))
    expect(rows.map(({ revoked_at }) => revoked_at)).toEqual([NOW + 2, NOW + 1, NOW + 2])
    expect(await rowOf(store, other_client)).toMatchObject({ revoked_at: null })
    expect(await store.consents.find('other', client_id, [ONE])).toMatchObject([{ revoked_at: null }])
  })

  rule('revoke: 0 rows when there was no approval', async ({ store, id }) => {
    const client_id = id('a')
    await store.consents.merge(approval(client_id, { [ONE]: ['a'] }), NOW)
    expect(await store.consents.revoke({ sub: SUB, client_id, resource: TWO }, NOW)).toBe(0)
    expect(await store.consents.revoke({ sub: SUB, client_id: id('b') }, NOW)).toBe(0)
    expect(await store.consents.revoke({ sub: 'other', client_id }, NOW)).toBe(0)
  })

  rule('list: all rows of one user, with revoked ones', async ({ store, id }) => {
    const a = id('a')
    const b = id('b')
    await store.consents.merge(approval(a, { [ONE]: ['a'], [TWO]: ['b'] }), NOW)
    await store.consents.merge(approval(b, { [ONE]: ['c'] }), NOW)
    await store.consents.merge({ ...approval(a, { [ONE]: ['d'] }), sub: 'other' }, NOW)
    await store.consents.revoke({ sub: SUB, client_id: a, resource: TWO }, NOW)
    expect(sorted(await store.consents.list(SUB))).toEqual([
      consent({ sub: SUB, client_id: a, resource: ONE, scopes: ['a'] }),
      { ...consent({ sub: SUB, client_id: a, resource: TWO, scopes: ['b'] }), revoked_at: NOW },
      consent({ sub: SUB, client_id: b, resource: ONE, scopes: ['c'] }),
    ])
    expect(await store.consents.list('unknown')).toEqual([])
  })

  rule('find, revoke: ids whose concatenations are equal are not confused', async ({ store, id }) => {
    for (const mark of [':', '|', ',', ' ', '/', '"', '.', '-']) {
      const left = id(`a${mark}b`)
      const right = id('a')
      const approved = [{ resource: ONE, scopes: ['s'] }]
      await store.consents.merge({ sub: left, client_id: 'c', approved }, NOW)
      expect(await store.consents.find(right, `b${mark}c`, [ONE])).toEqual([])
      expect(await store.consents.revoke({ sub: right, client_id: `b${mark}c` }, NOW)).toBe(0)
      expect(await store.consents.list(right)).toEqual([])
      await store.consents.merge(
        { sub: left, client_id: `d${mark}e`, approved: [{ resource: 'f', scopes: [] }] },
        NOW,
      )
      expect(await store.consents.find(left, 'd', [`e${mark}f`])).toEqual([])
    }
  })
}
