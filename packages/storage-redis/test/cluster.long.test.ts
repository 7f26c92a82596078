/** A real cluster of three masters: the rules of every storage, and what happens while a slot moves to another master. */

import { storageConformance } from '@ostiary/storage-conformance'
import { clientRecord } from '@ostiary/test-kit/client-record'
import { type RedisCluster, redisCluster } from '@ostiary/test-kit/redis-cluster'
import { Cluster } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { redisStorage } from '../src/index.js'
import { code, fill, grant, LATER, NOW, redemption, session } from './records.js'

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

  describe('while the slot of a realm moves to another master', () => {
    /** Some keys of the realm are on its old master, and `moved` on its new one. */
    async function moving(realm: string, moved: string[]) {
      const cluster = connect({ maxRedirections: 4 })
      const store = redisStorage(cluster, { prefix: 'move:' })(realm)
      const root = `move:{${realm}}:`
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
      const { store, begin, finish } = await moving('revocation', ['grants-by-end'])
      for (const grant_id of ['g1', 'g2']) await store.grants.create(grant({ grant_id }), code(grant_id))
      await begin()
      const sweep = () => store.grants.revokeOfClient({ client_id: 'app', before: LATER }, NOW)
      await expect(sweep()).rejects.toThrow(refused)
      await finish()
      expect(await sweep()).toEqual({ count: 2, next: null })
    })

    it('a code is redeemed once, a session ends once, and reads are right throughout', async () => {
      const { store, begin, finish } = await moving('redemption', ['grant:g', 'sid:s'])
      await store.grants.create(grant(), code('g'))
      await store.sessions.create(session())
      await begin()
      const next = redemption(null)
      await expect(store.grants.redeemCode('g-code', next, NOW)).rejects.toThrow(refused)
      await expect(store.sessions.end('s', NOW, 30)).rejects.toThrow(refused)
      expect(await store.grants.find('g')).toMatchObject({ revoked_at: null })
      expect(await store.sessions.find('h')).toMatchObject({ sid: 's' })
      expect(await store.throttle.hit('203.0.113.1', 60, NOW)).toBe(1)
      await finish()
      expect(await store.grants.redeemCode('g-code', next, NOW)).toBe(true)
      expect(await store.grants.redeemCode('g-code', next, NOW)).toBe(false)
      expect(await store.sessions.end('s', NOW, 30)).toMatchObject({ sid: 's' })
      expect(await store.throttle.hit('203.0.113.1', 60, NOW)).toBe(2)
    })
  })
})
