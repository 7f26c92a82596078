/** Order, failures, leases and limits of deliveries, in memory and in a PostgreSQL. */

import { databaseAuditStore, memoryAuditStore } from '@ostiary/audit'
import { postgresExecutor } from '@ostiary/storage-postgres'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { eventually } from '@ostiary/test-kit/eventually'
import { newMigratedDatabase } from '@ostiary/test-kit/migrated-database'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { newRow } from '../../audit/src/row.js'
import { databaseSinkStore, memorySinkStore, type SinkOptions } from '../src/index.ts'
import { NOW, REALM, receiver, sinkPlace, webhook } from './_place.ts'

const DAY = 86_400

let stores: () => Promise<Pick<SinkOptions, 'audit' | 'store'>>
/** A place with new stores. */
const newPlace = async (more: Partial<SinkOptions> = {}) => sinkPlace({ ...(await stores()), ...more })

function rules() {
  it('rows arrive in the order of the seals, each one once', async () => {
    const place = await newPlace()
    const to = await receiver()
    const server = await place.server([webhook(to.url)])
    const first = await place.sealed({}, { time: NOW + 1 }, { type: 'key.rotate', time: NOW + 2 })
    await server.deliver()
    place.at(200)
    const second = await place.sealed({}, {})
    await server.deliver()
    await server.deliver()
    expect(to.ids()).toEqual([...first, ...second])
  })

  it('a sink begins with what is sealed after it was configured', async () => {
    const place = await newPlace()
    const to = await receiver()
    await place.sealed({})
    const server = await place.server([webhook(to.url)])
    place.at(200)
    const ids = await place.sealed({})
    await server.deliver()
    expect(to.ids()).toEqual(ids)
  })

  it('a realm that is new is entered at the next start, and not an hour later: its first rows arrive', async () => {
    const place = await newPlace()
    const to = await receiver()
    const realms = [REALM]
    const server = await place.server([webhook(to.url)], realms)
    realms.push('made')
    place.at(5)
    await server.deliver()
    place.at(200)
    const ids = await place.sealed({ realm: 'made' })
    await server.deliver()
    expect(to.ids()).toEqual(ids)
  })

  it('a row that another server writes late is in a later seal, and arrives', async () => {
    const place = await newPlace()
    const to = await receiver()
    const server = await place.server([webhook(to.url)])
    const [newer] = await place.sealed({ time: NOW + 100 })
    await server.deliver()
    place.at(600)
    // An id and a time before those of the row that was delivered.
    const [late] = await place.sealed({ time: NOW })
    await server.deliver()
    expect(to.ids()).toEqual([newer, late])
  })

  it('a change arrives once, as it was when it was sealed; one that has not reported its end, as begun', async () => {
    const place = await newPlace()
    const to = await receiver()
    const server = await place.server([webhook(to.url)])
    const begun = newRow({ realm: REALM, time: NOW, type: 'user.update', outcome: 'begun', actor: 'system' })
    await place.store.put([begun])
    await server.deliver()
    expect(to.ids()).toEqual([])
    await place.store.put([{ ...begun, outcome: 'done' }])
    await place.sealed(
      { type: 'user.update', outcome: 'begun' },
      { type: 'login.refused', outcome: 'refused', count: 7 },
    )
    await server.deliver()
    const told = to.received
      .map(({ body }) => JSON.parse(body).data)
      .map(({ outcome, count }) => [outcome, count])
    expect(told).toEqual([
      ['done', 1],
      ['begun', 1],
      ['refused', 7],
    ])
  })

  it('a sink gets the types that it names, and the others do not come later', async () => {
    const place = await newPlace()
    const [all, some] = [await receiver(), await receiver()]
    const events = ['login.refused', 'client.']
    const server = await place.server([webhook(all.url), webhook(some.url, { events })])
    const ids = await place.sealed(
      {},
      { type: 'login.refused' },
      { type: 'client.update' },
      { type: 'consent.denied' },
    )
    await server.deliver()
    expect([all.ids(), some.ids()]).toEqual([ids, ids.slice(1, 3)])
  })

  it('after a failure nothing overtakes: the row is sent again after 10 seconds, then after twice as long, up to 10 minutes', async () => {
    const place = await newPlace()
    const to = await receiver()
    const server = await place.server([webhook(to.url)])
    const [head, ...others] = await place.sealed({}, {}, {})
    to.status(500)
    const waits = [10, 20, 40, 80, 160, 320, 600, 600]
    await server.deliver()
    let at = 0
    for (const wait of waits) {
      place.at(at + wait - 1)
      await server.deliver()
      at += wait
      place.at(at)
      await server.deliver()
    }
    expect(to.ids()).toEqual(Array(waits.length + 1).fill(head))
    const delays = place.events.map(
      (event) => event.type === 'audit.sink_failed' && event.next_attempt_at - event.time,
    )
    expect(delays).toEqual([...waits, 600])
    expect(place.events[2]).toMatchObject({ attempts: 3, reason: 'status_500', audit_id: head, realm: REALM })
    to.status(200)
    place.at(at + 600)
    await server.deliver()
    expect(to.ids().slice(-3)).toEqual([head, ...others])
  })

  it('one sink that fails delays no other', async () => {
    const place = await newPlace()
    const [broken, works] = [await receiver(), await receiver()]
    const server = await place.server([webhook(broken.url), webhook(works.url)])
    broken.status(500)
    const ids = await place.sealed({}, {})
    await server.deliver()
    expect([broken.ids(), works.ids()]).toEqual([[ids[0]], ids])
  })

  it('a sink that never answers holds neither another one nor the caller', async () => {
    const place = await newPlace()
    const [silent, works] = [await receiver(), await receiver()]
    const asked = new Promise<void>((resolve) => {
      silent.state.answer = () => resolve()
    })
    const server = await place.server([webhook(silent.url), webhook(works.url)])
    const ids = await place.sealed({}, {})
    server.start()
    await asked
    await eventually(() => expect(works.ids()).toEqual(ids))
    // The silent one is not asked twice at a time.
    server.start()
    await server.stop()
    expect(silent.ids()).toEqual([ids[0]])
    expect(place.events).toEqual([])
  })

  it('a sink has one turn at a time, and none after a stop', async () => {
    const place = await newPlace()
    const to = await receiver()
    let looks = 0
    const counted: SinkOptions['store'] = {
      ...place.cursors,
      due(...look) {
        looks += 1
        return place.cursors.due(...look)
      },
    }
    const server = await sinkPlace({ audit: place.store, store: counted }).server([webhook(to.url)])
    await place.sealed({})
    const asked = new Promise<void>((resolve) => {
      to.state.answer = () => resolve()
    })
    looks = 0
    server.start()
    await asked
    server.start()
    await server.stop()
    server.start()
    await server.settled()
    expect([looks, to.ids().length]).toEqual([1, 1])
  })

  it('rows are tried for 24 hours, and then given up, but not the younger ones', async () => {
    const place = await newPlace()
    const to = await receiver()
    const server = await place.server([webhook(to.url)])
    to.status(500)
    const [old] = await place.sealed({}, {})
    await server.deliver()
    place.at(DAY - 1)
    const [young] = await place.sealed({})
    await server.deliver()
    const dropped = () => place.events.filter(({ type }) => type === 'audit.sink_dropped')
    expect(dropped()).toEqual([])
    place.at(DAY + 600)
    await server.deliver()
    expect(dropped()).toMatchObject([{ count: 2, reason: 'status_500', realm: REALM }])
    to.status(200)
    place.at(DAY + 1200)
    await server.deliver()
    expect(to.ids()).toEqual([old, old, old, young])
  })

  it('rows that no server was there to deliver are not given up', async () => {
    const place = await newPlace()
    const to = await receiver()
    await place.server([webhook(to.url)])
    const [old] = await place.sealed({})
    place.at(3 * DAY)
    to.status(500)
    const server = await place.server([webhook(to.url)])
    expect(place.events.map(({ type }) => type)).toEqual(['audit.sink_failed'])
    to.status(200)
    place.at(3 * DAY + 10)
    await server.deliver()
    expect(to.ids()).toEqual([old, old])
  })

  it('a row that the receiver refuses for 24 hours is given up, and those behind it arrive', async () => {
    const place = await newPlace()
    const to = await receiver()
    const server = await place.server([webhook(to.url)])
    place.at(200)
    const [bad] = await place.sealed({})
    place.at(300)
    const [good] = await place.sealed({})
    to.state.answer = ({ headers }, response) =>
      void response.writeHead(headers['webhook-id'] === bad ? 422 : 200).end()
    await server.deliver()
    place.at(300 + DAY - 1)
    await server.deliver()
    place.at(300 + DAY + 600)
    await server.deliver()
    await server.deliver()
    place.at(300 + DAY + 1200)
    await server.deliver()
    expect(to.ids()).toEqual([bad, bad, bad, good])
  })

  it('rows that are deleted before they are delivered are counted', async () => {
    const place = await newPlace()
    const to = await receiver()
    const server = await place.server([webhook(to.url)])
    to.status(500)
    await place.sealed({}, {}, {})
    await server.deliver()
    await place.store.purge(NOW + 1, 10)
    place.at(10)
    to.status(200)
    await server.deliver()
    expect(to.ids()).toHaveLength(1)
    expect(place.events.at(-1)).toMatchObject({ type: 'audit.sink_dropped', count: 3, reason: 'deleted' })
    place.at(200)
    const ids = await place.sealed({})
    await server.deliver()
    expect(to.ids().slice(1)).toEqual(ids)
  })

  it('two servers never deliver at the same time, and one that was held loses its lease', async () => {
    const place = await newPlace()
    const to = await receiver()
    const one = await place.server([webhook(to.url)])
    const two = await place.server([webhook(to.url)])
    const [id, next] = await place.sealed({}, {})
    let release: () => void = () => {}
    const asked = new Promise<void>((resolve) => {
      to.state.answer = (_, response) => {
        release = () => void response.writeHead(200).end()
        resolve()
      }
    })
    one.start()
    await asked
    to.status(200)
    for (const seconds of [0, 59]) {
      place.at(seconds)
      await two.deliver()
    }
    expect(to.ids()).toEqual([id])
    // The first one hangs, or was killed: its lease has ended.
    place.at(60)
    await two.deliver()
    expect(to.ids()).toEqual([id, id, next])
    release()
    await one.settled()
    await one.deliver()
    expect(to.ids()).toEqual([id, id, next])
  })

  it('a server that was suspended sends nothing when its lease is about to end', async () => {
    const place = await newPlace()
    const to = await receiver()
    for (const [seconds, sent] of [
      [30, 2],
      [31, 1],
    ] as const) {
      const begin = place.clock() - NOW + 1000
      const suspended: SinkOptions['store'] = {
        ...place.cursors,
        async save(...saved) {
          const is_saved = await place.cursors.save(...saved)
          place.at(begin + seconds)
          return is_saved
        },
      }
      const url = `${to.url}/${seconds}`
      const held = sinkPlace({ audit: place.store, store: suspended, now: place.clock })
      const server = await held.server([webhook(url)])
      place.at(begin)
      await place.sealed({}, {})
      await server.deliver()
      expect(to.received.filter(({ path }) => path.endsWith(`/${seconds}`))).toHaveLength(sent)
    }
  })

  it('an answer that comes after the time limit acknowledges nothing', async () => {
    const place = await newPlace()
    const to = await receiver()
    const server = await place.server([webhook(to.url)])
    const [id, next] = await place.sealed({}, {})
    let late: () => void = () => {}
    const asked = new Promise<void>((resolve) => {
      to.state.answer = (_, response) => {
        late = () => void response.writeHead(200).end()
        resolve()
      }
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      server.start()
      await asked
      await vi.advanceTimersByTimeAsync(9_999)
      expect(place.events).toEqual([])
      await vi.advanceTimersByTimeAsync(1)
      await server.settled()
    } finally {
      vi.useRealTimers()
    }
    expect(place.events).toMatchObject([{ reason: 'timeout', audit_id: id }])
    late()
    to.status(503)
    place.at(10)
    await server.deliver()
    expect(to.ids()).toEqual([id, id])
    to.status(200)
    place.at(30)
    await server.deliver()
    expect(to.ids()).toEqual([id, id, id, next])
  })

  it('a stop ends what is under way without an event, and the next server sends it at once', async () => {
    const place = await newPlace()
    const to = await receiver()
    const server = await place.server([webhook(to.url)])
    const [id] = await place.sealed({})
    const asked = new Promise<void>((resolve) => {
      to.state.answer = () => resolve()
    })
    server.start()
    await asked
    await server.stop()
    server.start()
    expect(place.events).toEqual([])
    to.status(200)
    await place.server([webhook(to.url)])
    expect(to.ids()).toEqual([id, id])
  })

  it('the next server goes on where the one before has stopped', async () => {
    const place = await newPlace()
    const to = await receiver()
    const server = await place.server([webhook(to.url)])
    const first = await place.sealed({}, {})
    await server.deliver()
    await server.stop()
    place.at(200)
    const second = await place.sealed({})
    await place.server([webhook(to.url)])
    expect(to.ids()).toEqual([...first, ...second])
  })

  it('a realm has 100 rows before the next one has its turn', async () => {
    const place = await newPlace()
    const to = await receiver()
    const server = await place.server([webhook(to.url)], ['a', 'b'])
    for (const realm of ['a', 'b']) await place.sealed(...Array.from({ length: 101 }, () => ({ realm })))
    await server.deliver()
    const realms = to.received.map(({ body }) => JSON.parse(body).data.realm)
    const runs = realms.flatMap((realm, n) =>
      realm === realms[n - 1] ? [] : [realms.slice(n).findIndex((r) => r !== realm)],
    )
    expect(runs.slice(0, 2)).toEqual([100, 100])
    expect(realms).toHaveLength(202)
  })

  it('one claim passes 100 seals that the sink does not get', async () => {
    const place = await newPlace()
    const to = await receiver()
    let claims = 0
    const counted: SinkOptions['store'] = {
      ...place.cursors,
      async claim(...claim) {
        const claimed = await place.cursors.claim(...claim)
        if (claimed !== null) claims += 1
        return claimed
      },
    }
    const reading = sinkPlace({ audit: place.store, store: counted })
    const server = await reading.server([webhook(to.url, { events: ['key.rotate'] })])
    const seals = async (length: number) => {
      for (let n = 0; n < length; n += 1) await place.sealed({})
      const before = claims
      await server.deliver()
      return claims - before
    }
    expect([await seals(100), await seals(101)]).toEqual([1, 2])
    const ids = await place.sealed({ type: 'key.rotate' })
    await server.deliver()
    expect(to.ids()).toEqual(ids)
  })

  it('a turn ends after 60 seconds, and the next one goes on', async () => {
    for (const [seconds, realms] of [
      [59, 2],
      [60, 1],
    ] as const) {
      const place = await newPlace()
      const to = await receiver()
      const server = await place.server([webhook(to.url)], ['a', 'b'])
      await place.sealed({ realm: 'a' })
      await place.sealed({ realm: 'b' })
      to.state.answer = (_, response) => {
        place.at(seconds)
        response.writeHead(200).end()
      }
      await server.deliver()
      expect(to.received).toHaveLength(realms)
      await server.deliver()
      expect(to.received).toHaveLength(2)
    }
  })

  it('a realm that is not served is not delivered, and stops no other', async () => {
    const place = await newPlace()
    const to = await receiver()
    await place.server([webhook(to.url)], ['gone', 'default'])
    await place.sealed({ realm: 'gone' })
    const ids = await place.sealed({})
    await place.server([webhook(to.url)], ['default'])
    expect(to.ids()).toEqual(ids)
  })

  it('a realm without a key to sign with stops no other', async () => {
    const place = await newPlace()
    const to = await receiver()
    const keysOf: SinkOptions['keysOf'] = async (realm) => {
      if (realm === 'broken') throw new Error('no key')
      return place.keysOf()
    }
    const set = await newPlaceWith(place, keysOf)
    const server = await set.server(
      [{ url: to.url, format: 'set', allow_private: true }],
      ['broken', 'default'],
    )
    await place.sealed({ realm: 'broken' })
    await place.sealed({})
    await server.deliver()
    expect(to.received).toHaveLength(1)
    expect(set.events).toMatchObject([{ realm: 'broken', reason: 'not_signed' }])
  })
}

const newPlaceWith = async (place: ReturnType<typeof sinkPlace>, keysOf: SinkOptions['keysOf']) =>
  sinkPlace({ audit: place.store, store: place.cursors, keysOf })

describe('in memory', () => {
  beforeAll(() => {
    stores = async () => {
      const audit = memoryAuditStore()
      return { audit, store: memorySinkStore(audit) }
    }
  })
  rules()
})

describe('in a PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof newMigratedDatabase>>
  let executor: ReturnType<typeof postgresExecutor>
  beforeAll(async () => {
    database = await newMigratedDatabase()
    executor = postgresExecutor(database.url, UNLIMITED)
    stores = async () => {
      await executor.query('truncate oidc_audit, oidc_audit_seals, oidc_audit_sinks')
      return { audit: databaseAuditStore(executor), store: databaseSinkStore(executor) }
    }
  })
  afterAll(async () => {
    await executor.close()
    await database.drop()
  })
  rules()
})
