/** No change without its row: before it, and completed after it. */

import { expect, it } from 'vitest'
import { AuditError, type AuditStore, memoryAuditStore } from '../src/index.ts'
import {
  CLIENT_STORE,
  FACTORS,
  LINKS,
  MANAGEMENT,
  REMEMBERED_DEVICES,
  THROTTLE,
  TICKETS,
  USERS,
} from '../src/rules.ts'
import { auditPlace, dataOf, privateOf, REALM, userRecord } from './_place.ts'

const CLIENT = { client_id: 'app', client_name: 'App', redirect_uris: ['https://app.example.com/cb'] }
const managed = async ({ provider }: ReturnType<typeof auditPlace>, request_id?: string) =>
  provider.manage(REALM, request_id === undefined ? {} : { request_id })

it('a change of a client has the changed members, as they were and as they are', async () => {
  const place = auditPlace()
  const { clients } = await managed(place)
  await clients.create({ ...CLIENT, token_endpoint_auth_method: 'client_secret_basic' })
  await clients.update('app', { client_name: 'Notes' })
  await clients.delete('app')
  const changes = (await place.rows()).filter(({ type }) => /^client\.(?:create|update|delete)$/.test(type))
  expect(changes.map(({ type, outcome, client_id, actor }) => [type, outcome, client_id, actor])).toEqual([
    ['client.create', 'done', 'app', 'system'],
    ['client.update', 'done', 'app', 'system'],
    ['client.delete', 'done', 'app', 'system'],
  ])
  expect(privateOf(changes[0]).before).toBe(undefined)
  expect(privateOf(changes[0]).after).toMatchObject({ client_id: 'app', client_name: 'App' })
  expect(privateOf(changes[1])).toEqual({ before: { client_name: 'App' }, after: { client_name: 'Notes' } })
  expect(dataOf(changes[1]).fields).toEqual(['client_name'])
  expect(privateOf(changes[2])).toEqual({ before: expect.objectContaining({ client_name: 'Notes' }) })
})

it('a secret is named when it changes, and is in no row', async () => {
  const place = auditPlace()
  const { clients } = await managed(place)
  const { client_secret } = await clients.create({
    ...CLIENT,
    token_endpoint_auth_method: 'client_secret_basic',
  })
  await clients.rotateSecret('app')
  await place.users.create(userRecord())
  await place.users.update(userRecord({ password_hash: 'another hash', updated_at: 2 }), 1)
  const rows = await place.rows()
  const fieldsOf = (type: string) => dataOf(rows.find((row) => row.type === type)).fields
  expect(fieldsOf('client.rotate_secret')).toEqual(['client_secret_hash'])
  expect(fieldsOf('user.update')).toEqual(['password_hash'])
  expect(privateOf(rows.find(({ type }) => type === 'user.update'))).toEqual({ before: {}, after: {} })
  const stored = await place.storage(REALM).clients.find('app')
  for (const secret of [client_secret, stored?.client_secret_hash, 'secret-hash', 'another hash'])
    expect(JSON.stringify(rows)).not.toContain(`${secret}`)
})

it('the row is there before the change, and begun', async () => {
  const place = auditPlace()
  const seen: unknown[] = []
  const create = place.stores.users(REALM).create
  const slow = place.audit.stores({
    ...place.stores,
    users: (realm) => ({
      ...place.stores.users(realm),
      async create(user) {
        seen.push(
          ...(await place.store.page(REALM, { limit: 9 })).map(({ type, outcome }) => [type, outcome]),
        )
        return create(user)
      },
    }),
  })
  expect(await slow.users(REALM).create(userRecord())).toBe(true)
  expect(seen).toEqual([['user.create', 'begun']])
  expect((await place.rows()).map(({ outcome, actor }) => [outcome, actor])).toEqual([['done', 'sub:ann-1']])
})

/** A store that fails from its nth write on. */
function failingFrom(nth: number) {
  const store = memoryAuditStore()
  let writes = 0
  const failing: AuditStore = {
    ...store,
    async put(rows) {
      writes += 1
      if (writes >= nth) throw new Error('no database')
      await store.put(rows)
    },
  }
  return {
    failing,
    rows: () => store.page(REALM, { limit: 9 }),
    heal() {
      writes = Number.NEGATIVE_INFINITY
    },
  }
}

it('nothing is changed when the row cannot be written', async () => {
  const { failing } = failingFrom(1)
  const place = auditPlace({ store: failing })
  await expect(place.users.create(userRecord())).rejects.toThrow(AuditError)
  expect(await place.users.find('ann-1')).toBe(null)
  await expect((await managed(place)).clients.create(CLIENT)).rejects.toThrow('Nothing was changed')
  expect(await place.storage(REALM).clients.list({ limit: 9 })).toEqual([])
})

it('a change whose row cannot be completed was made, and the row is completed later', async () => {
  const { failing, rows, heal } = failingFrom(2)
  const place = auditPlace({ store: failing })
  expect(await place.users.create(userRecord())).toBe(true)
  expect((await rows()).map(({ outcome }) => outcome)).toEqual(['begun'])
  heal()
  await place.audit.flush()
  expect((await rows()).map(({ outcome }) => outcome)).toEqual(['done'])
})

it('a change that is refused, or fails, has a row that says so', async () => {
  const place = auditPlace()
  const { clients, sessions } = await managed(place)
  await expect(clients.create({ client_name: '' })).rejects.toThrow()
  expect(await clients.revoke('none')).toBe(false)
  expect(await sessions.end('none')).toBe(null)
  expect((await place.rows()).map(({ type, outcome }) => [type, outcome])).toEqual([
    ['client.create', 'failed'],
    ['client.revoke', 'failed'],
    ['session.end', 'failed'],
  ])
})

it('a change in a request has its address, its reference and its flow, and who has signed in', async () => {
  const place = auditPlace()
  const request = new Request('https://id.example.com/account')
  await place.audit.during({ request, request_id: 'r-1', address: '192.0.2.7' }, async () => {
    place.audit.onFlow(request, 'flow')
    await (await managed(place, 'r-1')).users.endAccess('ann-1')
  })
  const [row] = await place.rows()
  expect(row).toMatchObject({
    type: 'user.end_access',
    actor: 'sub:ann-1',
    flow: 'flow',
    refs: [expect.any(String)],
  })
  expect(dataOf(row)).toMatchObject({ request_id: 'r-1', sessions: 0, grants: 0 })
  expect(privateOf(row)).toEqual({ address: '192.0.2.7' })
})

it('a command and a configuration are the actors of what they change', async () => {
  const place = auditPlace({ actor: 'cli:ann@host' })
  await place.users.create(userRecord())
  await (await managed(place)).clients.create(CLIENT)
  await place.audit
    .stores(place.stores, 'configuration')
    .users(REALM)
    .create(userRecord({ sub: 'bob', username_key: 'bob' }))
  await place.audit.change({ realm: REALM, type: 'realm.import' }, async () => {})
  const rows = (await place.rows()).filter(
    ({ outcome, type }) => outcome === 'done' && type !== 'client.created',
  )
  expect(rows.map(({ type, actor }) => [type, actor])).toEqual([
    ['user.create', 'cli:ann@host'],
    ['client.create', 'cli:ann@host'],
    ['user.create', 'configuration'],
    ['realm.import', 'cli:ann@host'],
  ])
})

it('the deletion of a user erases addresses and changed members of the rows about the user', async () => {
  const place = auditPlace()
  await place.users.create(userRecord())
  place.emit({
    type: 'session.started',
    sub: 'ann-1',
    sid: 's',
    amr: [],
    client_id: 'app',
    address: '192.0.2.7',
  })
  place.emit({
    type: 'session.started',
    sub: 'bob-1',
    sid: 's',
    amr: [],
    client_id: 'app',
    address: '192.0.2.8',
  })
  expect(await place.users.delete('ann-1')).toBe(true)
  const rows = await place.rows()
  expect(rows.map(({ sub, private: part }) => [sub, part !== null])).toEqual([
    ['ann-1', false],
    ['ann-1', false],
    ['bob-1', true],
    ['ann-1', false],
  ])
  expect(JSON.stringify(rows)).not.toMatch(/192\.0\.2\.7|ann@example/)
})

it('a ticket has a row when an operator makes it', async () => {
  const place = auditPlace()
  const ticket = { ticket_hash: 'h', sub: 'ann-1', credential_version: 0, created_at: 1, expires_at: 9 }
  const tickets = place.audited.tickets(REALM)
  await tickets.put({ ...ticket, purpose: 'reset' })
  await tickets.put({ ...ticket, purpose: 'recover' })
  expect((await place.rows()).map((row) => dataOf(row).purpose)).toEqual(['recover'])
})

/** Each function of management and stores that is no reading one. */
it('every function that changes something writes its row first', async () => {
  const { audit, store, stores, bare, storage } = auditPlace()
  const management = await bare.manage(REALM)
  const groups = [
    [management, MANAGEMENT, (target: object) => audit.management(REALM, target as typeof management)],
    ...(
      [
        ['users', USERS],
        ['factors', FACTORS],
        ['links', LINKS],
        ['tickets', TICKETS],
        ['remembered_devices', REMEMBERED_DEVICES],
      ] as const
    ).map(
      ([name, rules]) =>
        [
          stores[name](REALM),
          rules,
          (target: object) =>
            audit.stores({ ...stores, [name]: () => target })[name](REALM) as unknown as object,
        ] as const,
    ),
    ...(
      [
        ['clients', CLIENT_STORE],
        ['throttle', THROTTLE],
      ] as const
    ).map(
      ([name, rules]) =>
        [
          storage(REALM)[name],
          rules,
          (target: object) =>
            audit.storage(Object.assign(() => ({ ...storage(REALM), [name]: target }), {}) as typeof storage)(
              REALM,
            )[name],
        ] as const,
    ),
  ] as const
  let checked = 0
  for (const [target, rules, wrap] of groups) {
    for (const [path, rule] of functionsOf(rules)) {
      const calls: string[] = []
      const wrapped = wrap(
        replaced(target, path, async () => {
          calls.push(
            ...(await store.page(REALM, { limit: 99_999 }))
              .slice(-1)
              .map(({ type, outcome }) => `${type} ${outcome}`),
          )
          return RESULT
        }),
      )
      const call = path.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], wrapped)
      const before = (await store.page(REALM, { limit: 99_999 })).length
      await (call as (...args: unknown[]) => Promise<unknown>)(
        { sub: 's', client_id: 'c', purpose: 'recover' },
        {},
        {},
      )
      const added = (await store.page(REALM, { limit: 99_999 })).length - before
      const is_change = typeof rule === 'object'
      expect({ path, added }).toEqual({ path, added: is_change ? 1 : 0 })
      if (is_change) expect(calls).toEqual([expect.stringMatching(/ begun$/)])
      checked += 1
    }
    // The store in memory has one of its own to tidy up.
    expect(
      functionsOf(rules)
        .map(([path]) => path.join('.'))
        .sort(),
    ).toEqual(
      namesOf(target)
        .filter((name) => name !== 'purge')
        .sort(),
    )
  }
  expect(checked).toBeGreaterThan(60)
})

/** What the functions return, as far as rows tell of it. */
const RESULT = Object.assign([], { sids: [], grants: 0, kid: 'k', signs_from: 1, client: { client_id: 'c' } })

type Tree = { readonly [name: string]: unknown }
const isGroup = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !('subject' in value)

function functionsOf(rules: object, path: string[] = []): [string[], unknown][] {
  return Object.entries(rules).flatMap(([name, rule]) =>
    isGroup(rule) ? functionsOf(rule, [...path, name]) : [[[...path, name], rule] as [string[], unknown]],
  )
}

function namesOf(target: object, path: string[] = []): string[] {
  return Object.entries(target).flatMap(([name, value]) =>
    typeof value === 'function' ? [[...path, name].join('.')] : namesOf(value as object, [...path, name]),
  )
}

function replaced(target: object, [name = '', ...rest]: string[], by: unknown): object {
  const members = target as Record<string, object>
  return { ...members, [name]: rest.length === 0 ? by : replaced(members[name] ?? {}, rest, by) }
}

it('changes of one caller with a request have the caller as the actor, whoever they are about, and its reference', async () => {
  const { audit, bare, stores, store, rows } = auditPlace()
  const request = new Request('https://id.example.com/')
  await audit.during({ request, request_id: 'r-1', address: '192.0.2.1' }, async () => {
    const by = audit.as('sub:boss', 'r-1')
    await by.management(REALM, await bare.manage(REALM)).clients.create(CLIENT)
    await by.stores(stores).users(REALM).create(userRecord())
    await by.change({ realm: REALM, type: 'role.grant', sub: 'eve' }, async () => true)
  })
  const changes = (await rows()).filter(({ actor }) => actor === 'sub:boss')
  expect(changes.map(({ type, outcome }) => `${type} ${outcome}`)).toEqual([
    'client.create done',
    'user.create done',
    'role.grant done',
  ])
  for (const row of changes) {
    expect(dataOf(row).request_id).toBe('r-1')
    expect(row.refs).toHaveLength(1)
    expect(privateOf(row).address).toBe('192.0.2.1')
  }
  expect(await store.list(REALM, { filter: { actor: 'sub:boss' }, limit: 10 })).toHaveLength(3)
})

it('a change that names its record has a row with what was changed of it, and one that fails has none of that', async () => {
  const { audit, rows } = auditPlace()
  const record: { current: object | null } = { current: { a: 1, b: 2 } }
  const by = audit.as('sub:boss', 'r-1')
  const change = (type: string, run: () => Promise<boolean>) =>
    by.change({ realm: REALM, type, ids: { realm_id: 'acme' } }, run, async () => record.current)
  await change('realm.update', async () => {
    record.current = { a: 1, b: 3, c: 4 }
    return true
  })
  await change('realm.delete', async () => {
    record.current = null
    return true
  })
  await change('realm.create', async () => false)
  expect((await rows()).map((row) => [row.outcome, dataOf(row).realm_id, dataOf(row).fields])).toEqual([
    ['done', 'acme', ['b', 'c']],
    ['done', 'acme', ['a', 'b', 'c']],
    ['failed', 'acme', undefined],
  ])
  expect((await rows()).map(privateOf)).toEqual([
    { before: { b: 2 }, after: { b: 3, c: 4 } },
    { before: { a: 1, b: 3, c: 4 } },
    {},
  ])
})
