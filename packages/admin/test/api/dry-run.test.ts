/** A dry run says what a write would do, and writes nothing: here no store takes a write. */

import { counterOf } from '@ostiary/core'
import { memoryMailQueue } from '@ostiary/identity/mail'
import { beforeEach, describe, expect, it } from 'vitest'
import { OPERATIONS } from './_operations.ts'
import { adminPlace, type Place, userRecord } from './_place.ts'
import { changeRow, DOCUMENT, factor, link, withDocument, withTicket, withWays } from './_ways.ts'

const NOTES = { client_name: 'Notes', redirect_uris: ['https://notes.example.com/callback'] }
const NOTHING = { sessions: 0, grants: 0, consents: 0, keys: 0 }
const SECRET = 'correct horse battery'
const SETTINGS = { oidc: { tokens: { access_token: 300 } } }

interface Row {
  line: string
  body?: unknown
  changes: unknown[]
  effects?: Partial<Record<keyof typeof NOTHING | 'clients' | 'users', number | null>>
}

const OLD = { from: expect.objectContaining({ client_id: 'service' }) }
const NOW = 1_800_000_000
const NEW_KEY = { alg: 'RS256', created_at: NOW, signs_from: NOW + 3600 }
/** What kim has beside a password, without what is secret. */
const APP = {
  factor_id: 'totp-of-kim',
  kind: 'totp',
  label: 'The totp',
  created_at: 1,
  last_used_at: null,
}
const { sub: _, ...GOOGLE } = link('kim')

/** By operation: a request, and what it would do. eve has a session, with a grant for offline access and another one, and a consent. */
const ROWS: Record<string, Row> = {
  'clients.put': {
    line: 'PUT /clients/new',
    body: { ...NOTES, client_secret: 'x7'.repeat(20), token_endpoint_auth_method: 'client_secret_post' },
    changes: [{ pointer: '', to: expect.objectContaining({ client_id: 'new', client_name: 'Notes' }) }],
  },
  'clients.patch': {
    line: 'PATCH /clients/service?overwrite=true',
    body: { client_name: 'Service', access_token_lifetime: 60 },
    changes: [
      { pointer: '/client_name', from: 'service', to: 'Service' },
      { pointer: '/access_token_lifetime', from: null, to: 60 },
    ],
  },
  'clients.delete': {
    line: 'DELETE /clients/service?overwrite=true',
    changes: [{ pointer: '', ...OLD }],
    effects: { grants: null, consents: null },
  },
  'clients.secret': {
    line: 'POST /clients/service/secret',
    changes: [{ pointer: '/client_secret', secret: true }],
  },
  'clients.forget': {
    line: `DELETE /clients/${encodeURIComponent(DOCUMENT)}/document`,
    changes: [
      {
        pointer: '',
        from: { client_id: DOCUMENT, fetched_at: NOW, changed_at: NOW, expires_at: NOW + 3600 },
      },
    ],
  },
  // The provider is not asked: nothing listens there.
  'upstreams.check': { line: 'POST /upstreams/google/check', changes: [] },
  'mail.test': { line: 'POST /mail/test', body: { to: 'ops@example.com' }, changes: [] },
  'clients.revoke': {
    line: 'POST /clients/service/revoke',
    changes: [{ pointer: '/revoked_at', from: null, to: 1_800_000_000 }],
  },
  'users.put': {
    line: 'PUT /users/new',
    body: { username: 'New', groups: ['staff'] },
    changes: [
      { pointer: '', to: expect.objectContaining({ sub: 'new', username: 'New', groups: ['staff'] }) },
    ],
  },
  'users.patch': {
    line: 'PATCH /users/eve?overwrite=true',
    body: { claims: { email: 'eve@example.com', 'a/b~c': 1 }, username: 'Eve' },
    changes: [
      { pointer: '/username', from: 'eve', to: 'Eve' },
      { pointer: '/claims/email', to: 'eve@example.com' },
      { pointer: '/claims/a~1b~0c', to: 1 },
    ],
  },
  'users.delete': {
    line: 'DELETE /users/eve?overwrite=true',
    changes: [{ pointer: '', from: expect.objectContaining({ sub: 'eve', disabled_at: null }) }],
    effects: { sessions: 1, grants: 2, consents: 1 },
  },
  'users.password': {
    line: 'POST /users/eve/password',
    body: { password: SECRET },
    changes: [{ pointer: '/password', secret: true }],
    effects: { sessions: 1, grants: 2 },
  },
  'users.disable': {
    line: 'POST /users/eve/disable',
    changes: [{ pointer: '/disabled_at', from: null, to: 1_800_000_000 }],
    effects: { sessions: 1, grants: 2 },
  },
  'audit.undo': {
    line: 'POST /audit/a-change/undo',
    changes: [{ pointer: '/disabled_at', from: null, to: NOW }],
    effects: { sessions: 1, grants: 2 },
  },
  'users.enable': { line: 'POST /users/eve/enable', changes: [] },
  'users.end_access': {
    line: 'POST /users/eve/end-access',
    changes: [],
    effects: { sessions: 1, grants: 2 },
  },
  'sessions.end_all': {
    line: 'DELETE /users/eve/sessions',
    changes: [],
    effects: { sessions: 1, grants: 1 },
  },
  'sessions.end': {
    line: 'DELETE /users/eve/sessions/{sid}',
    changes: [],
    effects: { sessions: 1, grants: 1 },
  },
  'grants.revoke': { line: 'DELETE /users/eve/grants?client_id=ops', changes: [], effects: { grants: 2 } },
  'consents.revoke': {
    line: 'DELETE /users/eve/consents/ops',
    changes: [],
    effects: { grants: 2, consents: 1 },
  },
  'factors.remove_all': { line: 'DELETE /users/kim/factors', changes: [{ pointer: '', from: APP }] },
  'factors.remove': { line: 'DELETE /users/kim/factors/totp-of-kim', changes: [{ pointer: '', from: APP }] },
  'recovery_link.make': {
    line: 'POST /users/kim/recovery-link',
    changes: [{ pointer: '', to: { purpose: 'recover', created_at: NOW, expires_at: NOW + 3600 } }],
  },
  'recovery_link.cancel': {
    line: 'DELETE /users/kim/recovery-link',
    changes: [{ pointer: '', from: { purpose: 'wait', created_at: NOW, expires_at: NOW + 600 } }],
  },
  'links.remove_all': { line: 'DELETE /users/kim/links', changes: [{ pointer: '', from: GOOGLE }] },
  'links.remove': { line: 'DELETE /users/kim/links/google', changes: [{ pointer: '', from: GOOGLE }] },
  'invitation.make': {
    line: 'POST /users/eve/invitation',
    body: { print: true },
    changes: [{ pointer: '', to: { purpose: 'invite', created_at: NOW, expires_at: NOW + 604_800 } }],
  },
  'throttles.reset': {
    line: 'DELETE /throttles?address=192.0.2.1',
    changes: [
      { pointer: '', from: { limit: 'register', counted: 1, maximum: 60, until: expect.any(Number) } },
    ],
  },
  'keys.rotate': {
    line: 'POST /keys',
    body: {},
    changes: [{ pointer: '', to: NEW_KEY }],
    effects: { keys: 1 },
  },
  'keys.revoke': {
    line: 'DELETE /keys/{kid}',
    changes: [{ pointer: '', from: expect.objectContaining({ alg: 'RS256' }) }],
    effects: { keys: 1 },
  },
  'roles.put': {
    line: 'PUT /roles/users/eve/support',
    body: { realms: ['other', 'acme'] },
    changes: [
      { pointer: '', to: { sub: 'eve', client_id: null, role: 'support', realms: ['acme', 'other'] } },
    ],
  },
  'roles.delete': {
    line: 'DELETE /roles/users/bob/auditor',
    changes: [{ pointer: '', from: { sub: 'bob', client_id: null, role: 'auditor', realms: ['*'] } }],
  },
  'realms.put': {
    line: 'PUT /realms/new',
    body: SETTINGS,
    changes: [{ pointer: '', to: { id: 'new', ...SETTINGS, identity: {} } }],
  },
  'realms.patch': {
    line: 'PATCH /realms/tenant?overwrite=true',
    body: { oidc: { tokens: { access_token: 60 } }, identity: { account: true } },
    changes: [
      { pointer: '/oidc/tokens/access_token', from: 300, to: 60 },
      { pointer: '/identity/account', to: true },
    ],
  },
  'realms.delete': {
    line: 'DELETE /realms/tenant?overwrite=true',
    changes: [{ pointer: '', from: { id: 'tenant', ...SETTINGS, identity: {} } }],
    effects: { clients: 1, users: 2, sessions: 3, grants: 4, consents: null, keys: 1 },
  },
}

/** What may be called of a store when no write is taken; requests are counted. */
const READS = /^(?:find|list|of|has|deleted|page|hit$)/
let is_sealed = false
const written: string[] = []
const wrap = <Store extends object>(store: Store): Store =>
  new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (typeof value !== 'function' || READS.test(String(name))) return value
      return (...args: unknown[]) => {
        if (!is_sealed) return value.apply(target, args)
        written.push(String(name))
        throw new Error(`A dry run writes: ${String(name)}`)
      }
    },
  })

let place: Place
let token: string
let path: Record<string, string>

/** A realm that mails, without a mail server. */
const mail = {
  queue: memoryMailQueue(),
  of: () => ({
    mailer: { send: () => Promise.reject(new Error('nothing is sent here')) },
    from: 'id@example.com',
  }),
}

beforeEach(async () => {
  is_sealed = false
  place = await adminPlace({ wrap, mail })
  const { w, realm } = place
  await place.give('sub:ann', 'owner', '*')
  await place.give('sub:bob', 'auditor', '*')
  await place.realms.create({ id: 'tenant', settings: SETTINGS }, 1)
  await place.addUser('bob')
  const kim = { realm, sub: 'kim' }
  await place.addUser('kim', { password_hash: 'quick:1' })
  await withWays(place, kim, { factors: [factor('kim')], links: [link('kim')] })
  await withTicket(place, kim, 'wait')
  await withDocument(place, realm)
  await w.storage(realm).throttle.hit(counterOf('register', '192.0.2.1'), 60, NOW)
  token = (await place.signIn('ann')).access_token
  await signedIn()
  const { clients, keys } = await w.provider.manage(realm)
  await clients.create({ client_id: 'service', confidential: true, grant_types: ['client_credentials'] })
  const [session] = await w.storage(realm).sessions.list('eve')
  const [key] = await keys.list()
  path = { '{sid}': session?.sid ?? '', '{kid}': key?.kid ?? '' }
  const enabled = {
    sub: 'eve',
    data: '{"fields":["disabled_at"]}',
    private: '{"before":{"disabled_at":1},"after":{}}',
  }
  await place.rows.put([changeRow(realm, 'a-change', enabled)])
  is_sealed = true
  written.length = 0
})

/** The rows of changes that requests have left. */
const changes = async () => (await place.changes()).filter(({ audit_id }) => audit_id !== 'a-change')

/** eve: a session with two grants, one of which is for offline access, and a consent. */
async function signedIn(): Promise<void> {
  const { w, realm } = place
  await place.signIn('eve', { scope: 'offline_access' })
  const { grants, sessions, consents } = w.storage(realm)
  const [grant] = await grants.list('eve', w.clock.now)
  const [session] = await sessions.list('eve')
  if (grant === undefined || session === undefined) throw new Error('eve has not signed in')
  const code = {
    code_hash: 'another',
    grant_id: 'another',
    redirect_uri: 'https://a.example.com/',
    redirect_uri_sent: true,
    code_challenge: null,
    nonce: null,
    dpop_jkt: null,
    expires_at: w.clock.now + 60,
    redeemed_at: null,
  }
  await grants.create({ ...grant, grant_id: 'another', offline: false, sid: session.sid }, code)
  const approved = [{ resource: w.issuer, scopes: ['openid'] }]
  await consents.merge({ sub: 'eve', client_id: 'ops', approved }, w.clock.now)
}

const dry = (line: string, body?: unknown, headers: Record<string, string> = {}) => {
  const [method, address = ''] = line.split(' ')
  const filled = address.replace(/\{\w+\}/, (name) => path[name] ?? '')
  const search = `${filled.includes('?') ? '&' : '?'}dry_run=true`
  const request = { headers, ...(body !== undefined && { body }) }
  const below = filled.startsWith('/realms/') ? '' : '/realms/acme'
  return place.call(token, `${method} ${below}${filled}${search}`, request)
}
const problem = (code: string, status: number) => ({ status, body: { type: `urn:ostiary:problem:${code}` } })

it('has a row for each write', () => {
  const writes = OPERATIONS.filter(({ access }) => access === 'write').map(({ id }) => id)
  expect(Object.keys(ROWS).sort()).toEqual(writes.sort())
})

it.each(Object.entries(ROWS))('%s says what it would do, and does not', async (id, row) => {
  const events = [...place.w.events, ...place.events]
  const answer = await dry(row.line, row.body)
  expect(answer).toMatchObject({ status: 200, body: expect.anything() })
  expect(answer.headers.get('content-type')).toBe('application/vnd.ostiary.dry-run+json')
  expect(answer.body).toEqual({
    changes: expect.toSatisfy((changes) => changes.length === row.changes.length),
    effects: { ...NOTHING, ...row.effects },
  })
  expect(answer.body.changes).toEqual(expect.arrayContaining(row.changes))
  expect(JSON.stringify(answer.body)).not.toMatch(/hash|x7x7|correct horse/)
  expect([written, place.failures]).toEqual([[], []])
  expect([...place.w.events, ...place.events]).toEqual(events)
  // Only the row of the dry run itself.
  expect(await changes()).toMatchObject([{ type: 'dry_run', outcome: 'done', actor: 'sub:ann' }])
  expect((await changes()).map(({ data }) => JSON.parse(data).operation)).toEqual([id])
})

it('a store that is written to is noticed', async () => {
  const { status } = await place.call(token, 'POST /realms/acme/users/eve/disable')
  expect([status, written]).toEqual([500, ['update']])
})

describe('what the write refuses, the dry run refuses', () => {
  it.each([
    ['400', 'PUT /clients/new', { client_nam: 'x' }, problem('invalid_request', 400)],
    ['400 of core', 'PUT /clients/new', { redirect_uris: [] }, problem('invalid_request', 400)],
    ['400 of a parameter', 'PUT /clients/new?other=1', NOTES, problem('invalid_request', 400)],
    ['404', 'PATCH /users/nobody', {}, problem('not_found', 404)],
    ['409', 'PUT /users/new', { username: 'ann' }, problem('conflict', 409)],
    ['409 of a secret', 'POST /clients/ops/secret', undefined, problem('conflict', 409)],
    ['428', 'PATCH /users/eve', { username: 'x' }, problem('precondition_required', 428)],
    ['400 of a key', 'POST /keys', { alg: 'ES256' }, problem('invalid_request', 400)],
    ['409 of the last owner', 'DELETE /roles/users/ann/owner', undefined, problem('conflict', 409)],
    ['400 of a password', 'POST /users/eve/password', { password: 'x' }, problem('invalid_request', 400)],
  ] as const)('%s', async (...[, line, body, refused]) => {
    expect(await dry(line, body)).toMatchObject(refused)
    expect([written, place.failures, await changes()]).toEqual([[], [], []])
  })

  it('412', async () => {
    const headers = { 'if-match': '"other"' }
    expect(await dry('PATCH /users/eve', { username: 'x' }, headers)).toMatchObject({ status: 412 })
    expect(await dry('DELETE /clients/ops', undefined, headers)).toMatchObject({ status: 412 })
    expect(await dry('PUT /clients/ops', NOTES, { 'if-none-match': '*' })).toMatchObject({ status: 412 })
  })

  it('403 and 404 of another role, and 401 of a sign-in that is too long ago', async () => {
    is_sealed = false
    await place.give('sub:sue', 'support', 'acme')
    const owner = token
    token = (await place.signIn('sue')).access_token
    is_sealed = true
    expect(await dry('POST /users/ann/disable')).toMatchObject(problem('forbidden', 403))
    expect(await dry('PUT /clients/new', NOTES)).toMatchObject(problem('not_found', 404))
    token = owner
    place.w.clock.now += 301
    expect((await dry('DELETE /users/eve?overwrite=true')).status).toBe(401)
  })
})

it('an invitation is not mailed, counted or reported', async () => {
  is_sealed = false
  const queue = memoryMailQueue()
  const mailer = { send: () => Promise.reject(new Error('nothing is sent here')) }
  const mail = { queue, of: () => ({ mailer, from: 'id@example.com', per_hour: 1 }) }
  place = await adminPlace({ wrap, mail })
  await place.give('sub:ann', 'owner', '*')
  token = (await place.signIn('ann')).access_token
  await place.addUser('eve', { claims: { email: 'eve@example.com' } })
  is_sealed = true
  for (let times = 0; times < 2; times += 1)
    expect((await dry('POST /users/eve/invitation', {})).body).toEqual({
      changes: [{ pointer: '', to: { purpose: 'invite', created_at: NOW, expires_at: NOW + 604_800 } }],
      effects: NOTHING,
    })
  expect([await queue.page({ limit: 10 }), place.events, written]).toEqual([[], [], []])
  // Nowhere to mail it to.
  expect(await dry('POST /users/ann/invitation', {})).toMatchObject(problem('conflict', 409))
})

it('what changes nothing has no changes', async () => {
  is_sealed = false
  const put = { username: 'eve', claims: { name: 'Eve' } }
  const { etag } = await place.call(token, 'PUT /realms/acme/users/eve?overwrite=true', { body: put })
  is_sealed = true
  expect((await dry('PUT /users/eve', put)).body).toEqual({ changes: [], effects: NOTHING })
  expect((await place.call(token, 'GET /realms/acme/users/eve')).etag).toBe(etag)
})

it('is a parameter of writes alone, and false is a write', async () => {
  expect(await place.call(token, 'GET /realms/acme/clients?dry_run=true')).toMatchObject({ status: 400 })
  expect(await place.call(token, 'DELETE /realms/acme/users/eve/grants?dry_run=yes')).toMatchObject({
    status: 400,
  })
  is_sealed = false
  const line = 'DELETE /realms/acme/users/eve/grants?dry_run=false'
  expect(await place.call(token, line)).toMatchObject({ status: 200, body: { revoked: 2 } })
})

it('a consent that was withdrawn does not end again', async () => {
  is_sealed = false
  await place.w.storage('acme').consents.revoke({ sub: 'eve', client_id: 'ops' }, place.w.clock.now)
  is_sealed = true
  const { body } = await dry('DELETE /users/eve/consents/ops')
  expect(body.effects).toEqual({ ...NOTHING, grants: 2 })
})

it('that a sub was one of a deleted user, only the write finds out', async () => {
  is_sealed = false
  await place.people.users('acme').delete('eve')
  is_sealed = true
  expect((await dry('PUT /users/eve', { username: 'eve' })).status).toBe(200)
  is_sealed = false
  const write = await place.call(token, 'PUT /realms/acme/users/eve', { body: { username: 'eve' } })
  expect(write).toMatchObject(problem('conflict', 409))
})

it('a user without a password gets one, and one who has another gets it', async () => {
  is_sealed = false
  await place.people.users('acme').create({ ...userRecord('bea'), password_hash: 'quick:1' })
  is_sealed = true
  const secret = [{ pointer: '/password', secret: true }]
  expect((await dry('POST /users/bea/password', { password: SECRET })).body.changes).toEqual(secret)
})
