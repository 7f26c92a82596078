/** The rules of a store of cursors, in memory and in a PostgreSQL, and what commands say of it. */

import type { AuditStore } from '@ostiary/audit'
import { databaseAuditStore, memoryAuditStore } from '@ostiary/audit'
import { postgresExecutor } from '@ostiary/storage-postgres'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { newMigratedDatabase } from '@ostiary/test-kit/migrated-database'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { printableTable } from '../../host/src/cli/output.ts'
import { sinkCommand, sinkFindings } from '../src/commands.ts'
import { databaseSinkStore, memorySinkStore, openSinkStore, type SinkStore, sinkId } from '../src/index.ts'
import { NOW, REALM, receiver, sinkPlace, webhook } from './_place.ts'

let audit: AuditStore
let store: SinkStore

const seal = (realm: string, number: number) =>
  audit.seal({ realm, number, last_time: NOW, jws: 'jws', expired: false }, [])
const held = { lease: 'one', leased_until: NOW + 60 }
const cursor = { realm: REALM, sink: 'sink', seal: 1, place: 0, attempts: 0, failing_since: null }
const FRESH = { ...cursor, error: null, dropped: 0, next_attempt_at: 0 }

function rules() {
  it('a cursor begins behind the newest seal, and stays when it is entered again', async () => {
    await seal(REALM, 1)
    await store.enter('sink', [REALM, 'other'], NOW)
    await seal(REALM, 2)
    await store.enter('sink', [REALM], NOW)
    expect(await store.due('sink', NOW)).toEqual([REALM])
    expect(await store.due('another', NOW)).toEqual([])
    expect(await store.claim({ realm: REALM, sink: 'sink' }, held, NOW)).toEqual({ ...FRESH, seal: 2 })
    expect(await store.claim({ realm: 'none', sink: 'sink' }, held, NOW)).toBe(null)
  })

  it('one claim has the lease until it ends', async () => {
    await store.enter('sink', [REALM], NOW)
    await seal(REALM, 1)
    const claims = Array.from({ length: 20 }, (_, n) =>
      store.claim(cursor, { lease: `lease-${n}`, leased_until: NOW + 60 }, NOW),
    )
    expect((await Promise.all(claims)).filter((claimed) => claimed !== null)).toHaveLength(1)
    expect(await store.due('sink', NOW + 59)).toEqual([])
    expect(await store.claim(cursor, { lease: 'late', leased_until: NOW + 99 }, NOW + 59)).toBe(null)
    expect(await store.due('sink', NOW + 60)).toEqual([REALM])
    expect(await store.claim(cursor, { lease: 'late', leased_until: NOW + 120 }, NOW + 60)).toEqual(FRESH)
  })

  it('only the one with the lease stores the cursor', async () => {
    await store.enter('sink', [REALM], NOW)
    await seal(REALM, 1)
    await store.claim(cursor, held, NOW)
    const moved = {
      ...FRESH,
      seal: 1,
      place: 3,
      attempts: 2,
      failing_since: NOW,
      error: 'timeout',
      dropped: 5,
      next_attempt_at: NOW + 10,
    }
    expect(await store.save({ ...moved, place: 9 }, { lease: 'another', leased_until: 0 })).toBe(false)
    expect(await store.save(moved, { lease: 'one', leased_until: 0 })).toBe(true)
    expect(await store.due('sink', NOW + 9)).toEqual([])
    expect(await store.claim(cursor, held, NOW + 9)).toBe(null)
    expect(await store.claim(cursor, held, NOW + 10)).toEqual(moved)
    // The seal is delivered as a whole: nothing is due.
    await store.save({ ...moved, seal: 2, place: 0 }, { lease: 'one', leased_until: 0 })
    expect(await store.due('sink', NOW + 100)).toEqual([])
  })

  it('the realm that has waited the longest is first', async () => {
    await store.enter('sink', ['a', 'b', 'c'], NOW)
    for (const [n, realm] of ['b', 'c', 'a'].entries()) {
      await seal(realm, 1)
      await store.claim({ realm, sink: 'sink' }, held, NOW)
      await store.save({ ...FRESH, realm, next_attempt_at: NOW + n }, { lease: 'one', leased_until: 0 })
    }
    expect(await store.due('sink', NOW + 5)).toEqual(['b', 'c', 'a'])
  })

  it('realms that have waited for as long have the order of their names, whichever was stored last', async () => {
    await store.enter('sink', ['b', 'a'], NOW)
    for (const realm of ['b', 'a']) await seal(realm, 1)
    expect(await store.due('sink', NOW)).toEqual(['a', 'b'])
    for (const realm of ['b', 'a']) {
      await store.claim({ realm, sink: 'sink' }, held, NOW)
      await store.save({ ...FRESH, realm, next_attempt_at: NOW }, { lease: 'one', leased_until: 0 })
    }
    expect(await store.due('sink', NOW)).toEqual(['a', 'b'])
  })
}

describe('in memory', () => {
  beforeEach(() => {
    audit = memoryAuditStore()
    store = memorySinkStore(audit)
  })
  rules()

  it('a reload of the configuration keeps the cursors', () => {
    expect(openSinkStore(undefined, audit)).toBe(openSinkStore(undefined, audit))
    expect(openSinkStore(undefined, memoryAuditStore())).not.toBe(openSinkStore(undefined, audit))
  })
})

describe('in a PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof newMigratedDatabase>>
  let executor: ReturnType<typeof postgresExecutor>
  beforeAll(async () => {
    database = await newMigratedDatabase()
    executor = postgresExecutor(database.url, UNLIMITED)
  })
  afterAll(async () => {
    await executor.close()
    await database.drop()
  })
  beforeEach(async () => {
    await executor.query('truncate oidc_audit, oidc_audit_seals, oidc_audit_sinks')
    audit = databaseAuditStore(executor)
    store = openSinkStore(executor, audit)
  })
  rules()

  const sinks = async () =>
    (await executor.query<{ sink: string }>('select sink from oidc_audit_sinks order by sink')).map(
      ({ sink }) => sink,
    )

  it('a cursor that nobody uses is not delivered after two hours, and deleted when its sink is gone', async () => {
    await store.enter('kept', [REALM], NOW)
    await store.enter('gone', [REALM], NOW)
    await seal(REALM, 1)
    expect(await store.due('kept', NOW + 7199)).toEqual([REALM])
    expect(await store.due('kept', NOW + 7200)).toEqual([])
    await store.enter('kept', [REALM], NOW + 7200)
    expect(await store.due('kept', NOW + 7200)).toEqual([REALM])
    await store.forget(['kept'], NOW)
    expect(await sinks()).toEqual(['gone', 'kept'])
    await store.forget(['kept'], NOW + 1)
    expect(await sinks()).toEqual(['kept'])
  })

  it('one look finds at most 100 realms', async () => {
    const realms = Array.from({ length: 101 }, (_, n) => `realm-${n}`)
    await store.enter('sink', realms, NOW)
    for (const realm of realms) await seal(realm, 1)
    expect(await store.due('sink', NOW)).toHaveLength(100)
  })

  it('a server enters its cursors again each hour, and deletes those that no server has used for 30 days', async () => {
    const place = sinkPlace({ audit, store: databaseSinkStore(executor) })
    const to = await receiver()
    await store.enter('gone', [REALM], NOW)
    const server = await place.server([webhook(to.url)])
    const seen = async () =>
      (
        await executor.query<{ seen_at: number }>('select seen_at from oidc_audit_sinks where sink = $1', [
          sinkId(to.url),
        ])
      )[0]?.seen_at
    for (const [seconds, entered] of [
      [3599, 0],
      [3600, 3600],
    ] as const) {
      place.at(seconds)
      await server.deliver()
      expect(await seen()).toBe(NOW + entered)
    }
    const days = 30 * 86_400
    place.at(days)
    await server.deliver()
    expect(await sinks()).toContain('gone')
    place.at(days + 3600)
    await server.deliver()
    expect(await sinks()).toEqual([sinkId(to.url)])
  })

  describe('the command audit sinks', () => {
    const list = (sinks: Parameters<typeof webhook>[] = [], realm = REALM) =>
      sinkCommand(
        async (_input: null, _output: null, run) =>
          run({
            realm: { id: realm },
            records: executor,
            config: { audit_sinks: sinks.map((sink) => webhook(...sink)) },
          }),
        { table: printableTable },
      ).run(null, null)

    it('shows what waits, since when, and why', async () => {
      const place = sinkPlace({ audit, store: databaseSinkStore(executor) })
      const [works, broken] = [await receiver(), await receiver()]
      const secret = `${broken.url}?key=secret`
      const server = await place.server([webhook(works.url), webhook(secret, { events: ['key.rotate'] })])
      broken.status(401)
      await place.sealed({ type: 'key.rotate' }, {}, { type: 'key.rotate', time: NOW + 1 })
      await server.deliver()
      // Not sealed yet.
      const { newRow } = await import('../../audit/src/row.js')
      const row = { realm: REALM, type: 'key.rotate', outcome: 'done', actor: 'system' } as const
      await audit.put([newRow({ ...row, time: NOW + 5 }), newRow({ ...row, realm: 'other', time: NOW })])
      const shown = await list([[works.url], [secret, { events: ['key.rotate'] }]])
      expect(shown.json).toEqual({
        sinks: [
          {
            url: works.url,
            format: 'json',
            pending: 1,
            oldest: NOW + 5,
            attempts: 0,
            next_attempt_at: null,
            failing_since: null,
            error: null,
            hint: null,
            dropped: 0,
          },
          {
            url: `${broken.url}?…`,
            format: 'json',
            pending: 3,
            oldest: NOW,
            attempts: 1,
            next_attempt_at: NOW + 10,
            failing_since: NOW,
            error: 'status_401',
            hint: expect.stringContaining('secret_env'),
            dropped: 0,
          },
        ],
      })
      expect(shown.text).toContain('status_401')
      expect(JSON.stringify(shown)).not.toContain('key=secret')
      expect(shown.note).toContain('The receiver refuses the signature')
    })

    it('counts 10,000 rows, and says that there are more', async () => {
      await store.enter(sinkId('https://a.example.com/'), [REALM], NOW)
      const { newRow } = await import('../../audit/src/row.js')
      const row = { realm: REALM, type: 'key.rotate', outcome: 'done', actor: 'system', time: NOW } as const
      await audit.put(Array.from({ length: 10_000 }, () => newRow(row)))
      expect((await list([['https://a.example.com/']])).json).toMatchObject({ sinks: [{ pending: 10_000 }] })
      await audit.put([newRow(row)])
      const more = await list([['https://a.example.com/']])
      expect(more.json).toMatchObject({ sinks: [{ pending: null }] })
      expect(more.text).toContain('10000+')
    })

    it('of a sink that no server has yet, and of none', async () => {
      expect((await list([['https://a.example.com/']])).json).toMatchObject({
        sinks: [{ pending: 0, error: null }],
      })
      expect(await list()).toEqual({ text: 'No sinks', json: { sinks: [] }, note: 'audit.sinks names them' })
    })
  })

  it('doctor names a sink that fails, with the newest error and what to do', async () => {
    const place = sinkPlace({ audit, store: databaseSinkStore(executor) })
    const [works, broken] = [await receiver(), await receiver()]
    const configured = [webhook(works.url), webhook(broken.url)]
    const server = await place.server(configured)
    broken.status(404)
    await place.sealed({})
    await server.deliver()
    expect(await sinkFindings(executor, configured)).toEqual([
      { check: 'sinks', status: 'ok', message: `${works.url} gets the rows of the audit` },
      {
        check: 'sinks',
        status: 'fault',
        message: `${broken.url} has taken no row of the realm default since 2025-11-24T16:00:00Z, in 1 attempts: status_404`,
        advice: 'Nothing is at the url of the sink: correct it in audit.sinks.',
      },
    ])
    place.at(90_000)
    await server.deliver()
    expect((await sinkFindings(executor, configured))[1]?.message).toContain('rows given up until now: 1')
    expect(await sinkFindings(executor, undefined)).toEqual([])
  })
})
