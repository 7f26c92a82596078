/** Users and roles: the rules of ETags, and the attacks of those who would climb. */

import { beforeEach, describe, expect, it } from 'vitest'
import { adminPlace, type Place } from './_place.ts'

const EVE = '/realms/acme/users/eve'
let place: Place
let token: string

async function as(holder: string, role: 'owner' | 'manager' | 'support' | 'auditor', ...realms: string[]) {
  await place.give(`sub:${holder}`, role, ...(realms.length > 0 ? realms : ['*']))
  token = (await place.signIn(holder)).access_token
}
beforeEach(async () => {
  place = await adminPlace()
  await as('ann', 'owner')
})

const send = (line: string, body?: unknown, headers: Record<string, string> = {}) =>
  place.call(token, line, { ...(body !== undefined && { body }), headers })
const problem = (code: string, status: number) => ({ status, body: { type: `urn:ostiary:problem:${code}` } })

describe('users', () => {
  it('are created, replaced, patched, disabled and deleted', async () => {
    const made = await send(`PUT ${EVE}`, {
      username: 'Eve',
      claims: { email: 'eve@example.com' },
      groups: ['staff'],
    })
    expect(made).toMatchObject({
      status: 201,
      body: {
        sub: 'eve',
        username: 'Eve',
        has_password: false,
        groups: ['staff'],
        claims: { email: 'eve@example.com' },
      },
    })
    expect(JSON.stringify(made.body)).not.toContain('hash')
    expect(await send(`PUT ${EVE}`, { username: 'Eve' })).toMatchObject(problem('precondition_required', 428))
    const put = await send(`PUT ${EVE}`, { username: 'Eve' }, { 'if-match': made.etag })
    expect(put).toMatchObject({ status: 200, body: { claims: {}, groups: null } })
    expect(await send(`PATCH ${EVE}`, { username: 'Eva' }, { 'if-match': made.etag })).toMatchObject({
      status: 412,
    })
    const patched = await send(
      `PATCH ${EVE}`,
      { claims: { name: 'Eva', email: null }, attributes: { level: 3 } },
      { 'if-match': put.etag },
    )
    expect(patched).toMatchObject({
      status: 200,
      body: { claims: { name: 'Eva' }, attributes: { level: 3 } },
    })
    expect(await send(`POST ${EVE}/disable`)).toMatchObject({ body: { disabled_at: expect.any(Number) } })
    expect(await send(`POST ${EVE}/enable`)).toMatchObject({ body: { disabled_at: null } })
    const { etag } = await send(`GET ${EVE}`)
    expect(await send(`DELETE ${EVE}`)).toMatchObject({ status: 428 })
    expect(await send(`DELETE ${EVE}`, undefined, { 'if-match': etag })).toMatchObject({ status: 200 })
    expect(await send(`GET ${EVE}`)).toMatchObject(problem('not_found', 404))
    // A sub is never given to another one.
    expect(await send(`PUT ${EVE}`, { username: 'Eve' })).toMatchObject(problem('conflict', 409))
    const rows = (await place.changes()).map(({ type, outcome, actor }) => `${type} ${outcome} ${actor}`)
    expect(rows.slice(0, 3)).toEqual(
      Array(3)
        .fill('x')
        .map((_, n) => `${n === 0 ? 'user.create' : 'user.update'} done sub:ann`),
    )
    expect(rows).toContain('user.delete done sub:ann')
  })

  it('of a PUT that changes nothing have no row: with many users', async () => {
    const names = Array.from({ length: 25 }, (_, index) => `user-${index}`)
    const applyAll = () =>
      Promise.all(
        names.map((name) =>
          send(`PUT /realms/acme/users/${name}`, {
            username: name,
            claims: { email: `${name}@example.com` },
          }),
        ),
      )
    const first = await applyAll()
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set([201]))
    const rows = await place.changes()
    const second = await applyAll()
    expect(second.map(({ status, etag }) => [status, etag])).toEqual(first.map(({ etag }) => [200, etag]))
    expect(await place.changes()).toEqual(rows)
  })

  it('of two patches of the same record, one is refused', async () => {
    const { etag } = await send(`PUT ${EVE}`, { username: 'eve' })
    const both = await Promise.all(
      ['One', 'Two'].map((name) => send(`PATCH ${EVE}`, { claims: { name } }, { 'if-match': etag })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412])
  })

  it('are found by username, in any case, and listed in pages', async () => {
    await send(`PUT ${EVE}`, { username: 'Eve' })
    const found = await send('GET /realms/acme/users?username=EVE')
    expect(found.body).toMatchObject({ items: [{ sub: 'eve' }], next: null })
    expect((await send('GET /realms/acme/users?username=nobody')).body.items).toEqual([])
    const page = await send('GET /realms/acme/users?limit=1')
    expect(page.body.items).toHaveLength(1)
    expect((await send(`GET /realms/acme/users?limit=1&cursor=${page.body.next}`)).body.items).toMatchObject([
      { sub: 'eve' },
    ])
  })

  it('have claims by their rules, and a username that is free', async () => {
    expect(await send(`PUT ${EVE}`, { username: 'ann' })).toMatchObject(problem('conflict', 409))
    expect(await send(`PUT ${EVE}`, { username: 'eve', passwort: 'x' })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/passwort', message: 'there is no such key', suggestion: 'password' }] },
    })
  })

  it.each(['username', 'password', 'sub', 'groups', 'attributes'])(
    'take no claim %s, which would be the member of the user',
    async (name) => {
      const claims = { [name]: name === 'groups' ? ['staff'] : 'correct horse battery' }
      const refused = { status: 400, body: { errors: [{ pointer: `/claims/${name}` }] } }
      expect(await send(`PUT ${EVE}`, { username: 'eve', claims })).toMatchObject(refused)
      expect(await place.people.users('acme').find('eve')).toBeNull()
      await place.addUser('eve')
      for (const method of ['PUT', 'PATCH'])
        expect(await send(`${method} ${EVE}?overwrite=true`, { username: 'eve', claims })).toMatchObject(
          refused,
        )
      expect(await place.people.users('acme').find('eve')).toMatchObject({
        password_hash: null,
        groups: null,
        claims: {},
      })
    },
  )

  it('get a password by the rules, and what began with the former one ends', async () => {
    await place.addUser('eve')
    const eve = (await place.signIn('eve')).access_token
    await place.give('sub:eve', 'auditor', '*')
    expect((await place.call(eve, 'GET /realms/acme/users')).status).toBe(200)
    expect(await send(`POST ${EVE}/password`, { password: 'short' })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/password', message: expect.any(String) }] },
    })
    const set = await send(`POST ${EVE}/password`, { password: 'correct horse battery' })
    expect(set).toMatchObject({ status: 200, body: { sub: 'eve', sessions: 1, grants: 1 } })
    expect(JSON.stringify([set.body, await place.changes()])).not.toContain('correct horse')
    expect((await send(`GET ${EVE}`)).body.has_password).toBe(true)
    expect((await place.call(eve, 'GET /realms/acme/users')).status).toBe(401)
  })

  it('of a realm without passwords get none', async () => {
    place = await adminPlace({ options: { passwords: async () => null } })
    await as('ann', 'owner')
    await place.addUser('eve')
    expect(await send(`POST ${EVE}/password`, { password: 'correct horse battery' })).toMatchObject(
      problem('conflict', 409),
    )
  })

  it('have no text that a database refuses', async () => {
    for (const text of ['\0', 'a\0b', '\ud800']) {
      const refused = { status: 400, body: { errors: [{ pointer: '/' }] } }
      expect(await send(`PUT ${EVE}`, { username: 'eve', claims: { name: text } })).toMatchObject(refused)
      expect(await send(`PUT ${EVE}`, { username: 'eve', attributes: { [text]: 1 } })).toMatchObject(refused)
    }
    expect(await send('GET /realms/acme/users?username=%00')).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '?' }] },
    })
  })

  it('of the configuration are changed there', async () => {
    const configured = () => ({ clients: [], users: [{ path: 'users.0', user: { username: 'EVE' } }] })
    place = await adminPlace({ options: { configured } })
    await as('ann', 'owner')
    await place.addUser('eve')
    for (const line of [`PUT ${EVE}`, `PATCH ${EVE}`])
      expect(await send(line, { username: 'eve' })).toMatchObject(problem('owned_by_configuration', 409))
    expect(await send(`DELETE ${EVE}`)).toMatchObject(problem('owned_by_configuration', 409))
    // What is not there yet, too: a start would make it anew.
    expect(await send('PUT /realms/acme/users/other', { username: 'eve' })).toMatchObject(
      problem('owned_by_configuration', 409),
    )
  })
})

it('a user of the configuration is disabled and gets a password here, since it sets neither', async () => {
  const configured = () => ({ clients: [], users: [{ path: 'users.0', user: { username: 'EVE' } }] })
  place = await adminPlace({ options: { configured } })
  await as('ann', 'owner')
  await place.addUser('eve')
  for (const [line, body] of [
    [`POST ${EVE}/disable`],
    [`POST ${EVE}/enable`],
    [`POST ${EVE}/password`, { password: 'correct horse battery staple' }],
  ] as const)
    expect([line, await send(line, body)]).toMatchObject([line, { status: 200 }])
})

describe('a supporter', () => {
  beforeEach(async () => {
    await place.addUser('eve')
    await as('sue', 'support')
  })

  it.each<[string, string, unknown?]>([
    ['the username', 'PUT /realms/acme/users/ann?overwrite=true', { username: 'other' }],
    ['the address', 'PATCH /realms/acme/users/ann?overwrite=true', { claims: { email: 'evil@example.com' } }],
    ['a group', 'PATCH /realms/acme/users/ann?overwrite=true', { groups: ['evil'] }],
    ['the password', 'POST /realms/acme/users/ann/password', { password: 'correct horse battery' }],
    ['the state', 'POST /realms/acme/users/ann/disable'],
    ['the sessions', 'POST /realms/acme/users/ann/end-access'],
    ['the existence', 'DELETE /realms/acme/users/ann?overwrite=true'],
  ])('does not change %s of an owner', async (...[, line, body]) => {
    const before = [await place.people.users('acme').find('ann'), await place.changes()]
    expect(await send(line, body)).toMatchObject(problem('forbidden', 403))
    expect([await place.people.users('acme').find('ann'), await place.changes()]).toEqual(before)
  })

  it('does not take the sub of an owner who is gone', async () => {
    await place.give('sub:gone', 'owner', '*')
    expect(await send('PUT /realms/acme/users/gone', { username: 'gone' })).toMatchObject(
      problem('forbidden', 403),
    )
  })

  it('changes other users, and those with a role that is not beyond', async () => {
    expect(await send(`POST ${EVE}/disable`)).toMatchObject({ status: 200 })
    await place.give('sub:eve', 'support', 'acme')
    expect(await send(`POST ${EVE}/enable`)).toMatchObject({ status: 200 })
    await place.give('sub:eve', 'auditor', 'acme')
    expect(await send(`POST ${EVE}/disable`)).toMatchObject(problem('forbidden', 403))
  })

  it('of another realm changes a user there who has the name of an owner', async () => {
    await place.addUser('ann', {}, 'other')
    expect(await send('POST /realms/other/users/ann/disable')).toMatchObject({ status: 200 })
  })

  it('sees no roles, and gives none', async () => {
    expect(await send('GET /realms/acme/roles')).toMatchObject(problem('not_found', 404))
    for (const role of ['support', 'manager', 'owner', 'auditor'])
      expect(await send(`PUT /realms/acme/roles/users/sue/${role}`, { realms: ['*'] })).toMatchObject(
        problem('not_found', 404),
      )
  })
})

describe('roles', () => {
  it('are given and taken, with an event and a row', async () => {
    await place.addUser('eve')
    const given = await send('PUT /realms/acme/roles/users/eve/support', { realms: ['other', 'acme'] })
    const row = { sub: 'eve', client_id: null, role: 'support', realms: ['acme', 'other'] }
    expect(given).toMatchObject({ status: 200, body: row })
    expect(
      await send('PUT /realms/acme/roles/users/eve/support', { realms: ['acme', 'other'] }),
    ).toMatchObject({ status: 200 })
    expect((await send('GET /realms/acme/roles')).body.items).toContainEqual({ ...row, stays: null })
    expect(await send('PUT /realms/acme/roles/clients/deploy/auditor', { realms: ['*'] })).toMatchObject({
      status: 200,
    })
    expect(await send('DELETE /realms/acme/roles/users/eve/support')).toMatchObject({ status: 204 })
    expect(await send('DELETE /realms/acme/roles/users/eve/support')).toMatchObject({ status: 404 })
    expect(place.events.map(({ type }) => type)).toEqual(['role.granted', 'role.granted', 'role.revoked'])
    expect(place.events[0]).toMatchObject({
      ...row,
      type: 'role.granted',
      realm: 'acme',
      request_id: expect.any(String),
    })
    const rows = (await place.changes()).map(({ type, outcome, actor, sub, client_id }) => [
      type,
      outcome,
      actor,
      sub ?? client_id,
    ])
    expect(rows).toEqual([
      ['role.grant', 'done', 'sub:ann', 'eve'],
      ['role.grant', 'done', 'sub:ann', 'deploy'],
      ['role.revoke', 'done', 'sub:ann', 'eve'],
    ])
  })

  it('are not given beyond the own ones', async () => {
    await place.addUser('eve')
    await as('bob', 'owner', 'acme')
    const put = (holder: string, realms: string[]) =>
      send(`PUT /realms/acme/roles/users/${holder}/owner`, { realms })
    for (const [holder, realms] of [
      ['bob', ['*']],
      ['bob', ['acme', 'other']],
      ['eve', ['other']],
    ] as const)
      expect(await put(holder, [...realms])).toMatchObject(problem('forbidden', 403))
    expect(await send('DELETE /realms/acme/roles/users/ann/owner')).toMatchObject(problem('forbidden', 403))
    expect(await put('ann', ['acme'])).toMatchObject(problem('forbidden', 403))
    expect(await put('eve', ['acme'])).toMatchObject({ status: 200 })
  })

  it('of the last owner stay, and holders, roles and realms exist', async () => {
    expect(await send('DELETE /realms/acme/roles/users/ann/owner')).toMatchObject(problem('conflict', 409))
    const put = (path: string, realms: unknown = ['*']) => send(`PUT /realms/acme/roles/${path}`, { realms })
    expect(await put('users/nobody/support')).toMatchObject(problem('conflict', 409))
    expect(await put('clients/nobody/support')).toMatchObject(problem('conflict', 409))
    expect(await put('users/ann/support', ['nowhere'])).toMatchObject(problem('invalid_request', 400))
    expect(await put('users/ann/support', [])).toMatchObject(problem('invalid_request', 400))
    expect(await put('users/ann/admin')).toMatchObject(problem('not_found', 404))
    expect(await put('groups/ann/support')).toMatchObject(problem('not_found', 404))
  })
})
