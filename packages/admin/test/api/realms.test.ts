/** Realms that administrators make: who may, what is refused, and what is written. */

import { gate } from '@ostiary/test-kit/races/gate'
import { describe, expect, it } from 'vitest'
import { memoryRealms } from '../../../realms/src/index.ts'
import { adminPlace, type Place, RESOURCE } from './_place.ts'

const SETTINGS = { oidc: { tokens: { access_token: 300 } } }
const problem = (code: string, status: number) => ({ status, body: { type: `urn:ostiary:problem:${code}` } })
const conflict = problem('conflict', 409)

/** An owner of all realms, and one of each role in named realms. */
async function opened(options: Parameters<typeof adminPlace>[0] = {}) {
  const place = await adminPlace(options)
  await place.give('sub:ann', 'owner', '*')
  const { access_token: token } = await place.signIn('ann')
  const send = (line: string, body?: unknown, headers: Record<string, string> = {}) =>
    place.call(token, line, { headers, ...(body !== undefined && { body }) })
  return { place, token, send }
}

async function tokenOf(place: Place, sub: string, ...roles: Parameters<Place['give']>[1][]) {
  for (const role of roles) await place.give(`sub:${sub}`, role, 'tenant')
  return (await place.signIn(sub)).access_token
}

describe('a realm', () => {
  it('is made, read, listed, changed and deleted, with a row for each change', async () => {
    const { place, send } = await opened()
    const made = await send('PUT /realms/tenant', SETTINGS)
    const shown = {
      id: 'tenant',
      source: 'run_time',
      created_at: 1_800_000_000,
      updated_at: 1_800_000_000,
      version: 1,
      oidc: SETTINGS.oidc,
      identity: {},
      configuration: null,
    }
    expect([made.status, made.etag, made.body]).toEqual([201, '"1"', shown])
    expect((await send('GET /realms/tenant')).body).toEqual(shown)
    place.w.clock.now += 5
    const patched = await send('PATCH /realms/tenant', { identity: { account: true } }, { 'if-match': '"1"' })
    expect([patched.status, patched.etag]).toEqual([200, '"2"'])
    expect(patched.body).toMatchObject({ version: 2, created_at: 1_800_000_000, updated_at: 1_800_000_005 })
    expect(patched.body).toMatchObject({ oidc: SETTINGS.oidc, identity: { account: true } })
    const deleted = await send('DELETE /realms/tenant', undefined, { 'if-match': '"2"' })
    const disabled_at = 1_800_000_005
    expect(deleted.body).toEqual({ id: 'tenant', disabled_at, purged_from: disabled_at + 7 * 86_400 })
    expect(await send('GET /realms/tenant')).toMatchObject(problem('not_found', 404))
    const rows = await place.changes()
    expect(
      rows.map(({ realm, type, outcome, actor, data, private: part }) => [
        `${realm} ${type} ${outcome} ${actor}`,
        JSON.parse(data).realm_id,
        JSON.parse(data).fields,
        JSON.parse(part ?? '{}'),
      ]),
    ).toEqual([
      [
        'acme realm.create done sub:ann',
        'tenant',
        ['oidc.tokens.access_token'],
        { after: { 'oidc.tokens.access_token': 300 } },
      ],
      [
        'acme realm.update done sub:ann',
        'tenant',
        ['identity.account'],
        { before: {}, after: { 'identity.account': true } },
      ],
      [
        'acme realm.delete done sub:ann',
        'tenant',
        ['oidc.tokens.access_token', 'identity.account'],
        { before: { 'oidc.tokens.access_token': 300, 'identity.account': true } },
      ],
    ])
    const told = { realm: 'acme', realm_id: 'tenant', request_id: expect.any(String) }
    expect(place.events).toEqual([
      { type: 'realm.created', time: 1_800_000_000, ...told },
      { type: 'realm.updated', time: disabled_at, ...told },
      { type: 'realm.deleted', time: disabled_at, ...told },
    ])
    expect(deleted.headers.get('link')).toContain(`/realms/acme/audit/${rows[2]?.audit_id}>`)
  })

  it('the server is told of each change that was stored, and of no other request', async () => {
    const told: string[] = []
    const { send } = await opened({ run_time: { changed: (id) => void told.push(id) } })
    await send('PUT /realms/tenant', SETTINGS)
    await send('PUT /realms/tenant', SETTINGS)
    await send('PUT /realms/tenant?dry_run=true&overwrite=true', {})
    await send('PUT /realms/acme', {})
    await send('PATCH /realms/tenant', { oidc: null })
    expect(told).toEqual(['tenant'])
    await send('PATCH /realms/tenant?overwrite=true', { oidc: null })
    await send('DELETE /realms/tenant?overwrite=true')
    expect(told).toEqual(['tenant', 'tenant', 'tenant'])
  })

  it('an equal PUT or PATCH changes nothing, and has no row', async () => {
    const { place, send } = await opened()
    await send('PUT /realms/tenant', SETTINGS)
    const before = await place.changes()
    for (const body of [SETTINGS, { identity: {}, ...SETTINGS }])
      expect(await send('PUT /realms/tenant', body)).toMatchObject({ status: 200, etag: '"1"' })
    for (const body of [{}, SETTINGS, { identity: null }, { oidc: { tokens: { id_token: null } } }])
      expect(await send('PATCH /realms/tenant', body)).toMatchObject({ status: 200, etag: '"1"' })
    expect(await place.changes()).toEqual(before)
  })

  it('in a list come those of the configuration too, in pages by id', async () => {
    const { send } = await opened()
    for (const id of ['zeta', 'b-1', 'b']) await send(`PUT /realms/${id}`, {})
    await send('DELETE /realms/b?overwrite=true')
    const first = await send('GET /realms?limit=2')
    expect(first.body.items).toEqual([
      { id: 'acme', source: 'configuration', created_at: null, updated_at: null, version: null },
      { id: 'b-1', source: 'run_time', created_at: 1_800_000_000, updated_at: 1_800_000_000, version: 1 },
    ])
    const rest = await send(`GET /realms?cursor=${first.body.next}`)
    expect([rest.body.items.map(({ id }: { id: string }) => id), rest.body.next]).toEqual([
      ['other', 'zeta'],
      null,
    ])
    expect((await send('GET /realms?after=other')).body.items).toHaveLength(1)
    const { body: clients } = await send('GET /realms/acme/clients?limit=1')
    expect(await send(`GET /realms?cursor=${clients.next}`)).toMatchObject(problem('invalid_cursor', 400))
  })

  it('of the configuration is shown without settings, and is changed there', async () => {
    const { place, send } = await opened()
    const { body, etag } = await send('GET /realms/acme')
    expect(body).toMatchObject({ source: 'configuration', oidc: null, identity: null, version: null })
    expect([body.configuration, etag]).toEqual([{ file: 'ostiary.config.json', key: 'oidc.realms.acme' }, ''])
    for (const [line, given] of [
      ['PUT /realms/acme', {}],
      ['PUT /realms/other', SETTINGS],
      ['PATCH /realms/other', {}],
      ['DELETE /realms/acme', undefined],
    ] as const) {
      const refused = await send(`${line}?overwrite=true`, given)
      expect(refused).toMatchObject(problem('owned_by_configuration', 409))
      expect(refused.body.detail).toMatch(
        /change oidc\.realms\.\w+ in ostiary\.config\.json, and reload the server/,
      )
    }
    expect([await place.changes(), await place.realms.list({ limit: 1 })]).toEqual([[], []])
  })
})

it('a realm that is in the configuration by now hides one that was made with its id', async () => {
  const { place, send } = await opened()
  await place.realms.create({ id: 'other', settings: SETTINGS }, 1)
  for (const [line, body] of [
    ['PUT /realms/other', {}],
    ['PATCH /realms/other', { oidc: null }],
    ['DELETE /realms/other', undefined],
  ] as const)
    expect(await send(`${line}?overwrite=true`, body)).toMatchObject(problem('owned_by_configuration', 409))
  expect((await send('GET /realms/other')).body).toMatchObject({ source: 'configuration', oidc: null })
  expect((await send('GET /realms')).body.items).toMatchObject([
    { id: 'acme', source: 'configuration' },
    { id: 'other', source: 'configuration' },
  ])
  expect(await place.realms.find('other')).toMatchObject({ settings: SETTINGS, version: 1 })
})

describe('who may', () => {
  it('a role in several realms lists these, in pages', async () => {
    const { place, send } = await opened()
    for (const id of ['c', 'b', 'a', 'gone', 'secret']) await send(`PUT /realms/${id}`, {})
    await send('DELETE /realms/gone?overwrite=true')
    await place.give('sub:bob', 'owner', 'c', 'gone', 'a', 'other', 'nowhere')
    await place.give('sub:bob', 'auditor', 'b', 'c')
    const { access_token: bob } = await place.signIn('bob')
    const pageOf = async (query: string) => {
      const { items, next } = (await place.call(bob, `GET /realms?limit=2${query}`)).body
      return { ids: items.map(({ id }: { id: string }) => id), next }
    }
    const first = await pageOf('')
    expect(first.ids).toEqual(['a', 'b'])
    expect(await pageOf(`&cursor=${first.next}`)).toEqual({ ids: ['c', 'other'], next: null })
  })

  it('an owner of one realm reads, changes and deletes no other, and learns not whether it is there', async () => {
    const { place, send } = await opened()
    await send('PUT /realms/tenant', SETTINGS)
    await send('PUT /realms/secret', SETTINGS)
    const bob = await tokenOf(place, 'bob', 'owner')
    const asBob = (line: string, body?: unknown) =>
      place.call(bob, line, { ...(body !== undefined && { body }) })
    for (const [line, body] of [
      ['GET /realms/{}', undefined],
      ['PUT /realms/{}?overwrite=true', {}],
      ['PATCH /realms/{}?overwrite=true', { oidc: null }],
      ['DELETE /realms/{}?overwrite=true', undefined],
      ['DELETE /realms/{}?overwrite=true&dry_run=true', undefined],
    ] as const) {
      const foreign = await asBob(line.replace('{}', 'secret'), body)
      const absent = await asBob(line.replace('{}', 'nowhere'), body)
      expect(foreign).toMatchObject(problem('not_found', 404))
      expect({ ...foreign.body, request_id: '' }).toEqual({ ...absent.body, request_id: '' })
    }
    expect(await place.realms.find('secret')).toMatchObject({ version: 1, disabled_at: null })
    const own = await asBob('PATCH /realms/tenant?overwrite=true', { oidc: null })
    expect([own.status, own.body.version]).toEqual([200, 2])
    const { items } = (await asBob('GET /realms')).body
    expect(items.map(({ id }: { id: string }) => id)).toEqual(['tenant'])
    expect((await asBob('DELETE /realms/tenant?overwrite=true')).status).toBe(200)
    expect((await asBob('GET /realms')).body.items).toEqual([])
  })

  it('only a role in all realms makes one, also where a role names the id', async () => {
    const { place, send } = await opened()
    const bob = await tokenOf(place, 'bob', 'owner')
    const refused = await place.call(bob, 'PUT /realms/tenant', { body: {} })
    expect(refused).toMatchObject(problem('forbidden', 403))
    expect(await place.realms.find('tenant')).toBeNull()
    expect((await place.attempts()).map(({ actor }) => actor)).toEqual(['sub:bob'])
    expect((await send('PUT /realms/tenant', {})).status).toBe(201)
  })

  it.each(['auditor', 'support', 'manager'] as const)('%s changes none', async (role) => {
    const { place, send } = await opened()
    await send('PUT /realms/tenant', SETTINGS)
    const token = await tokenOf(place, 'eve', role)
    for (const [line, body] of [
      ['PUT /realms/tenant?overwrite=true', {}],
      ['PATCH /realms/tenant?overwrite=true', { oidc: null }],
      ['DELETE /realms/tenant?overwrite=true', undefined],
    ] as const)
      expect(await place.call(token, line, { ...(body && { body }) })).toMatchObject(
        problem('not_found', 404),
      )
    const status = role === 'auditor' ? 200 : 404
    for (const line of ['GET /realms', 'GET /realms/tenant'])
      expect([line, (await place.call(token, line)).status]).toEqual([line, status])
    expect(await place.realms.find('tenant')).toMatchObject({ version: 1 })
  })

  it('roles that no scope goes with, a token of another realm, and no token', async () => {
    const { place, send } = await opened()
    await send('PUT /realms/tenant', SETTINGS)
    const { access_token } = await place.signInAgain('ann', { scope: 'admin.realms:read' })
    expect((await place.call(access_token, 'GET /realms/tenant')).status).toBe(200)
    expect(await place.call(access_token, 'DELETE /realms/tenant?overwrite=true')).toMatchObject(
      problem('insufficient_scope', 403),
    )
    expect((await place.call(null, 'GET /realms')).status).toBe(401)
    const { access_token: plain } = await place.signInAgain('ann', { scope: '', resource: null })
    expect((await place.call(plain, 'GET /realms')).status).toBe(401)
  })

  it('to delete one, a person has signed in within five minutes', async () => {
    const { place, send } = await opened()
    await send('PUT /realms/tenant', SETTINGS)
    place.w.clock.now += 301
    const refused = await send('DELETE /realms/tenant?overwrite=true')
    expect(refused).toMatchObject(problem('unauthorized', 401))
    expect(refused.headers.get('www-authenticate')).toContain('insufficient_user_authentication')
    expect((await send('PATCH /realms/tenant?overwrite=true', { oidc: null })).status).toBe(200)
  })
})

describe('what is refused', () => {
  it('a lost update: of two changes with the same ETag, one is made', async () => {
    const { place, send } = await opened()
    await send('PUT /realms/tenant', {})
    const seen = { 'if-match': '"1"' }
    const both = [
      send('PUT /realms/tenant', SETTINGS, seen),
      send('PATCH /realms/tenant', { identity: { account: true } }, seen),
    ]
    const statuses = (await Promise.all(both)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 412])
    expect(await place.realms.find('tenant')).toMatchObject({ version: 2 })
    expect(await send('DELETE /realms/tenant', undefined, seen)).toMatchObject({ status: 412 })
    expect(await send('DELETE /realms/tenant')).toMatchObject(problem('precondition_required', 428))
    expect(await send('PUT /realms/tenant', {})).toMatchObject(problem('precondition_required', 428))
    expect(await send('PUT /realms/tenant', {}, { 'if-none-match': '*' })).toMatchObject({ status: 412 })
    expect(await send('PUT /realms/new', {}, { 'if-match': '*' })).toMatchObject({ status: 412 })
  })

  it('another administrator changes it between the read and the write: 412, and the row says that it failed', async () => {
    const store = memoryRealms()
    const { place, send } = await opened({
      run_time: {
        store: {
          ...store,
          async replace(id, change, now) {
            await store.replace(id, { settings: {}, version: change.version }, now)
            return store.replace(id, change, now)
          },
          async remove(id, change, now) {
            await store.replace(id, { settings: SETTINGS, version: change.version }, now)
            return store.remove(id, change, now)
          },
        },
      },
    })
    await send('PUT /realms/tenant', SETTINGS)
    const changed = problem('changed_meanwhile', 412)
    expect(await send('PATCH /realms/tenant?overwrite=true', { identity: { a: 1 } })).toMatchObject(changed)
    expect(await send('DELETE /realms/tenant?overwrite=true')).toMatchObject(changed)
    expect((await place.changes()).map(({ type, outcome }) => `${type} ${outcome}`)).toEqual([
      'realm.create done',
      'realm.update failed',
      'realm.delete failed',
    ])
  })

  it('an id that is used, or was; one that is none; and one more than there may be', async () => {
    const store = memoryRealms()
    const full = { ...store, create: async () => 'full' as const }
    const { place, send } = await opened({ run_time: { store } })
    await send('PUT /realms/tenant', {})
    await send('DELETE /realms/tenant?overwrite=true')
    const deleted = await send('PUT /realms/tenant', {})
    expect(deleted).toMatchObject(conflict)
    expect(deleted.body.detail).toContain('an id is never used again')
    for (const id of ['Tenant', '-tenant', 'a_b', 'a.b', '*', 'a%2Fb', 'x'.repeat(64)])
      expect([id, (await send(`PUT /realms/${id}`, {})).status]).toEqual([id, 400])
    expect((await place.changes()).map(({ type }) => type)).toEqual(['realm.create', 'realm.delete'])
    const { send: sendToFull } = await opened({ run_time: { store: full } })
    const refused = await sendToFull('PUT /realms/more', {})
    expect(refused).toMatchObject(conflict)
    expect(refused.body.detail).toBe('There are 10000 realms, which is the most: delete one first')
  })

  it('two at the same time make a realm once', async () => {
    const store = memoryRealms()
    const held = gate()
    let creations = 0
    const create: typeof store.create = async (...realm) => {
      creations += 1
      if (creations === 1) await held.pass()
      return store.create(...realm)
    }
    const { send } = await opened({ run_time: { store: { ...store, create } } })
    const first = send('PUT /realms/tenant', {})
    await held.reached
    expect(await send('PUT /realms/tenant', SETTINGS)).toMatchObject({ status: 201 })
    held.open()
    expect(await first).toMatchObject(conflict)
  })

  it('settings with faults: each has its pointer, and the name that was meant', async () => {
    const { place, send } = await opened({
      run_time: {
        check: async () => [
          { path: 'oidc.tokens.acess_token', message: 'there is no such key', meant: 'access_token' },
          { path: 'identity.theme', message: 'a realm has none of its own' },
        ],
      },
    })
    const refused = await send('PUT /realms/tenant', SETTINGS)
    expect(refused).toMatchObject(problem('invalid_request', 400))
    expect(refused.body.errors).toEqual([
      { pointer: '/oidc/tokens/acess_token', message: 'there is no such key', suggestion: 'access_token' },
      { pointer: '/identity/theme', message: 'a realm has none of its own' },
    ])
    expect(refused.body.detail).toContain('did you mean access_token?')
    const other = await send('PUT /realms/tenant', { odic: {} })
    expect(other.body.errors).toEqual([expect.objectContaining({ pointer: '/odic', suggestion: 'oidc' })])
    for (const body of [{ oidc: [] }, { oidc: 'x' }, { identity: null }, [], null])
      expect([body, (await send('PUT /realms/tenant', body)).status]).toEqual([body, 400])
    expect([await place.changes(), await place.realms.find('tenant')]).toEqual([[], null])
  })

  it.each([
    '{"oidc":{"__proto__":{"x":1}}}',
    '{"identity":{"a":[{"b":{"__proto__":1}}]}}',
    '{"__proto__":{}}',
  ])('a member that could reach the prototype of an object: %s', async (body) => {
    const { place, send } = await opened()
    await send('PUT /realms/tenant', SETTINGS)
    for (const line of ['PUT /realms/new', 'PATCH /realms/tenant?overwrite=true']) {
      const { status, body: answer } = await send(line, body)
      expect([line, status]).toEqual([line, 400])
      expect(answer.errors[0].pointer).toContain('/__proto__')
    }
    expect(Object.keys(Object.prototype)).toEqual([])
    expect(await place.realms.find('tenant')).toMatchObject({ settings: SETTINGS, version: 1 })
  })

  it('settings that grow by patches beyond 64 KiB', async () => {
    const { send } = await opened()
    const texts = (length: number) => ({ oidc: { a: 'x'.repeat(length) } })
    const rest = JSON.stringify({ oidc: { a: '', b: '' } }).length
    await send('PUT /realms/tenant', texts(40_000))
    const patch = (length: number) =>
      send('PATCH /realms/tenant?overwrite=true', { oidc: { b: 'x'.repeat(length) } })
    expect(await patch(65_536 - 40_000 - rest + 1)).toMatchObject(problem('invalid_request', 400))
    expect((await patch(65_536 - 40_000 - rest)).status).toBe(200)
  })

  it('everything, where realms are not made at run time', async () => {
    const { place, token } = await opened({ run_time: null })
    for (const line of ['GET /realms', 'GET /realms/acme', 'PUT /realms/tenant', 'DELETE /realms/acme'])
      expect(await place.call(token, line, { ...(line.startsWith('PUT') && { body: {} }) })).toMatchObject(
        problem('not_found', 404),
      )
    expect(await (await place.admin.fetch(new Request(`${RESOURCE}/openapi.json`))).text()).not.toContain(
      'realms.put',
    )
  })
})

describe('roles in realms that are made at run time', () => {
  it('name one that is there now; who does not hold it learns nothing of it', async () => {
    const live = new Set(['acme', 'tenant', 'secret'])
    const { place, token } = await opened({ options: { realms: async (id) => live.has(id) } })
    await place.addUser('bob')
    const give = (by: string, realm: string) =>
      place.call(by, 'PUT /realms/acme/roles/users/bob/owner', { body: { realms: [realm] } })
    expect((await give(token, 'tenant')).status).toBe(200)
    const refused = await give(token, 'nowhere')
    expect(refused).toMatchObject(problem('invalid_request', 400))
    expect(refused.body.detail).toContain('there is no realm "nowhere": make it first, or name another')
    await place.give('sub:eve', 'owner', 'acme')
    const { access_token: eve } = await place.signIn('eve')
    const [there, absent] = [await give(eve, 'secret'), await give(eve, 'nowhere')]
    expect([there.status, absent.status]).toEqual([403, 403])
    expect(there.body.detail.replace('secret', '')).toBe(absent.body.detail.replace('nowhere', ''))
  })

  it('a realm that is gone is 404 at the next request', async () => {
    const live = new Set(['acme', 'other'])
    const { place, token } = await opened({ options: { realms: async (id) => live.has(id) } })
    expect((await place.call(token, 'GET /realms/other/clients')).status).toBe(200)
    live.delete('other')
    expect(await place.call(token, 'GET /realms/other/clients')).toMatchObject(problem('not_found', 404))
  })
})
