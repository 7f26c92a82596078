/** The audit over the API: rows, one row, and the story of a reference. */

import { databaseAuditStore } from '@ostiary/audit'
import { describe, expect, it } from 'vitest'
import { adminPlace } from './_place.ts'
import { database, problem, staffed } from './_storages.ts'
import { auditRow } from './_ways.ts'

const AUDIT = '/realms/acme/audit'
/** Three rows of acme and one of the other realm, the oldest first. */
const ROWS = [
  auditRow('acme', 'row-1', { time: 100, sub: 'eve', type: 'user.update', actor: 'sub:ann' }),
  auditRow('acme', 'row-2', {
    time: 200,
    sub: null,
    client_id: 'notes',
    type: 'client.update',
    actor: 'cli:x',
  }),
  auditRow('acme', 'row-3', {
    time: 300,
    sub: 'eve',
    type: 'login.refused',
    outcome: 'refused',
    actor: 'stranger',
    flow: 'abcdefghijklmnop',
    refs: ['7F3A-2C1D'],
    data: '{"reason":"wrong_password","request_id":"a-request"}',
    private: '{"address":"192.0.2.0/24"}',
    salt: 'the-salt',
    private_hash: 'the-hash',
  }),
  auditRow('other', 'row-4', { time: 400, sub: 'eve' }),
]

async function inMemory() {
  const place = await staffed()
  await place.rows.put(ROWS)
  return place
}

async function inPostgres() {
  const executor = await database()
  const place = await staffed({ executor, store: databaseAuditStore(executor) })
  await place.rows.put(ROWS)
  return place
}

describe.each([
  ['in memory', inMemory],
  ['in PostgreSQL', inPostgres],
] as const)('%s', (_, open) => {
  it('rows are listed, the newest first, by every filter and in pages', async () => {
    const place = await open()
    const ids = async (query: string) => {
      const { status, body } = await place.ann(`GET ${AUDIT}?${query}`)
      expect(status).toBe(200)
      return body.items.map(({ audit_id }: { audit_id: string }) => audit_id)
    }
    expect(await ids('')).toEqual(['row-3', 'row-2', 'row-1'])
    for (const [query, found] of [
      ['sub=eve', ['row-3', 'row-1']],
      ['client_id=notes', ['row-2']],
      ['actor=sub%3Aann', ['row-1']],
      ['type=login.refused', ['row-3']],
      ['type=client.', ['row-2']],
      ['since=200', ['row-3', 'row-2']],
      ['sub=eve&since=200', ['row-3']],
      ['sub=nobody', []],
      ["type='%20or%201=1%20--.", []],
    ] as const)
      expect([query, await ids(query)]).toEqual([query, found])
    const first = await place.ann(`GET ${AUDIT}?sub=eve&limit=1`)
    expect(first.body.items).toMatchObject([{ audit_id: 'row-3' }])
    const page = (filter: string) => place.ann(`GET ${AUDIT}?${filter}&limit=1&cursor=${first.body.next}`)
    expect((await page('sub=eve')).body).toMatchObject({ items: [{ audit_id: 'row-1' }], next: null })
    // Of another filter, or of another realm.
    expect(await page('type=user.')).toMatchObject(problem('invalid_cursor', 400))
    const elsewhere = await place.ann(`GET /realms/other/audit?sub=eve&limit=1&cursor=${first.body.next}`)
    expect(elsewhere).toMatchObject(problem('invalid_cursor', 400))
  })

  it('a row is shown with its parts read, and without their hashes', async () => {
    const place = await open()
    const { body } = await place.ann(`GET ${AUDIT}/row-3`)
    expect(body).toMatchObject({
      audit_id: 'row-3',
      realm: 'acme',
      time: 300,
      outcome: 'refused',
      refs: ['7F3A-2C1D'],
      data: { reason: 'wrong_password' },
      address: '192.0.2.0/24',
    })
    expect(JSON.stringify(body)).not.toMatch(/the-salt|the-hash/)
    expect((await place.ann(`GET ${AUDIT}?limit=1`)).body.items).toEqual([body])
    // A row of another realm is as one that is nowhere.
    const far = await place.ann(`GET ${AUDIT}/row-4`)
    const nowhere = await place.ann(`GET ${AUDIT}/row-9`)
    expect([far.status, { ...far.body, request_id: '' }]).toEqual([404, { ...nowhere.body, request_id: '' }])
    expect((await place.ann('GET /realms/other/audit/row-4')).status).toBe(200)
    // What was erased is told.
    await place.rows.erase('acme', 'eve')
    expect((await place.ann(`GET ${AUDIT}/row-3`)).body).toMatchObject({ erased: true })
    expect((await place.ann(`GET ${AUDIT}/row-1`)).body).not.toHaveProperty('erased')
  })

  it('only auditors and owners read it, and reading leaves no row', async () => {
    const place = await open()
    const { access_token } = await place.signIn('rea')
    await place.give('sub:rea', 'auditor', 'acme')
    for (const path of ['audit', 'audit/row-1']) {
      expect((await place.call(access_token, `GET /realms/acme/${path}`)).status).toBe(200)
      expect(await place.call(access_token, `GET /realms/other/${path}`)).toMatchObject(
        problem('not_found', 404),
      )
      expect(await place.sue(`GET /realms/acme/${path}`)).toMatchObject(problem('not_found', 404))
    }
    await place.roles.change('acme', () => ({ remove: { holder: 'sub:rea', role: 'auditor' } }))
    expect((await place.call(access_token, `GET ${AUDIT}`)).status).toBe(404)
    expect(await place.changes()).toHaveLength(ROWS.length)
  })

  it('filters that are none are refused', async () => {
    const place = await open()
    for (const query of [
      'since=yesterday',
      'since=-1',
      'since=1234567890123',
      'sub=',
      `actor=${'x'.repeat(256)}`,
    ])
      expect([query, (await place.ann(`GET ${AUDIT}?${query}`)).status]).toEqual([query, 400])
    expect(await place.ann(`GET ${AUDIT}?actr=x`)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '?actr', suggestion: 'actor' }] },
    })
  })
})

describe('explain', () => {
  it('tells the story of a reference, a flow and a request, as the command does', async () => {
    const place = await inPostgres()
    for (const name of ['7F3A-2C1D', '7f3a2c1d', 'abcdefghijklmnop']) {
      const { status, body } = await place.ann(`GET /realms/acme/explain/${name}`)
      expect([name, status]).toEqual([name, 200])
      expect(body.stories).toMatchObject([
        {
          flow: 'abcdefghijklmnop',
          sub: 'eve',
          steps: [
            { audit_id: 'row-3', what: 'A sign-in was refused (wrong_password)', reason: 'wrong_password' },
          ],
        },
      ])
    }
    expect(await place.ann('GET /realms/acme/explain/0000-0000')).toMatchObject(problem('not_found', 404))
    expect(await place.ann('GET /realms/other/explain/7F3A-2C1D')).toMatchObject(problem('not_found', 404))
    // Support, which reads no row of the audit.
    expect((await place.sue('GET /realms/acme/explain/7F3A-2C1D')).status).toBe(200)
    expect(await place.sue('GET /realms/acme/audit')).toMatchObject(problem('not_found', 404))
    expect(await place.sue('GET /realms/other/explain/7F3A-2C1D')).toMatchObject(problem('not_found', 404))
  })

  it('asks the records of the realm whether the cause is gone', async () => {
    const place = await inPostgres()
    await place.addUser('kim')
    const refused = {
      sub: 'kim',
      type: 'login.refused',
      outcome: 'refused',
      data: '{"reason":"disabled"}',
    } as const
    await place.rows.put([auditRow('acme', 'row-5', { ...refused, time: 500, refs: ['0000-0005'] })])
    const adviceOf = async () => {
      const { body } = await place.ann('GET /realms/acme/explain/0000-0005')
      return body.stories[0].steps[0].advice
    }
    expect(await adviceOf()).toBe('Mended: the user is enabled again, and can sign in.')
    await place.ann('POST /realms/acme/users/kim/disable')
    expect(await adviceOf()).toContain('ostiary user enable')
  })

  it('needs a database', async () => {
    const place = await inMemory()
    expect(await place.ann('GET /realms/acme/explain/7F3A-2C1D')).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('database') },
    })
  })
})

it('without an audit nothing is there, and the answer names the key', async () => {
  const place = await adminPlace({ bare: true })
  await place.give('sub:ann', 'owner', '*')
  const { access_token } = await place.signIn('ann')
  for (const path of ['audit', 'audit/row-1', 'explain/7F3A-2C1D'])
    expect(await place.call(access_token, `GET /realms/acme/${path}`)).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining('audit.enabled') },
    })
})
