/** Client authentication at the token, introspection and revocation endpoints: RFC 6749 §2.3. */

import { sha256 } from '@ostiary/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { CLIENT_SECRET, client, type World, world } from './support.js'

const grant_types = ['client_credentials']
/** Colon, space, plus, percent and letters beyond ASCII: all must survive Basic's form-encoding. */
const ODD = { client_id: 'odd:id +1%', client_secret: 'p+ä:ß %41\u{1f511}' }

const HASH = sha256(CLIENT_SECRET)
const encoded = (text: string) => new URLSearchParams({ '': text }).toString().slice(1)
const base64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64')
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${base64(`${encoded(id)}:${encoded(secret)}`)}`,
})
const post = (client_id: string, client_secret: string) => ({ client_id, client_secret })

describe.each(['single', 'path'] as const)('Client authentication (realms by %s)', (routing) => {
  let w: World
  beforeAll(async () => {
    const secret = { client_secret: CLIENT_SECRET, grant_types }
    w = await world({
      routing,
      clients: [
        await client({ ...secret, client_id: 'basic', token_endpoint_auth_method: 'client_secret_basic' }),
        await client({ ...secret, client_id: 'post' }),
        await client({ client_id: 'public', grant_types }),
        await client({ ...secret, client_id: 'revoked', revoked_at: 1 }),
        await client({ ...ODD, grant_types, token_endpoint_auth_method: 'client_secret_basic' }),
      ],
    })
  })

  const ENDPOINTS = {
    '/oauth/token': { grant_type: 'client_credentials' },
    '/oauth/introspect': { token: 'any' },
    '/oauth/revoke': { token: 'any' },
  }
  const paths = Object.keys(ENDPOINTS) as (keyof typeof ENDPOINTS)[]

  async function send(path: keyof typeof ENDPOINTS, form: Record<string, string>, headers = {}) {
    const response = await w.post(path, { ...ENDPOINTS[path], ...form }, headers)
    const text = await response.text()
    const error: unknown = text === '' ? undefined : JSON.parse(text).error
    return { status: response.status, challenge: response.headers.get('www-authenticate'), text, error }
  }

  describe.each(paths)('POST %s', (path) => {
    it.each<[string, Record<string, string>, Record<string, string>]>([
      ['client_secret_basic', {}, basic('basic', CLIENT_SECRET)],
      [
        'client_secret_basic, with its client_id in the body too',
        { client_id: 'basic' },
        basic('basic', CLIENT_SECRET),
      ],
      [
        'client_secret_basic, the scheme in lower case',
        {},
        {
          authorization: basic('basic', CLIENT_SECRET).authorization.replace('Basic', 'basic'),
        },
      ],
      ['client_secret_basic, both parts form-encoded', {}, basic(ODD.client_id, ODD.client_secret)],
      ['client_secret_post', post('post', CLIENT_SECRET), {}],
    ])('accepts %s', async (_, form, headers) => {
      expect((await send(path, form, headers)).status).toBe(200)
    })

    it('Basic with an empty password is no secret: a public client has the method none', async () => {
      const sent = await send(path, {}, basic('public', ''))
      const expected = await send(path, { client_id: 'public' })
      expect([sent.status, sent.text]).toEqual([expected.status, expected.text])
      const with_id = await send(path, { client_id: 'public', client_secret: '' }, basic('public', ''))
      expect([with_id.status, with_id.text]).toEqual([expected.status, expected.text])
      expect((await send(path, { client_secret: CLIENT_SECRET }, basic('post', ''))).status).toBe(200)
    })

    it.each<[string, Record<string, string>, Record<string, string>]>([
      ['an unknown client', post('nobody', CLIENT_SECRET), {}],
      ['an unknown client by Basic', {}, basic('nobody', CLIENT_SECRET)],
      ['an unknown public client', { client_id: 'nobody' }, {}],
      ['a revoked client', post('revoked', CLIENT_SECRET), {}],
      ['a wrong secret', post('post', 'wrong'), {}],
      ['a wrong secret by Basic', {}, basic('basic', 'wrong')],
      ['a secret that is right but for its case', post('post', CLIENT_SECRET.toUpperCase()), {}],
      ['the stored hash as the secret', post('post', HASH), {}],
      ['no secret for a confidential client', { client_id: 'post' }, {}],
      ['an empty secret by Basic', {}, basic('basic', '')],
      ['an unknown public client by Basic with an empty password', {}, basic('nobody', '')],
      [
        'client_secret_post for a client registered for client_secret_basic',
        post('basic', CLIENT_SECRET),
        {},
      ],
      [
        'client_secret_basic for a client registered for client_secret_post',
        {},
        basic('post', CLIENT_SECRET),
      ],
      ['a public client with a secret', post('public', CLIENT_SECRET), {}],
      ['a public client by Basic', {}, basic('public', CLIENT_SECRET)],
      ['no client at all', {}, {}],
      ['a malformed Basic: no credentials', {}, { authorization: 'Basic' }],
      ['a malformed Basic: not base64', {}, { authorization: 'Basic !!!' }],
      ['a malformed Basic: no colon', {}, { authorization: `Basic ${base64('basic')}` }],
      ['a malformed Basic: no client_id', {}, { authorization: `Basic ${base64(`:${CLIENT_SECRET}`)}` }],
      ['a malformed Basic: bad percent escape', {}, { authorization: `Basic ${base64('basic:%zz')}` }],
      [
        'a malformed Basic: not UTF-8',
        {},
        { authorization: `Basic ${base64(Uint8Array.of(0xff, 0x3a, 0x78))}` },
      ],
      ['a NUL by Basic', {}, basic('basic\0', CLIENT_SECRET)],
      ['the Bearer scheme', post('post', CLIENT_SECRET), { authorization: 'Bearer abc' }],
      ['an unknown scheme', { client_id: 'public' }, { authorization: 'Digest username="public"' }],
    ])('%s: 401 invalid_client, with the same text as all others', async (_, form, headers) => {
      const answer = await send(path, form, headers)
      expect([answer.status, answer.error]).toEqual([401, 'invalid_client'])
      expect(answer.challenge).toBe(`Basic realm="${w.realm}"`)
      expect(answer.text).toBe((await send(path, post('nobody', 'x'))).text)
    })

    it.each<[string, Record<string, string>, Record<string, string>]>([
      [
        'a secret in both the header and the body',
        post('basic', CLIENT_SECRET),
        basic('basic', CLIENT_SECRET),
      ],
      [
        'the same for a client of client_secret_post',
        post('post', CLIENT_SECRET),
        basic('post', CLIENT_SECRET),
      ],
      ['the same for an unknown client', post('nobody', 'x'), basic('nobody', 'x')],
      ['a client_id that differs from the header', { client_id: 'post' }, basic('basic', CLIENT_SECRET)],
      ['a NUL in the client_id', { client_id: 'public\0' }, {}],
      ['a NUL in the secret', post('post', `${CLIENT_SECRET}\0`), {}],
    ])('%s: invalid_request', async (_, form, headers) => {
      const answer = await send(path, form, headers)
      expect([answer.status, answer.error]).toEqual([400, 'invalid_request'])
    })
  })

  it('method none: a public client names itself', async () => {
    expect((await send('/oauth/revoke', { client_id: 'public' })).status).toBe(200)
    // Known, and not registered for a grant that public clients may use.
    expect((await send('/oauth/token', { client_id: 'public' })).error).toBe('unauthorized_client')
  })

  it('introspection takes confidential clients only: 401 invalid_client for a public one', async () => {
    const answer = await send('/oauth/introspect', { client_id: 'public' })
    expect([answer.status, answer.error]).toEqual([401, 'invalid_client'])
    expect(answer.challenge).toBe(`Basic realm="${w.realm}"`)
  })

  it('the event has the reason, which the answer does not have', async () => {
    const causes: [Record<string, string>, string][] = [
      [post('nobody', 'x'), 'unknown_client'],
      [post('revoked', CLIENT_SECRET), 'revoked_client'],
      [post('basic', CLIENT_SECRET), 'wrong_method'],
      [post('post', 'wrong'), 'wrong_secret'],
    ]
    for (const [form, reason] of causes) {
      await send('/oauth/token', form)
      const failure = w.events.findLast(({ type }) => type === 'client.authentication_failed')
      // An unknown client_id may be a secret: the event does not repeat it.
      const client_id = reason === 'unknown_client' ? null : form.client_id
      expect(failure).toMatchObject({ client_id, reason, realm: w.realm })
    }
  })

  it.each([
    ['an empty client_id', ''],
    ['a NUL in the client_id', 'basic\0'],
  ])('%s by Basic is a malformed header, and nothing is looked up', async (_, client_id) => {
    await send('/oauth/token', {}, basic(client_id, CLIENT_SECRET))
    const failure = w.events.findLast(({ type }) => type === 'client.authentication_failed')
    expect(failure).toMatchObject({ reason: 'malformed_authorization_header', used_method: null })
  })
})

it('a refused secret costs one hash, whether the client is unknown, revoked, registered for another method, or its secret is wrong', async () => {
  const secret = { client_secret: CLIENT_SECRET, grant_types }
  const hashed: string[] = []
  const w = await world({
    clients: [
      await client({ ...secret, client_id: 'basic', token_endpoint_auth_method: 'client_secret_basic' }),
      await client({ ...secret, client_id: 'post' }),
      await client({ ...secret, client_id: 'revoked', revoked_at: 1 }),
    ],
    hashes: {
      sha256(text) {
        hashed.push(text)
        return sha256(text)
      },
      hmac: () => 'not used here',
    },
  })
  for (const client_id of ['nobody', 'revoked', 'basic', 'post']) {
    hashed.length = 0
    const form = { grant_type: 'client_credentials', ...post(client_id, 'a wrong secret') }
    expect((await w.post('/oauth/token', form)).status).toBe(401)
    expect(hashed).toEqual(['a wrong secret'])
  }
})
