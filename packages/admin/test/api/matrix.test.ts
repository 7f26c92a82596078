/** Every operation × every role × own and foreign realm. A new operation without a row fails. */

import { describe, expect, it } from 'vitest'
import { ROLES } from '../../src/index.ts'
import { scopeOf } from '../../src/roles/decide.ts'
import type { Access, Area, Role } from '../../src/roles/rights.ts'
import { OPERATIONS } from './_operations.ts'
import { adminPlace, type Place, userRecord } from './_place.ts'
import { auditRow, changeRow, DOCUMENT, factor, link, withDocument, withTicket, withWays } from './_ways.ts'

/** By operation: what it needs, and a call of it that no record refuses. Written apart from the source. */
const ROWS: Record<string, readonly [area: Area, access: Access, line: string, body?: unknown]> = {
  'clients.list': ['clients', 'read', 'GET /clients'],
  'clients.get': ['clients', 'read', 'GET /clients/notes'],
  'clients.put': [
    'clients',
    'write',
    'PUT /clients/notes?overwrite=true',
    { redirect_uris: ['https://a.example.com/'] },
  ],
  'clients.patch': ['clients', 'write', 'PATCH /clients/notes?overwrite=true', { client_name: 'Notes' }],
  'clients.delete': ['clients', 'write', 'DELETE /clients/notes'],
  'clients.secret': ['clients', 'write', 'POST /clients/service/secret'],
  'clients.users': ['consents', 'read', 'GET /clients/notes/users'],
  'client_documents.list': ['clients', 'read', 'GET /client-documents'],
  'client_documents.get': ['clients', 'read', `GET /clients/${encodeURIComponent(DOCUMENT)}/document`],
  'clients.forget': ['clients', 'write', `DELETE /clients/${encodeURIComponent(DOCUMENT)}/document`],
  'clients.revoke': ['clients', 'write', 'POST /clients/old/revoke'],
  'registration.get': ['clients', 'read', 'GET /registration'],
  'upstreams.list': ['realms', 'read', 'GET /upstreams'],
  'upstreams.get': ['realms', 'read', 'GET /upstreams/google'],
  'upstreams.check': ['realms', 'write', 'POST /upstreams/google/check'],
  'users.list': ['users', 'read', 'GET /users'],
  'users.get': ['users', 'read', 'GET /users/bob'],
  'users.put': ['users', 'write', 'PUT /users/bob?overwrite=true', { username: 'bob' }],
  'users.patch': ['users', 'write', 'PATCH /users/bob?overwrite=true', { groups: ['staff'] }],
  'users.delete': ['users', 'write', 'DELETE /users/bob'],
  'users.password': ['users', 'write', 'POST /users/bob/password', { password: 'correct horse battery' }],
  'users.disable': ['users', 'write', 'POST /users/bob/disable'],
  'users.enable': ['users', 'write', 'POST /users/bob/enable'],
  'factors.list': ['users', 'read', 'GET /users/bob/factors'],
  'factors.remove_all': ['users', 'write', 'DELETE /users/bob/factors'],
  'factors.remove': ['users', 'write', 'DELETE /users/bob/factors/totp-of-bob'],
  'recovery_link.make': ['users', 'write', 'POST /users/bob/recovery-link'],
  'recovery_link.cancel': ['users', 'write', 'DELETE /users/bob/recovery-link'],
  'links.list': ['users', 'read', 'GET /users/bob/links'],
  'links.remove_all': ['users', 'write', 'DELETE /users/bob/links'],
  'links.remove': ['users', 'write', 'DELETE /users/bob/links/google'],
  'addresses.list': ['users', 'read', 'GET /users/bob/addresses'],
  'invitations.list': ['users', 'read', 'GET /invitations'],
  'invitation.get': ['users', 'read', 'GET /users/bob/invitation'],
  'invitation.make': ['users', 'write', 'POST /users/bob/invitation', {}],
  status: ['realms', 'read', 'GET /status'],
  'mail.list': ['users', 'read', 'GET /mail'],
  'mail.test': ['realms', 'write', 'POST /mail/test', { to: 'ops@example.com' }],
  'throttles.list': ['users', 'read', 'GET /throttles?username=bob'],
  'throttles.reset': ['users', 'write', 'DELETE /throttles?username=bob'],
  'users.end_access': ['sessions', 'write', 'POST /users/bob/end-access'],
  'sessions.list': ['sessions', 'read', 'GET /users/bob/sessions'],
  'sessions.end_all': ['sessions', 'write', 'DELETE /users/bob/sessions'],
  'sessions.end': ['sessions', 'write', 'DELETE /users/bob/sessions/{sid}'],
  'grants.list': ['sessions', 'read', 'GET /users/bob/grants'],
  'grants.revoke': ['sessions', 'write', 'DELETE /users/bob/grants?client_id=notes'],
  'consents.list': ['consents', 'read', 'GET /users/bob/consents'],
  'consents.revoke': ['consents', 'write', 'DELETE /users/bob/consents/notes'],
  'keys.list': ['keys', 'read', 'GET /keys'],
  'keys.rotate': ['keys', 'write', 'POST /keys', { alg: 'PS256' }],
  'keys.revoke': ['keys', 'write', 'DELETE /keys/{kid}'],
  'audit.list': ['audit', 'read', 'GET /audit'],
  'audit.get': ['audit', 'read', 'GET /audit/a-row'],
  'audit.explain': ['users', 'read', 'GET /explain/7F3A-2C1D'],
  'audit.undo': ['audit', 'write', 'POST /audit/a-change/undo'],
  'audit.coverage': ['audit', 'read', 'GET /audit-coverage'],
  'users.export': ['audit', 'read', 'GET /users/bob/export'],
  'simulate.authorization': [
    'clients',
    'read',
    'POST /simulate/authorization',
    { client_id: 'notes', parameters: {}, sub: 'bob' },
  ],
  'simulate.tokens': [
    'clients',
    'read',
    'POST /simulate/tokens',
    { client_id: 'notes', sub: 'bob', scopes: [] },
  ],
  'simulate.sign_in': ['users', 'read', 'POST /simulate/sign-in', { username: 'bob' }],
  'roles.list': ['roles', 'read', 'GET /roles'],
  'roles.put': ['roles', 'write', 'PUT /roles/users/bob/support', { realms: ['acme'] }],
  'roles.delete': ['roles', 'write', 'DELETE /roles/users/bob/support'],
  'realms.list': ['realms', 'read', 'GET '],
  'realms.get': ['realms', 'read', 'GET '],
  'realms.put': ['realms', 'write', 'PUT ?overwrite=true', { oidc: { tokens: { access_token: 60 } } }],
  'realms.patch': ['realms', 'write', 'PATCH ?overwrite=true', { identity: { account: true } }],
  'realms.delete': ['realms', 'write', 'DELETE ?overwrite=true'],
}

const WRITERS: Record<Area, readonly Role[]> = {
  clients: ['manager', 'owner'],
  users: ['support', 'manager', 'owner'],
  consents: ['support', 'manager', 'owner'],
  sessions: ['support', 'manager', 'owner'],
  keys: ['owner'],
  audit: ['owner'],
  realms: ['owner'],
  roles: ['owner'],
}
const may = (role: Role, [area, access]: readonly [Area, Access, ...unknown[]]) =>
  WRITERS[area].includes(role) || (access === 'read' && role === 'auditor')

it('has a row for every operation, with what the operation says it needs', () => {
  const said = OPERATIONS.map(({ id, area, access }) => [id, [area, access]])
  expect(Object.fromEntries(said)).toEqual(
    Object.fromEntries(Object.entries(ROWS).map(([id, [area, access]]) => [id, [area, access]])),
  )
})

async function records({ w, people, give }: Place): Promise<void> {
  for (const realm of ['acme', 'other']) {
    const { clients } = await w.provider.manage(realm)
    await clients.create({ client_id: 'notes', redirect_uris: ['https://a.example.com/'] })
    await clients.create({ client_id: 'old', redirect_uris: ['https://a.example.com/'] })
    await clients.create({ client_id: 'service', confidential: true, grant_types: ['client_credentials'] })
    await people.users(realm).create(userRecord('bob'))
    await (await w.provider.manage(realm)).keys.ready()
  }
  await give('sub:boss', 'owner', '*')
}

/** A session of bob. */
async function sidOf({ w }: Place, realm: string): Promise<string> {
  const login = { auth_time: 1, amr: ['pwd'], acr: '1', created_at: 1, expires_at: w.clock.now + 600 }
  const stored = {
    ...login,
    sub: 'bob',
    client_ids: [],
    user_agent: null,
    last_used_at: null,
    raised_at: null,
  }
  await w.storage(realm).sessions.create({ ...stored, sid: 'a-session', session_hash: 'a-hash' })
  return 'a-session'
}

/** A key that has leaked: it is stored, and signs nothing. */
async function kidOf({ w }: Place, realm: string): Promise<string> {
  const [key] = await w.storage(realm).keys.list()
  if (key === undefined) return 'none'
  await w.storage(realm).keys.add({ ...key, kid: 'leaked' })
  return 'leaked'
}

/** How bob gets in, and a row: what a call before has removed is there again. */
async function ways(place: Place, realm: string): Promise<void> {
  const bob = { realm, sub: 'bob' }
  const { people, rows } = place
  if ((await people.factors(realm).list('bob')).length === 0)
    await withWays(place, bob, { factors: [factor('bob')] })
  if ((await people.links(realm).list('bob')).length === 0)
    await withWays(place, bob, { links: [link('bob')] })
  await withTicket(place, bob, 'wait')
  await withTicket(place, bob, 'invite')
  await rows.put([auditRow(realm, 'a-row'), changeRow(realm, 'a-change')])
  await withDocument(place, realm)
}

/** Clears what the call before has left: roles of bob, and the counter of requests. */
async function called({ place, token }: { place: Place; token: string }, realm: string, id: string) {
  const [, , line = '', body] = ROWS[id] ?? []
  const [method, path] = line.split(' ')
  if (id === 'roles.delete') await place.give('sub:bob', 'support', 'acme')
  else await place.roles.change('acme', () => ({ remove: { holder: 'sub:bob', role: 'support' } }))
  await place.w.storage('acme').throttle.reset('admin:')
  await ways(place, realm)
  const filled = (path ?? '')
    .replace('{sid}', await sidOf(place, realm))
    .replace('{kid}', await kidOf(place, realm))
  const below = id === 'realms.list' ? '' : `/${realm}`
  return place.call(token, `${method} /realms${below}${filled}`, body === undefined ? {} : { body })
}

describe.each(ROLES)('%s', (role) => {
  it('does what the table says, in its realms alone', async () => {
    const place = await adminPlace()
    await records(place)
    const { access_token } = await place.signIn('ann')
    for (const realms of [['acme'], ['other'], ['*']]) {
      await place.give('sub:ann', role, ...realms)
      for (const [id, row] of Object.entries(ROWS))
        for (const realm of ['acme', 'other']) {
          const { status } = await called({ place, token: access_token }, realm, id)
          const is_there = row[0] !== 'roles' || realm === 'acme'
          const is_in = id === 'realms.list' || realms.includes('*') || realms.includes(realm)
          const allowed = is_in && is_there && may(role, row)
          // What is not permitted is answered as what is not there.
          const expected = allowed ? 'allowed' : 404
          const told = status === 404 ? 404 : 'allowed'
          expect([id, realm, realms, told, status < 500]).toEqual([id, realm, realms, expected, true])
          if (allowed)
            expect([id, status]).not.toEqual([id, expect.toSatisfy((code) => [401, 403].includes(code))])
        }
    }
  })
})

it('without the scope, an owner is told which one is missing', async () => {
  const place = await adminPlace()
  await records(place)
  await place.give('sub:ann', 'owner', '*')
  const { access_token } = await place.signIn('ann', { scope: 'admin.realms:read' })
  const other = await place.signInAgain('ann', { scope: 'admin.keys:read' })
  for (const [id, [area, access]] of Object.entries(ROWS)) {
    const token = area === 'realms' ? other.access_token : access_token
    const { status, headers, body } = await called({ place, token }, 'acme', id)
    expect([id, status]).toEqual([id, 403])
    expect(body.type).toBe('urn:ostiary:problem:insufficient_scope')
    expect(headers.get('www-authenticate')).toContain(`scope="${scopeOf(area, access)}"`)
  }
})

it('the scope for write is enough to read, and that for read is not enough to write', async () => {
  const place = await adminPlace()
  await records(place)
  await place.give('sub:ann', 'owner', '*')
  const { access_token } = await place.signIn('ann', { scope: 'admin.clients:write admin.users:read' })
  expect((await called({ place, token: access_token }, 'acme', 'clients.get')).status).toBe(200)
  expect((await called({ place, token: access_token }, 'acme', 'users.get')).status).toBe(200)
  expect((await called({ place, token: access_token }, 'acme', 'users.put')).status).toBe(403)
})

it('a realm that does not exist is as one in which the caller has no role', async () => {
  const place = await adminPlace()
  await place.give('sub:ann', 'owner', '*')
  const { access_token } = await place.signIn('ann')
  const { body: absent, status } = await place.call(access_token, 'GET /realms/nowhere/clients')
  expect(status).toBe(404)
  await place.give('sub:ann', 'owner', 'acme')
  const { body: foreign } = await place.call(access_token, 'GET /realms/other/clients')
  expect({ ...foreign, request_id: '' }).toEqual({ ...absent, request_id: '' })
})
