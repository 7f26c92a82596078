/** Clients: replaced and patched by the rules of ETags, created once, and what is protected. */

import { createHash } from 'node:crypto'
import { tokens } from '@ostiary/test-kit/world'
import { beforeEach, describe, expect, it } from 'vitest'
import { adminPlace, type Place, RESOURCE } from './_place.ts'

const ONE = '/realms/acme/clients/notes'
const NOTES = { client_name: 'Notes', redirect_uris: ['https://notes.example.com/callback'] }
let place: Place
let token: string

beforeEach(async () => {
  place = await adminPlace()
  await place.give('sub:ann', 'owner', '*')
  token = (await place.signIn('ann')).access_token
})

const send = (line: string, body?: unknown, headers: Record<string, string> = {}) =>
  place.call(token, line, { ...(body !== undefined && { body }), headers })
const problem = (code: string, status: number) => ({ status, body: { type: `urn:ostiary:problem:${code}` } })
const changesOf = async () =>
  (await place.changes()).map(({ type, outcome, actor }) => `${type} ${outcome} ${actor}`)

describe('PUT', () => {
  it('creates a client, and shows a secret once', async () => {
    const body = { token_endpoint_auth_method: 'client_secret_basic', grant_types: ['client_credentials'] }
    const made = await send('PUT /realms/acme/clients/service', body)
    expect(made).toMatchObject({
      status: 201,
      body: { client_id: 'service', client_secret: expect.any(String) },
    })
    const read = await send('GET /realms/acme/clients/service')
    expect(read.body).toEqual({ ...made.body, client_secret: undefined })
    expect(JSON.stringify(read.body)).not.toContain('hash')
    expect(read.etag).toBe(made.etag)
    // The same again, as a tool does that declares it.
    const again = await send('PUT /realms/acme/clients/service', body)
    expect(again).toMatchObject({ status: 200, etag: made.etag })
    expect(again.body).not.toHaveProperty('client_secret')
  })

  it('takes a secret of 32 characters, and never shows it', async () => {
    const body = { token_endpoint_auth_method: 'client_secret_basic', grant_types: ['client_credentials'] }
    const secret = 'Zq3vB7nM1kXc9wR5tY2uP8sD4fG6hJ0a'
    expect(
      await send('PUT /realms/acme/clients/service', { ...body, client_secret: secret.slice(1) }),
    ).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/client_secret' }] },
    })
    const made = await send('PUT /realms/acme/clients/service', { ...body, client_secret: secret })
    expect(made.status).toBe(201)
    expect(JSON.stringify(made.body)).not.toContain(secret)
    expect((await send('PUT /realms/acme/clients/service', { ...body, client_secret: secret })).status).toBe(
      200,
    )
    expect(await changesOf()).toEqual(['client.create done sub:ann'])
  })

  it('takes the hash of a secret, with which the client gets a token, and never shows it', async () => {
    const secret = 'Zq3vB7nM1kXc9wR5tY2uP8sD4fG6hJ0a'
    const client_secret_hash = createHash('sha256').update(secret).digest('base64url')
    const body = { token_endpoint_auth_method: 'client_secret_post', grant_types: ['client_credentials'] }
    const hashed = { ...body, client_secret_hash }
    const put = (query = '', given: object = hashed) =>
      send(`PUT /realms/acme/clients/service${query}`, given)
    const dry = await put('?dry_run=true')
    const made = await put()
    expect([dry.status, made.status]).toEqual([200, 201])
    const form = { grant_type: 'client_credentials', client_id: 'service', client_secret: secret }
    expect((await tokens(place.w, form)).status).toBe(200)
    const again = await put()
    expect(again).toMatchObject({ status: 200, etag: made.etag, body: made.body })
    expect(await changesOf()).toEqual(['dry_run done sub:ann', 'client.create done sub:ann'])
    // Another one is a change of the secret, which is named alone.
    const other = createHash('sha256').update('other').digest('base64url')
    const planned = await put('?dry_run=true&overwrite=true', { ...body, client_secret_hash: other })
    expect(planned.body.changes).toEqual([{ pointer: '/client_secret', secret: true }])
    const changed = await put('?overwrite=true', { ...body, client_secret_hash: other })
    expect(changed.status).toBe(200)
    expect((await tokens(place.w, form)).body).toMatchObject({ error: 'invalid_client' })
    const read = await send('GET /realms/acme/clients/service')
    const told = [dry, made, again, planned, changed, read].map(({ body: shown, etag }) => [shown, etag])
    const seen = JSON.stringify([told, await place.changes(), place.events, place.w.events])
    for (const hidden of [secret, client_secret_hash, other]) expect(seen).not.toContain(hidden)
    for (const shown of [made, again, changed, read])
      expect(Object.keys(shown.body).filter((name) => name.startsWith('client_secret'))).toEqual([])
  })

  it('refuses a hash of another form, and one beside the secret', async () => {
    const body = { token_endpoint_auth_method: 'client_secret_post', grant_types: ['client_credentials'] }
    const secret = 'Zq3vB7nM1kXc9wR5tY2uP8sD4fG6hJ0a'
    const hash = (encoding: 'hex' | 'base64' | 'base64url') =>
      createHash('sha256').update(secret).digest(encoding)
    const both = { client_secret: secret, client_secret_hash: hash('base64url') }
    for (const given of [both, { client_secret_hash: hash('hex') }, { client_secret_hash: hash('base64') }])
      expect(await send('PUT /realms/acme/clients/service', { ...body, ...given })).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: '/client_secret_hash' }] },
      })
    expect(
      await send(`PATCH ${ONE}?overwrite=true`, { client_secret_hash: hash('base64url') }),
    ).toMatchObject({
      status: 400,
    })
    // The attempts have rows, without what was sent.
    expect(new Set(await changesOf())).toEqual(new Set(['client.create failed sub:ann']))
    expect(JSON.stringify(await place.changes())).not.toContain(hash('base64url'))
  })

  it('replaces all members, with the ETag of what was read', async () => {
    const made = await send(`PUT ${ONE}`, { ...NOTES, access_token_lifetime: 60 })
    expect(made.status).toBe(201)
    expect(await send(`PUT ${ONE}`, NOTES)).toMatchObject(problem('precondition_required', 428))
    expect(await send(`PUT ${ONE}`, NOTES, { 'if-match': '"other"' })).toMatchObject(
      problem('changed_meanwhile', 412),
    )
    expect(await send(`PUT ${ONE}`, NOTES, { 'if-match': `W/${made.etag}` })).toMatchObject({ status: 412 })
    const put = await send(`PUT ${ONE}`, NOTES, { 'if-match': made.etag })
    expect(put).toMatchObject({ status: 200, body: { access_token_lifetime: null } })
    expect(put.etag).not.toBe(made.etag)
    expect(await send(`PUT ${ONE}?overwrite=true`, { ...NOTES, client_name: 'Other' })).toMatchObject({
      status: 200,
    })
    expect(await send(`PUT ${ONE}`, NOTES, { 'if-none-match': '*' })).toMatchObject({ status: 412 })
    expect(await send('PUT /realms/acme/clients/new', NOTES, { 'if-match': '*' })).toMatchObject({
      status: 412,
    })
    expect(await send('PUT /realms/acme/clients/new', NOTES, { 'if-none-match': '*' })).toMatchObject({
      status: 201,
    })
  })

  it('of two that have read the same record, one is refused', async () => {
    const { etag } = await send(`PUT ${ONE}`, NOTES)
    const both = await Promise.all(
      ['One', 'Two'].map((client_name) =>
        send(`PUT ${ONE}`, { ...NOTES, client_name }, { 'if-match': etag }),
      ),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412])
    const won = both.find(({ status }) => status === 200)
    expect((await send(`GET ${ONE}`)).body).toEqual(won?.body)
  })

  it('of what is there already changes nothing, and has no row: with many clients', async () => {
    const ids = Array.from({ length: 25 }, (_, index) => `app-${index}`)
    const applyAll = () =>
      Promise.all(
        ids.map((id, index) =>
          send(`PUT /realms/acme/clients/${id}`, {
            ...NOTES,
            client_name: id,
            ...(index % 3 === 0 && { token_endpoint_auth_method: 'client_secret_post' }),
            ...(index % 3 === 1 && {
              access_token_lifetime: 60 + index,
              optional_scopes: ['openid', 'email'],
            }),
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

  it('names each fault with its place, and the name that was probably meant', async () => {
    const body = { client_nam: 'x', redirect_uris: ['nowhere', 'https://a.example.com/'], trusted: 'yes' }
    const { status, body: answer } = await send(`PUT ${ONE}`, body)
    expect(status).toBe(400)
    expect(answer.errors).toEqual(
      expect.arrayContaining([
        { pointer: '/client_nam', message: 'there is no such key', suggestion: 'client_name' },
        { pointer: '/redirect_uris/0', message: expect.any(String) },
        { pointer: '/trusted', message: 'give true or false' },
      ]),
    )
    expect(
      await send(`PUT ${ONE}`, { grant_types: ['authorization_code'], redirect_uris: [] }),
    ).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/redirect_uris', message: expect.stringContaining('at least one') }] },
    })
    expect(await send(`PUT ${ONE}`, { ...NOTES, client_id: 'other' })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/client_id' }] },
    })
  })

  it('of an id that is taken by a user, or was a client’s, is a conflict', async () => {
    expect(await send('PUT /realms/acme/clients/ann', NOTES)).toMatchObject(problem('conflict', 409))
    const { etag } = await send(`PUT ${ONE}`, NOTES)
    expect(await send(`DELETE ${ONE}`, undefined, { 'if-match': etag })).toMatchObject({ status: 200 })
    expect(await send(`PUT ${ONE}`, NOTES)).toMatchObject(problem('conflict', 409))
  })
})

describe('PATCH', () => {
  it('changes what it names, and null is the default', async () => {
    const made = await send(`PUT ${ONE}`, { ...NOTES, access_token_lifetime: 60, refresh_token_lifetime: 90 })
    const headers = { 'if-match': made.etag }
    const patched = await send(`PATCH ${ONE}`, { access_token_lifetime: null, client_name: 'N' }, headers)
    expect(patched).toMatchObject({
      status: 200,
      body: { access_token_lifetime: null, refresh_token_lifetime: 90, client_name: 'N' },
    })
    expect((await send(`GET ${ONE}`)).etag).toBe(patched.etag)
    // Nothing changes: no ETag is needed, and no row is written.
    const rows = await place.changes()
    expect(await send(`PATCH ${ONE}`, { client_name: 'N' })).toMatchObject({
      status: 200,
      etag: patched.etag,
    })
    expect(await place.changes()).toEqual(rows)
  })

  it('of two that have read the same record, one is refused', async () => {
    const { etag } = await send(`PUT ${ONE}`, NOTES)
    const headers = { 'if-match': etag }
    const both = await Promise.all(
      ['One', 'Two'].map((client_name) => send(`PATCH ${ONE}`, { client_name }, headers)),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412])
    const won = both.find(({ status }) => status === 200)
    expect((await send(`GET ${ONE}`)).body).toEqual(won?.body)
    expect(await send(`PATCH ${ONE}`, { client_name: 'Three' })).toMatchObject({ status: 428 })
  })

  it('knows its members too', async () => {
    await send(`PUT ${ONE}`, NOTES)
    expect(await send(`PATCH ${ONE}`, { client_secret_hash: 'x' })).toMatchObject({ status: 400 })
    expect(await send(`PATCH ${ONE}`, { client_nam: 'x' })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/client_nam', suggestion: 'client_name' }] },
    })
    for (const body of ['[]', '"x"', 'null', '{', '1'])
      expect((await send(`PATCH ${ONE}`, body)).status).toBe(400)
  })
})

describe('the other operations', () => {
  it('a secret is replaced and shown once, a revocation is for good, and a deletion names what ended', async () => {
    await send('PUT /realms/acme/clients/service', {
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['client_credentials'],
    })
    const rotated = await send('POST /realms/acme/clients/service/secret')
    expect(rotated).toMatchObject({ status: 200, body: { client_secret: expect.any(String) } })
    await send(`PUT ${ONE}`, NOTES)
    expect(await send(`POST ${ONE}/secret`)).toMatchObject(problem('conflict', 409))
    const revoked = await send('POST /realms/acme/clients/service/revoke')
    expect(revoked).toMatchObject({ status: 200, body: { revoked_at: expect.any(Number) } })
    expect(await send('POST /realms/acme/clients/service/revoke')).toMatchObject({
      status: 200,
      etag: revoked.etag,
    })
    expect(await send('POST /realms/acme/clients/service/secret')).toMatchObject(problem('conflict', 409))
    expect(await send(`DELETE ${ONE}`)).toMatchObject(problem('precondition_required', 428))
    const { etag } = await send(`GET ${ONE}`)
    expect(await send(`DELETE ${ONE}`, undefined, { 'if-match': etag })).toMatchObject({
      status: 200,
      body: { client_id: 'notes', grants: 0, consents: 0 },
    })
    expect(await send(`GET ${ONE}`)).toMatchObject(problem('not_found', 404))
    expect(await changesOf()).toEqual([
      'client.create done sub:ann',
      'client.rotate_secret done sub:ann',
      'client.create done sub:ann',
      'client.rotate_secret failed sub:ann',
      'client.revoke done sub:ann',
      'client.rotate_secret failed sub:ann',
      'client.delete done sub:ann',
    ])
  })

  it('a list has pages, whose cursors are of this list alone', async () => {
    for (const id of ['a', 'b', 'c']) await send(`PUT /realms/acme/clients/${id}`, NOTES)
    const first = await send('GET /realms/acme/clients?limit=3')
    expect(first.body.items.map(({ client_id }: { client_id: string }) => client_id)).toEqual(['a', 'b', 'c'])
    const second = await send(`GET /realms/acme/clients?limit=3&cursor=${first.body.next}`)
    expect(second.body).toMatchObject({ items: [{ client_id: 'deploy' }, { client_id: 'ops' }], next: null })
    const cursor = String(first.body.next)
    const changed = cursor.startsWith('~') ? 'x' : `~${cursor.slice(1)}`
    const forged = `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`
    for (const line of [
      `GET /realms/other/clients?cursor=${cursor}`,
      `GET /realms/acme/users?cursor=${cursor}`,
      `GET /realms/acme/clients?cursor=${changed}`,
      `GET /realms/acme/clients?cursor=${forged}`,
      `GET /realms/acme/clients?cursor=${cursor}=`,
      'GET /realms/acme/clients?cursor=',
      `GET /realms/acme/clients?cursor=${'x'.repeat(9000)}`,
    ])
      expect(await send(line), line).toMatchObject(problem('invalid_cursor', 400))
    for (const query of ['limit=0', 'limit=201', 'limit=x', 'limit=-1', 'limits=5', 'limit=1e2'])
      expect((await send(`GET /realms/acme/clients?${query}`)).status).toBe(400)
    for (let n = 0; n < 50; n += 1) await send(`PUT /realms/acme/clients/more-${n}`, NOTES)
    expect((await send('GET /realms/acme/clients?limit=200')).body.items).toHaveLength(55)
    expect((await send('GET /realms/acme/clients')).body.items).toHaveLength(50)
  })
})

describe('requests that are wrong', () => {
  it('have an answer that says what to do', async () => {
    expect(await send(`POST ${ONE}`)).toMatchObject(problem('method_not_allowed', 405))
    expect((await send(`POST ${ONE}`)).headers.get('allow')).toBe('GET, PUT, PATCH, DELETE')
    expect(await send('GET /realms/acme/nothing')).toMatchObject(problem('not_found', 404))
    expect(await send(`PUT ${ONE}`, NOTES, { 'content-type': 'text/plain' })).toMatchObject(
      problem('unsupported_media_type', 415),
    )
    const large = (bytes: number) => {
      const frame = JSON.stringify({ ...NOTES, client_name: '' }).length
      return send(`PUT ${ONE}`, { ...NOTES, client_name: 'x'.repeat(bytes - frame) })
    }
    // Within the limit, it is the name that is too long.
    expect(await large(65_536)).toMatchObject(problem('invalid_request', 400))
    expect(await large(65_537)).toMatchObject(problem('too_large', 413))
    const nested = (depth: number) => send(`PUT ${ONE}`, `${'['.repeat(depth)}${']'.repeat(depth)}`)
    expect((await nested(33)).body.errors).toEqual([
      { pointer: '/', message: 'give JSON in UTF-8, with at most 32 levels' },
    ])
    expect((await nested(32)).body.errors).not.toEqual((await nested(33)).body.errors)
    for (const client_name of ['\0', '\ud800', 'a\0b'])
      expect((await send(`PUT ${ONE}`, { ...NOTES, client_name })).status).toBe(400)
    for (const part of ['has%20a%20space', 'x'.repeat(256)])
      expect(await send(`PUT /realms/acme/clients/${part}`, NOTES)).toMatchObject(
        problem('invalid_request', 400),
      )
    for (const part of ['%00', '%ED%A0%80', '%E0%A4%A', 'x'.repeat(9000), ''])
      expect((await send(`GET /realms/acme/clients/${part}`)).status).toBe(404)
  })
})

describe('a manager', () => {
  beforeEach(async () => {
    await send(`PUT ${ONE}`, NOTES)
    await place.give('sub:sue', 'manager', '*')
    token = (await place.signIn('sue')).access_token
  })

  it('changes other clients', async () => {
    expect(await send(`PATCH ${ONE}?overwrite=true`, { client_name: 'N' })).toMatchObject({ status: 200 })
    expect(await send('PUT /realms/acme/clients/mine', NOTES)).toMatchObject({ status: 201 })
  })

  it.each<[string, string, unknown?]>([
    [
      'an entry for the admin API',
      `PATCH ${ONE}?overwrite=true`,
      { optional_scopes: [`${RESOURCE} admin.roles:write`] },
    ],
    [
      'a new client with one',
      'PUT /realms/acme/clients/evil',
      { ...NOTES, default_scopes: [`${RESOURCE} admin.users:write`] },
    ],
    ['an exchange audience', `PATCH ${ONE}?overwrite=true`, { allowed_exchange_audiences: [RESOURCE] }],
    ['trust', `PUT ${ONE}?overwrite=true`, { ...NOTES, trusted: true }],
    [
      'the redirect URI of a client of administrators',
      'PATCH /realms/acme/clients/ops?overwrite=true',
      { redirect_uris: ['https://evil.example.com/'] },
    ],
    ['the secret of such a client', 'POST /realms/acme/clients/deploy/secret'],
    ['its end', 'POST /realms/acme/clients/deploy/revoke'],
    ['its deletion', 'DELETE /realms/acme/clients/ops?overwrite=true'],
    ['the name of the console', 'PUT /realms/acme/clients/ostiary-console', NOTES],
  ])('does not get %s', async (...[, line, body]) => {
    const before = await place.changes()
    expect(await send(line, body)).toMatchObject(problem('forbidden', 403))
    expect(await place.changes()).toEqual(before)
  })

  it('does not take the id of a client that had a role', async () => {
    await place.give('client:gone', 'owner', '*')
    expect(await send('PUT /realms/acme/clients/gone', NOTES)).toMatchObject(problem('forbidden', 403))
  })
})

it('a client of the configuration is changed there', async () => {
  const configured = () => ({ clients: [{ path: 'clients.0', metadata: { client_id: 'notes' } }], users: [] })
  place = await adminPlace({ options: { configured } })
  await place.give('sub:ann', 'owner', '*')
  token = (await place.signIn('ann')).access_token
  for (const line of [`PUT ${ONE}`, `PATCH ${ONE}`])
    expect(await send(line, NOTES)).toMatchObject(problem('owned_by_configuration', 409))
  for (const line of [`DELETE ${ONE}`, `POST ${ONE}/secret`, `POST ${ONE}/revoke`])
    expect((await send(line)).body).toMatchObject({ detail: expect.stringContaining('clients.0') })
})

it('a client that registered itself is not replaced, and can be patched', async () => {
  place = await adminPlace({ clients: [{ client_id: 'notes', origin: 'registered' }] })
  await place.give('sub:ann', 'owner', '*')
  token = (await place.signIn('ann')).access_token
  const { etag } = await send(`GET ${ONE}`)
  expect(await send(`PUT ${ONE}`, NOTES, { 'if-match': etag })).toMatchObject(problem('conflict', 409))
  const patched = await send(`PATCH ${ONE}`, { client_name: 'N' }, { 'if-match': etag })
  expect(patched).toMatchObject({ status: 200, body: { origin: 'registered' } })
})

it('without a row in the audit nothing is changed, and the answer is 503', async () => {
  const { put } = place.rows
  place.rows.put = async () => {
    throw new Error('no database')
  }
  expect(await send(`PUT ${ONE}`, NOTES)).toMatchObject(problem('unavailable', 503))
  place.rows.put = put
  expect(await send(`GET ${ONE}`)).toMatchObject({ status: 404 })
})
