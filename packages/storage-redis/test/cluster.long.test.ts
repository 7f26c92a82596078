/** A real cluster of three masters: the rules of every storage, and what happens while a slot moves to another master. */

import { personTag } from '@ostiary/core'
import { storageConformance } from '@ostiary/storage-conformance'
import { clientRecord } from '@ostiary/test-kit/client-record'
import { type RedisCluster, redisCluster } from '@ostiary/test-kit/redis/cluster'
import { Cluster } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { redisStorage } from '../src/index.js'
import { code, fill, fillPerson, grant, idOf, LATER, NOW, redemption, session } from './records.js'

const cleanUps: (() => Promise<void> | void)[] = []
let servers: RedisCluster
beforeAll(async () => {
  servers = await redisCluster((clean) => cleanUps.push(clean))
})
afterAll(async () => {
  for (const clean of cleanUps.reverse()) await clean()
})

/** Knows one node; finds the others by itself. */
function connect({ maxRedirections = 16 } = {}): Cluster {
  const nodes = [{ host: '127.0.0.1', port: servers.nodes[0]?.port ?? 0 }]
  const cluster = new Cluster(nodes, { maxRedirections, retryDelayOnTryAgain: 10 })
  cleanUps.push(() => cluster.disconnect())
  return cluster
}

storageConformance({ name: 'Redis storage in a cluster', create: async () => redisStorage(connect()) })

describe('in a cluster', () => {
  it('the people of one realm are on all masters, and background work finds those of each', async () => {
    const store = redisStorage(connect(), { prefix: 'people:' })('one')
    const subs = Array.from({ length: 100 }, (_, n) => `user-${n}`)
    await Promise.all(subs.map((sub) => fillPerson(store, sub)))
    const sizes = await Promise.all(
      servers.nodes.slice(0, 3).map(({ admin }) => admin.keys('people:{one:*').then(({ length }) => length)),
    )
    for (const size of sizes) expect(size).toBeGreaterThan(100)
    const tags = new Set(subs.map((sub) => personTag(sub)))
    const fresh = redisStorage(connect(), { prefix: 'people:' })('one')
    const sids = (await fresh.sessions.expired(LATER, 1000)).map(({ sid }) => sid)
    expect(sids.sort()).toEqual([...new Set(subs.map((sub) => idOf('s', sub)))].sort())
    const sweep = { client_id: 'app', before: LATER }
    expect(await fresh.grants.revokeOfClient(sweep, NOW)).toEqual({ count: tags.size, next: null })
    expect(await fresh.consents.deleteOfClient(sweep)).toEqual({ count: subs.length, next: null })
    expect(await fresh.purge(LATER + 1)).toBe(2 * tags.size)
  })

  it('realms are on several masters, and a scan finds the keys of each', async () => {
    const storage = redisStorage(connect(), { prefix: 'scan:' })
    const realms = ['a', 'b', 'c', 'd', 'e', 'f']
    for (const realm of realms) await fill(storage(realm))
    const sizes = await Promise.all(
      servers.nodes.slice(0, 3).map(({ admin }) => admin.keys('scan:*').then(({ length }) => length)),
    )
    for (const size of sizes) expect(size).toBeGreaterThan(0)
    // The first command of a connection is the scan.
    const fresh = redisStorage(connect(), { prefix: 'scan:' })
    for (const realm of realms) {
      expect(await fresh(realm).throttle.list('127.', NOW)).toMatchObject([{ key: '127.0.0.1', hits: 1 }])
      expect(await fresh(realm).consents.deleteOfClient({ client_id: 'app', before: LATER })).toMatchObject({
        count: 1,
      })
    }
  })

  describe('while a slot moves to another master', () => {
    /** Some keys below the hash tag are on the old master, and `moved` on the new one. */
    async function moving(tag: string, moved: string[]) {
      const cluster = connect({ maxRedirections: 4 })
      const store = redisStorage(cluster, { prefix: 'move:' })(tag.split(':')[0] ?? '')
      const root = `move:{${tag}}:`
      const slot = Number(await servers.nodes[0]?.admin.cluster('KEYSLOT', root))
      const from = await servers.masterOf(slot)
      const to = servers.nodes.slice(0, 3).find((node) => node !== from)
      if (to === undefined) throw new Error('a cluster of one master')
      const [from_id, to_id] = await Promise.all([from, to].map(({ admin }) => admin.cluster('MYID')))
      return {
        store,
        root,
        async begin() {
          await to.admin.cluster('SETSLOT', slot, 'IMPORTING', `${from_id}`)
          await from.admin.cluster('SETSLOT', slot, 'MIGRATING', `${to_id}`)
          for (const name of moved) await from.admin.migrate('127.0.0.1', to.port, root + name, 0, 5000)
        },
        async finish() {
          const rest = await from.admin.cluster('GETKEYSINSLOT', slot, 1000)
          for (const key of rest as string[]) await from.admin.migrate('127.0.0.1', to.port, key, 0, 5000)
          for (const { admin } of [to, from]) await admin.cluster('SETSLOT', slot, 'NODE', `${to_id}`)
        },
      }
    }
    const refused = /^Too many Cluster redirections\. Last error: ReplyError: (TRYAGAIN|MOVED|ASK) /

    it('a deletion of a client is refused whole, and works afterwards', async () => {
      const { store, begin, finish } = await moving('deletion', [])
      await store.clients.create(clientRecord())
      await store.clients.create(clientRecord({ client_id: 'unused', expires_at: LATER }))
      const tombstone = clientRecord({ revoked_at: NOW, expires_at: LATER })
      // All indexes exist, so that every declared key is on the old master.
      await store.clients.create(clientRecord({ client_id: 'gone' }))
      await store.clients.delete({ ...tombstone, client_id: 'gone' })
      await begin()
      await expect(store.clients.delete(tombstone)).rejects.toThrow(refused)
      expect(await store.clients.find('app')).toMatchObject({ client_id: 'app', revoked_at: null })
      await finish()
      expect(await store.clients.delete(tombstone)).toBe(true)
      expect(await store.clients.find('app')).toMatchObject({ revoked_at: NOW })
    })

    it('a revocation of all grants of a client leaves no grant out', async () => {
      const { store, begin, finish } = await moving(`revocation:${personTag('alice')}`, ['grants-by-end'])
      for (const grant_id of [idOf('g1'), idOf('g2')])
        await store.grants.create(grant({ grant_id }), code(grant_id))
      await begin()
      const sweep = () => store.grants.revokeOfClient({ client_id: 'app', before: LATER }, NOW)
      await expect(sweep()).rejects.toThrow(refused)
      await finish()
      expect(await sweep()).toEqual({ count: 2, next: null })
    })

    it('a code is redeemed once, a session ends once, and reads are right throughout', async () => {
      const tag = `redemption:${personTag('alice')}`
      const { store, begin, finish } = await moving(tag, [`grant:${idOf('g')}`, `sid:${idOf('s')}`])
      await store.grants.create(grant(), code(idOf('g')))
      await store.sessions.create(session())
      await begin()
      const next = redemption(null)
      await expect(store.grants.redeemCode(idOf('g-code'), next, NOW)).rejects.toThrow(refused)
      await expect(store.sessions.end(idOf('s'), NOW, 30)).rejects.toThrow(refused)
      expect(await store.grants.find(idOf('g'))).toMatchObject({ revoked_at: null })
      expect(await store.sessions.find(idOf('h'))).toMatchObject({ sid: idOf('s') })
      // Other people, and the realm's records, are elsewhere.
      await fillPerson(store, 'bob')
      expect(await store.throttle.hit('203.0.113.1', 60, NOW)).toBe(1)
      await finish()
      expect(await store.grants.redeemCode(idOf('g-code'), next, NOW)).toBe(true)
      expect(await store.grants.redeemCode(idOf('g-code'), next, NOW)).toBe(false)
      expect(await store.sessions.end(idOf('s'), NOW, 30)).toMatchObject({ sid: idOf('s') })
      expect(await store.throttle.hit('203.0.113.1', 60, NOW)).toBe(2)
    })

    it('the expired sessions of others are found', async () => {
      const tag = `expired:${personTag('alice')}`
      const { store, begin, finish } = await moving(tag, [`sid:${idOf('s')}`])
      await Promise.all(['alice', 'bob'].map((sub) => fillPerson(store, sub)))
      await begin()
      const sids = async () => (await store.sessions.expired(LATER, 100)).map(({ sid }) => sid)
      expect(await sids()).toEqual([idOf('s', 'bob')])
      await finish()
      expect((await sids()).sort()).toEqual([idOf('s'), idOf('s', 'bob')].sort())
    })

    it('the records of the realm are right throughout, and the people of the realm do not notice', async () => {
      const { store, begin, finish } = await moving('realm', [])
      await fillPerson(store, 'alice')
      expect(await store.throttle.hit('203.0.113.1', 60, NOW)).toBe(1)
      await begin()
      expect(await store.throttle.hit('203.0.113.1', 60, NOW)).toBe(2)
      expect(await store.sessions.join(idOf('s'), 'other')).toBe(true)
      expect(await store.grants.findRefreshToken(idOf('t2'))).not.toBeNull()
      await finish()
      expect(await store.throttle.hit('203.0.113.1', 60, NOW)).toBe(3)
    })
  })
})
