/** Which changes can be undone, and which cannot, with the reason. */

import type { Client, ClientChanges } from '@ostiary/core'
import { setDisabled, updateUser } from '@ostiary/identity'
import { describe, expect, it } from 'vitest'
import { newRow } from '../../../../audit/src/row.ts'
import {
  CLIENT_STORE,
  FACTORS,
  LINKS,
  MANAGEMENT,
  REMEMBERED_DEVICES,
  THROTTLE,
  TICKETS,
  USERS,
} from '../../../../audit/src/rules.ts'
import { memberRules, UNDO } from '../../../src/audit/history/undo-rules.ts'
import { auditPlace, CORE, commandsOf, dataOf, NOW, type PlaceOptions, REALM, userRecord } from '../_place.ts'

const CLIENT = { client_id: 'app', client_name: 'App', redirect_uris: ['https://app.example.com/cb'] }
const CONFIDENTIAL = { ...CLIENT, token_endpoint_auth_method: 'client_secret_basic' as const }

/** With all that fields of clients need. */
const OIDC: PlaceOptions['oidc'] = {
  dpop: 'on',
  par: 'allowed',
  resources: { mcp: {} },
  keys: { algorithms: ['RS256', 'ES256'] },
  clients: { device_authorization: 'operator', private_key_jwt: true },
}

/** Each type of change: can be undone, or why not. A new rule needs its row here. */
const CHANGES: Readonly<Record<string, 'undone' | RegExp>> = {
  'client.create': /: it has made a record; delete that instead$/,
  'client.ensure': /: a program does it at each start/,
  'client.store': /: the configuration has made it; change it there/,
  'client.update': 'undone',
  'client.delete': /: the secret, the grants and the consents are gone/,
  'client.revoke': /: a revoked client stays revoked/,
  'client.rotate_secret': /: the audit keeps no secret/,
  'client_document.forget': /: the document is fetched again/,
  'consent.revoke': /: only the user can do it again/,
  'grant.revoke': /: what has ended stays ended/,
  'user.create': /: it has made a record; delete that instead$/,
  'user.update': 'undone',
  'user.delete': /: what the user had is gone/,
  'user.delete_records': /: what has ended stays ended/,
  'user.end_access': /: what has ended stays ended/,
  'session.end': /: what has ended stays ended/,
  'session.end_all': /: what has ended stays ended/,
  'session.end_others': /: what has ended stays ended/,
  'key.rotate': /: clients have the new key/,
  'key.revoke': /: a revoked key stays revoked/,
  'key.reseal': /: the former OIDC_SECRET is not kept/,
  'throttle.reset': /: the counters begin anew/,
  'factor.change': /: only the user can do it again/,
  'factor.rename': /: only the user can do it again/,
  'link.add': /: remove the link, with/,
  'link.remove': /: only the user can do it again/,
  'ticket.put': /: a link ends by itself/,
  'remembered_device.remove': /: only the user can do it again/,
}
/** Changes that are no function of management or of a store. */
const OTHERS: Readonly<Record<string, RegExp>> = {
  'realm.create': /: it has made a record/,
  'realm.update': /: set what it had with realm update/,
  'realm.delete': /: its id is not used again/,
  'realm.import': /: it has stored many records/,
  'realm.export': /: it has changed nothing/,
  'user.export': /: it has changed nothing/,
  'admin.refused': /: it has changed nothing/,
  dry_run: /: it has changed nothing/,
  'mail.test': /: it has changed nothing/,
  simulation: /: it has changed nothing/,
  'database.restored': /: it has changed many records/,
  'audit.undo': /: its change has its own row/,
  'ticket.take': /: only the user/,
  'role.grant': /: take the role with admin roles revoke/,
  'role.revoke': /: give the role again with admin roles grant/,
}

const typesOf = (rules: object): string[] =>
  Object.values(rules).flatMap((rule) => {
    if (typeof rule !== 'object') return []
    return 'subject' in rule ? [rule.type] : typesOf(rule)
  })

const RULES = [MANAGEMENT, CLIENT_STORE, THROTTLE, USERS, FACTORS, LINKS, TICKETS, REMEMBERED_DEVICES]

it('each type of change can be undone, or says why not', async () => {
  expect(Object.keys(CHANGES).sort()).toEqual([...new Set(RULES.flatMap(typesOf))].sort())
  expect(Object.keys(UNDO).sort()).toEqual([...Object.keys(CHANGES), ...Object.keys(OTHERS)].sort())
  const { store } = auditPlace()
  const { run } = await commandsOf(auditPlace({ store }))
  for (const [type, expected] of Object.entries({ ...CHANGES, ...OTHERS })) {
    expect([type, typeof UNDO[type] === 'object']).toEqual([type, expected === 'undone'])
    const row = newRow({ realm: REALM, time: NOW, type, outcome: 'done', actor: 'system' })
    await store.put([row])
    const message = expected === 'undone' ? /: it has changed nothing$/ : expected
    await expect(run('audit undo', [row.audit_id])).rejects.toThrow(message)
  }
})

/** A value before and one after, for each member of a client that is set back. */
const CLIENT_VALUES: { readonly [Name in keyof Client]?: readonly [before: unknown, after: unknown] } = {
  client_name: ['App', 'Notes'],
  token_endpoint_auth_method: ['client_secret_basic', 'client_secret_post'],
  token_endpoint_auth_methods: [['client_secret_basic', 'client_secret_post'], ['client_secret_basic']],
  id_token_signed_response_alg: ['RS256', 'ES256'],
  dpop_bound_access_tokens: [true, null],
  require_pushed_authorization_requests: [null, true],
  redirect_uris: [['https://app.example.com/cb'], ['https://evil.example.com/cb']],
  post_logout_redirect_uris: [[], ['https://app.example.com/']],
  grant_types: [['authorization_code'], ['authorization_code', 'refresh_token']],
  backchannel_logout_uri: [null, 'https://app.example.com/logout'],
  backchannel_logout_session_required: [true, false],
  allowed_exchange_audiences: [['a', 'b'], ['b']],
  consent_required: [true, false],
  trusted: [false, true],
  allowed_groups: [['staff'], null],
  required_acr: [null, '2'],
  verification_uri_complete: [null, true],
  default_scopes: [['openid'], null],
  optional_scopes: [null, ['email']],
  require_pkce: [null, false],
  default_resource: ['mcp', null],
  access_token_lifetime: [60, 120],
  refresh_token_lifetime: [null, 600],
  refresh_token_grace: [5, null],
  logo_uri: ['https://app.example.com/a.png', 'https://app.example.com/b.png'],
  client_uri: [null, 'https://app.example.com/'],
  policy_uri: ['https://app.example.com/p', null],
  tos_uri: [null, 'https://app.example.com/t'],
}

/** A client, a change of it, and what undoes it. */
async function changedClient(before: ClientChanges, after: ClientChanges) {
  const place = auditPlace({ oidc: OIDC, actor: 'cli:ann@host' })
  const { clients } = await place.provider.manage(REALM)
  await clients.create(CONFIDENTIAL)
  await clients.update('app', before)
  const was = await clients.find('app')
  place.at(10)
  await clients.update('app', after)
  const is = await clients.find('app')
  const rows = await place.rows()
  const row = rows.findLast(({ type }) => type === 'client.update')
  const id = row?.audit_id ?? ''
  const commands = await commandsOf(place)
  return {
    place,
    clients,
    was,
    is,
    id,
    ...commands,
    undo: (options = {}) => commands.run('audit undo', [id], options),
  }
}

describe('a client', () => {
  it('each member that can be set back has a case', () => {
    const members = Object.entries(memberRules('client', CORE)).filter(([, rule]) => rule === true)
    expect(
      [...Object.keys(CLIENT_VALUES), 'response_types', 'token_endpoint_auth_signing_alg'].sort(),
    ).toEqual(members.map(([name]) => name).sort())
  })

  it.each(Object.entries(CLIENT_VALUES))('%s is set back', async (name, values) => {
    const [before, after] = values ?? []
    const { clients, was, is, undo } = await changedClient(
      { [name]: before } as ClientChanges,
      { [name]: after } as ClientChanges,
    )
    expect(is).not.toEqual(was)
    const { json } = await undo()
    expect(await clients.find('app')).toEqual(was)
    expect(json).toMatchObject({
      client_id: 'app',
      changed: expect.arrayContaining([expect.objectContaining({ member: name })]),
    })
  })

  it('the algorithm of its assertions is set back', async () => {
    const jwks = {
      keys: [
        {
          kty: 'EC',
          crv: 'P-256',
          x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
          y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
        },
      ],
    }
    const { clients, was, undo } = await changedClient({ jwks }, { token_endpoint_auth_signing_alg: 'ES256' })
    await undo()
    expect(await clients.find('app')).toEqual(was)
    const keys = await changedClient({}, { jwks })
    await expect(keys.undo()).rejects.toThrow(
      /client_secret_hash: the audit keeps no secret.*; .*jwks: others may have a former key/,
    )
  })

  it('asks with a plan, writes its own row and names the row that it undid', async () => {
    const { place, id, questions, undo } = await changedClient({}, { client_name: 'Notes', trusted: true })
    place.at(20)
    const result = await undo()
    expect(questions).toEqual([
      expect.stringMatching(
        new RegExp(
          `^Row ${id}: client\\.update of client app at \\S+ by cli:ann@host\nMEMBER +NOW +BEFORE THE CHANGE\nclient_name +Notes +App\ntrusted +true +false$`,
        ),
      ),
    ])
    expect(result).toMatchObject({
      text: expect.stringMatching(/\nUndone: client_name, trusted$/),
      event: { subject: { client_id: 'app', audit_id: id }, fields: ['client_name', 'trusted'] },
    })
    const rows = (await place.rows()).filter(({ time }) => time === NOW + 20)
    expect(rows.map(({ type, outcome, actor, client_id }) => [type, outcome, actor, client_id])).toEqual([
      ['audit.undo', 'done', 'cli:ann@host', 'app'],
      ['client.update', 'done', 'cli:ann@host', 'app'],
      ['client.updated', 'done', 'system', 'app'],
    ])
    expect(dataOf(rows[0])).toEqual({ undone: id })
  })

  it('an undo can be undone', async () => {
    const { place, clients, is, undo, run } = await changedClient({}, { client_name: 'Notes' })
    await undo()
    const again = (await place.rows()).findLast(({ type }) => type === 'client.update')
    await run('audit undo', [again?.audit_id ?? ''])
    expect(await clients.find('app')).toEqual(is)
  })

  it('--plan writes nothing and does not ask', async () => {
    const { place, clients, is, questions, undo } = await changedClient({}, { client_name: 'Notes' })
    const rows = await place.rows()
    const { text, json, event } = (await undo({ plan: '' })) as {
      text: string
      json: object
      event?: unknown
    }
    expect(text).toMatch(/\nclient_name +Notes +App$/)
    expect([event, json]).toEqual([
      null,
      expect.objectContaining({ plan: true, changed: [{ member: 'client_name', from: 'Notes', to: 'App' }] }),
    ])
    expect(questions).toEqual([])
    expect(await place.rows()).toEqual(rows)
    expect(await clients.find('app')).toEqual(is)
  })

  it('nothing is written when the answer is no', async () => {
    const { place, clients, is, id } = await changedClient({}, { client_name: 'Notes' })
    const rows = await place.rows()
    const { run } = await commandsOf(place, {
      confirm: async () => {
        throw new Error('Nothing was done')
      },
    })
    await expect(run('audit undo', [id])).rejects.toThrow('Nothing was done')
    expect(await clients.find('app')).toEqual(is)
    expect(await place.rows()).toEqual(rows)
  })

  it('is refused with the members that have changed since, and others may have', async () => {
    const { place, clients, undo } = await changedClient({}, { client_name: 'Notes', trusted: true })
    await clients.update('app', { logo_uri: 'https://app.example.com/a.png' })
    expect((await undo({ plan: '' })).text).toContain('client_name')
    await clients.update('app', { trusted: false, client_name: 'Other' })
    const rows = await place.rows()
    await expect(undo()).rejects.toThrow(
      /^failed: client app has changed since, so nothing is undone:\nclient_name is Other now$/,
    )
    expect(await place.rows()).toEqual(rows)
    // `trusted` is as before the change already.
    await clients.update('app', { client_name: 'App' })
    expect(await undo()).toMatchObject({ text: expect.stringContaining('is as it was before'), event: null })
  })

  it('is refused when it is revoked, deleted, or in the configuration', async () => {
    const { clients, id, place, undo } = await changedClient({}, { client_name: 'Notes' })
    const entries = { clients: [{ path: 'clients.0', metadata: { client_id: 'app' } }], users: [] }
    const { run } = await commandsOf(place, { entries })
    await expect(run('audit undo', [id])).rejects.toThrow(
      'failed: app is in the configuration, clients.0: change it there',
    )
    await clients.revoke('app')
    await expect(undo()).rejects.toThrow('this client is revoked')
    const failed = (await place.rows()).filter(({ outcome }) => outcome === 'failed')
    expect(failed.map(({ type }) => type)).toEqual(['audit.undo', 'client.update'])
    await clients.delete('app')
    await expect(undo()).rejects.toThrow('not found: There is no client "app" now')
  })

  it('is refused without a row of its own', async () => {
    const { clients, is, place, id } = await changedClient({}, { client_name: 'Notes' })
    const { run, questions } = await commandsOf(place, { audit: null })
    await expect(run('audit undo', [id])).rejects.toThrow('failed: audit.enabled is off')
    expect(questions).toEqual([])
    const put = place.store.put
    place.store.put = async () => {
      throw new Error('no database')
    }
    const { run: unwritten } = await commandsOf(place)
    await expect(unwritten('audit undo', [id])).rejects.toThrow('Nothing was changed')
    place.store.put = put
    expect(await clients.find('app')).toEqual(is)
  })
})

describe('a row', () => {
  const given = async (more: object) => {
    const place = auditPlace()
    await place.users.create(userRecord())
    const row = newRow({
      realm: REALM,
      time: NOW,
      type: 'user.update',
      outcome: 'done',
      actor: 'system',
      sub: 'ann-1',
      data: { fields: ['username'] },
      private: { before: { username: 'a' }, after: { username: 'ann' } },
      ...more,
    })
    await place.store.put([row])
    const { run } = await commandsOf(place)
    return { place, undo: () => run('audit undo', [row.audit_id]) }
  }

  it.each<[string, object, RegExp]>([
    ['that has not reported its end', { outcome: 'begun' }, /: its end is not known/],
    ['of a change that was not made', { outcome: 'failed' }, /: the change was not made$/],
    [
      'without the members after it',
      { private: { before: { username: 'a' } } },
      /: the record could not be read/,
    ],
    [
      'without the members before it',
      { private: { after: { username: 'ann' } } },
      /: the record could not be read/,
    ],
    [
      'of a member that is not known',
      { data: { fields: ['username', 'constructor'] } },
      /: constructor: this release does not know it$/,
    ],
    ['of an event', { type: 'session.started' }, /: it is an event/],
    ['of a type like a member of objects', { type: 'constructor' }, /: it is an event/],
    [
      'of a user who is not there',
      { sub: 'nobody' },
      /not found: There is no user with the sub "nobody" now/,
    ],
  ])('%s is not undone', async (_, more, message) => {
    const { place, undo } = await given(more)
    await expect(undo()).rejects.toThrow(message)
    expect(await place.users.find('ann-1')).toEqual(userRecord())
  })

  it('whose members were erased is not undone', async () => {
    const { place, undo } = await given({})
    await place.store.erase(REALM, 'ann-1')
    await expect(undo()).rejects.toThrow(/: what was changed was erased with the data of the user$/)
  })

  it('that does not exist', async () => {
    const { run } = await commandsOf(auditPlace())
    await expect(run('audit undo', ['none'])).rejects.toThrow('not found: There is no row "none"')
  })
})

/** A user, and a change that is to be undone. */
async function changedUser(before: Partial<ReturnType<typeof userRecord>>, change: object) {
  const place = auditPlace()
  await place.users.create(userRecord(before))
  const was = await place.users.find('ann-1')
  await updateUser(place.users, { sub: 'ann-1', change: () => change })
  return { ...(await undoingLast(place)), was }
}

async function undoingLast(place: ReturnType<typeof auditPlace>) {
  const id = (await place.rows()).findLast(({ type }) => type === 'user.update')?.audit_id ?? ''
  const commands = await commandsOf(place)
  const now = async () => {
    const user = await place.users.find('ann-1')
    const { updated_at: _, credential_version: __, ...rest } = user ?? userRecord()
    return rest
  }
  return { place, id, now, ...commands, undo: (options = {}) => commands.run('audit undo', [id], options) }
}

describe('a user', () => {
  it('each member has a rule', () => {
    const rules = memberRules('user', CORE)
    expect(Object.keys({ ...userRecord(), terms: null }).sort()).toEqual(Object.keys(rules).sort())
    expect(Object.keys(rules).filter((name) => rules[name] === true)).toEqual([
      'username',
      'claims',
      'attributes',
      'groups',
      'disabled_at',
    ])
  })

  it.each<[string, object, object]>([
    ['username', {}, { username: 'Anna' }],
    [
      'claims',
      { claims: { email: 'a@example.com', name: 'A' } },
      { claims: { email: 'b@example.com', locale: 'de' } },
    ],
    ['attributes', { attributes: null }, { attributes: { level: 3 } }],
    ['attributes', { attributes: { level: 3, a: [1] } }, { attributes: null }],
    ['groups', { groups: ['a', 'b'] }, { groups: ['c', 'a'] }],
    ['groups', { groups: null }, { groups: ['staff'] }],
    ['groups', { groups: ['staff'] }, { groups: null }],
  ])('%s is set back', async (_, before, change) => {
    const { now, was, undo } = await changedUser(before, change)
    const { updated_at, credential_version, ...rest } = was ?? userRecord()
    expect(await now()).not.toEqual(rest)
    expect(await undo()).toMatchObject({ event: { subject: { sub: 'ann-1' } } })
    expect(await now()).toEqual(rest)
  })

  it('a claim, an attribute or a group that another change has set stays', async () => {
    const { place, now, undo } = await changedUser(
      { groups: ['a'], attributes: { x: 1 } },
      { groups: ['b'], claims: { email: 'new@example.com' }, attributes: { x: 2 } },
    )
    await updateUser(place.users, {
      sub: 'ann-1',
      change: ({ groups, claims }) => ({
        groups: [...(groups ?? []), 'c'],
        claims: { ...claims, name: 'Ann' },
        attributes: { x: 2, y: 3 },
      }),
    })
    await undo()
    expect(await now()).toMatchObject({
      groups: ['c', 'a'],
      claims: { email: 'ann@example.com', name: 'Ann' },
      attributes: { x: 1, y: 3 },
    })
  })

  it('is refused with the claim, the attribute and the group that have changed since', async () => {
    const { place, now, undo } = await changedUser(
      { groups: ['a'] },
      { groups: ['a', 'b'], claims: { email: 'new@example.com' }, attributes: { x: 1 } },
    )
    await updateUser(place.users, {
      sub: 'ann-1',
      change: () => ({ groups: ['a', 'b'], claims: { email: 'newer@example.com' }, attributes: { x: 2 } }),
    })
    const before = await now()
    await expect(undo()).rejects.toThrow(
      /nothing is undone:\nclaims\.email is newer@example\.com now\nattributes\.x is 2 now$/,
    )
    expect(await now()).toEqual(before)
  })

  it('a claim with the name of a member of objects is one like others', async () => {
    const claims = JSON.parse('{"email":"a@example.com","__proto__":"x"}')
    const { place, now, undo } = await changedUser({ claims }, { claims: {} })
    await updateUser(place.users, { sub: 'ann-1', change: () => ({ claims: { name: 'A' } }) })
    await undo()
    expect(JSON.stringify((await now()).claims)).toBe('{"name":"A","email":"a@example.com","__proto__":"x"}')
  })

  it('who was disabled is enabled again, and the other way round, with the end of sessions', async () => {
    const place = auditPlace()
    await place.users.create(userRecord())
    await setDisabled(place.users, { sub: 'ann-1', disabled: true }, { now: place.clock })
    const first = await undoingLast(place)
    const { text, event } = (await first.undo()) as { text: string; event?: unknown }
    expect(text).toMatch(
      /\ndisabled_at +disabled +enabled\nSessions and grants that have ended stay ended\.\n/,
    )
    expect(event).toEqual({
      subject: { sub: 'ann-1', username: 'ann', audit_id: first.id },
      fields: ['disabled_at'],
    })
    expect(await first.now()).toMatchObject({ disabled_at: null })
    expect((await place.rows()).map(({ type }) => type)).not.toContain('user.end_access')
    const second = await undoingLast(place)
    const again = (await second.undo()) as { text: string; event?: unknown }
    expect(again.text).toMatch(/\ndisabled_at +enabled +disabled\nAll sessions and grants end\.\n/)
    expect(again.event).toMatchObject({ count: { sessions: 0, grants: 0 } })
    expect(await second.now()).toMatchObject({ disabled_at: expect.any(Number) })
    expect((await place.rows()).at(-1)).toMatchObject({
      type: 'user.end_access',
      outcome: 'done',
      sub: 'ann-1',
    })
    await expect(first.undo()).rejects.toThrow('disabled_at is disabled now')
  })

  it.each<[string, object, RegExp]>([
    [
      'password',
      { password_hash: 'other' },
      /: password_hash: the audit keeps no password; set one with user set-password$/,
    ],
    ['second step', { second_step: true }, /: second_step: only the user can do it again$/],
    ['terms', { terms: { version: '1', accepted_at: 1 } }, /: terms: only the user can do it again$/],
    [
      'disabling with another member',
      { disabled_at: 5, username: 'Anna' },
      /: disabled_at has changed with other members/,
    ],
    ['creation time', { created_at: 5, username: 'Anna' }, /: created_at: the provider decides it$/],
  ])('a change of the %s is not undone', async (_, more, message) => {
    const place = auditPlace()
    await place.users.create(userRecord())
    await place.users.update(userRecord({ ...more, updated_at: 2 }), 1)
    const { undo, now } = await undoingLast(place)
    const before = await now()
    await expect(undo()).rejects.toThrow(message)
    expect(await now()).toEqual(before)
  })

  it('of the configuration is changed there, but enabled here', async () => {
    const { place, id } = await changedUser({}, { claims: {} })
    for (const user of [{ username: 'x', sub: 'ann-1' }, { username: 'ANN' }]) {
      const entries = { clients: [], users: [{ path: 'users.3', user }] }
      const { run } = await commandsOf(place, { entries })
      await expect(run('audit undo', [id])).rejects.toThrow(
        'failed: ann is in the configuration, users.3: change it there',
      )
    }
    const entries = { clients: [], users: [{ path: 'users.0', user: { username: 'ann' } }] }
    await setDisabled(place.users, { sub: 'ann-1', disabled: true })
    const last = await undoingLast(place)
    const { run } = await commandsOf(place, { entries })
    await run('audit undo', [last.id])
    expect(await last.now()).toMatchObject({ disabled_at: null })
  })

  it('whose former username another user has', async () => {
    const { place, now, undo } = await changedUser({}, { username: 'Anna' })
    await place.users.create(userRecord({ sub: 'bob-1' }))
    await expect(undo()).rejects.toThrow('the username "ann" is taken')
    expect(await now()).toMatchObject({ username: 'Anna' })
  })
})
