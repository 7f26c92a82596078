/** Who gets in: the attacks with tokens that are not for the admin API, and what people and programs need. */

import { sha256 } from '@ostiary/core'
import { dpopKey, dpopProof } from '@ostiary/test-kit/dpop'
import { REDIRECT_URI, tokens } from '@ostiary/test-kit/world'
import { describe, expect, it } from 'vitest'
import { adminPlace, CLIENT_SECRET, RESOURCE, userRecord } from './_place.ts'

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'
const LIST = 'GET /realms/acme/clients'

async function owned(options: Parameters<typeof adminPlace>[0] = {}) {
  const place = await adminPlace(options)
  await place.give('sub:ann', 'owner', '*')
  return place
}

describe.each(['single', 'path'] as const)('with realms by %s', (routing) => {
  const realm = routing === 'path' ? 'acme' : 'default'
  const list = `GET /realms/${realm}/clients`

  it('an owner gets in, with the token for the resource in the header alone', async () => {
    const { signIn, call } = await owned({ routing })
    const { access_token } = await signIn('ann')
    expect(await call(access_token, list)).toMatchObject({ status: 200 })
    const query = await call(null, `${list}?access_token=${access_token}`)
    expect(query.status).toBe(401)
    const cookie = await call(null, list, { headers: { cookie: `access_token=${access_token}` } })
    expect(cookie.status).toBe(401)
  })

  it('without a token, the challenge names the metadata of the resource, which names its issuer', async () => {
    const { call, w, admin } = await owned({ routing })
    const { status, headers, body } = await call(null, list)
    expect(status).toBe(401)
    const url = 'https://id.example.com/.well-known/oauth-protected-resource/admin/api/v1'
    expect(headers.get('www-authenticate')).toContain(`resource_metadata="${url}"`)
    expect(headers.get('content-type')).toBe('application/problem+json')
    expect(body).toMatchObject({
      type: 'urn:ostiary:problem:unauthorized',
      status: 401,
      request_id: expect.any(String),
    })
    const { pathname } = new URL(url)
    const request = new Request(url)
    const answer = await (admin.owns(pathname) ? admin.fetch(request) : w.provider.fetch(request))
    const document = await answer.json()
    expect(document).toMatchObject({ resource: RESOURCE, authorization_servers: [w.issuer] })
    expect(document.scopes_supported).toContain('admin.users:write')
  })

  it('a token for the issuer, an ID token, and no token at all are refused', async () => {
    const { signIn, call } = await owned({ routing })
    const { access_token, id_token } = await signIn('ann', { scope: 'openid', resource: null })
    for (const token of [access_token, id_token, 'no-token'])
      expect(await call(token, list)).toMatchObject({
        status: 401,
        body: { type: 'urn:ostiary:problem:unauthorized' },
      })
  })

  it('has no CORS, and no answer may be stored', async () => {
    const { signIn, call } = await owned({ routing })
    const { access_token } = await signIn('ann')
    const origin = { origin: 'https://evil.example.com' }
    for (const answer of [
      await call(access_token, list, { headers: origin }),
      await call(null, list, { headers: origin }),
      await call(access_token, `OPTIONS ${list.slice(4)}`, { headers: origin }),
    ]) {
      expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
  })
})

describe('a client that may not name the resource gets no token for it', () => {
  const ENTRY = [`${RESOURCE} admin.users:write`]
  it.each<[string, object]>([
    ['that registered itself', { origin: 'registered', optional_scopes: ENTRY }],
    ['with * alone', { optional_scopes: ['*'] }],
    ['without an entry', {}],
  ])('%s', async (_, fields) => {
    const grant_types = ['authorization_code', 'client_credentials', EXCHANGE]
    const evil = {
      client_id: 'evil',
      client_secret: CLIENT_SECRET,
      grant_types,
      allowed_exchange_audiences: [RESOURCE],
    }
    const { w, signIn } = await owned({
      oidc: { clients: { token_exchange: true } },
      clients: [{ ...evil, ...fields, redirect_uris: [REDIRECT_URI] }],
    })
    const { access_token } = await signIn('ann')
    const own = {
      client_id: 'evil',
      client_secret: CLIENT_SECRET,
      resource: RESOURCE,
      scope: 'admin.users:write',
    }
    expect((await tokens(w, { ...own, grant_type: 'client_credentials' })).body.error).toBe('invalid_target')
    const subject = { subject_token: access_token, subject_token_type: ACCESS_TOKEN }
    const exchanged = await tokens(w, { ...own, ...subject, grant_type: EXCHANGE })
    expect(exchanged.body.error).toMatch(/^(?:invalid_target|access_denied)$/)
    const redirect = await w
      .browser()
      .authorize({ client_id: 'evil', resource: RESOURCE, scope: 'admin.users:write' })
    expect(redirect.headers.get('location')).toContain('error=invalid_target')
  })
})

describe('realms', () => {
  it('a token of another realm is refused, although its user and its resource have the same names', async () => {
    const { w, call, people, give } = await owned()
    await people.users('other').create(userRecord('ann'))
    await give('sub:ann', 'owner', '*')
    const management = await w.provider.manage('other')
    await management.clients.create({
      client_id: 'deploy',
      client_secret: CLIENT_SECRET,
      grant_types: ['client_credentials'],
      redirect_uris: [],
    })
    await give('client:deploy', 'owner', '*')
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'deploy',
      client_secret: CLIENT_SECRET,
    })
    const url = 'https://id.example.com/realms/other/oauth/token'
    const answer = await w.provider.fetch(new Request(url, { method: 'POST', body: form }))
    const { access_token } = await answer.json()
    expect(access_token).toEqual(expect.any(String))
    expect((await call(access_token, LIST)).status).toBe(401)
  })
})

describe('people', () => {
  it('need two factors, and the challenge says so', async () => {
    const { signIn, call } = await owned()
    const { access_token } = await signIn('ann', { acr: '1' })
    const { status, headers } = await call(access_token, LIST)
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toContain('error="insufficient_user_authentication"')
    expect(headers.get('www-authenticate')).toContain('acr_values="2"')
  })

  it('need a sign-in of the last hour, and of the last five minutes for roles and deletions', async () => {
    const { w, signIn, call } = await owned({ oidc: { tokens: { access_token: 7200 } } })
    const { access_token } = await signIn('ann')
    const at = async (seconds: number, line: string) => {
      w.clock.now += seconds
      const { status } = await call(access_token, line)
      w.clock.now -= seconds
      return status
    }
    expect(await at(3600, LIST)).toBe(200)
    expect(await at(3601, LIST)).toBe(401)
    for (const line of ['DELETE /realms/acme/clients/ops', 'DELETE /realms/acme/users/ann'])
      expect([await at(300, line), await at(301, line)]).toEqual([428, 401])
    const role = 'DELETE /realms/acme/roles/users/eve/owner'
    expect([await at(300, role), await at(301, role)]).toEqual([404, 401])
  })

  it('a role or a user that is gone does not count at the next request', async () => {
    const { signIn, call, roles, people } = await owned()
    const { access_token } = await signIn('ann')
    expect((await call(access_token, LIST)).status).toBe(200)
    await roles.change('acme', () => ({ remove: { holder: 'sub:ann', role: 'owner' } }))
    expect((await call(access_token, LIST)).status).toBe(404)
    await roles.change('acme', () => ({ put: { holder: 'sub:ann', role: 'owner', realms: ['*'] } }))
    expect((await call(access_token, LIST)).status).toBe(200)
    await people.users('acme').delete('ann')
    expect((await call(access_token, LIST)).status).toBe(401)
  })
})

describe('programs', () => {
  it('need a key, unless secrets are allowed', async () => {
    for (const [allow_client_secrets, status] of [
      [true, 200],
      [false, 403],
    ] as const) {
      const { program, call, give } = await owned({ settings: { allow_client_secrets } })
      await give('client:deploy', 'owner', '*')
      const { access_token } = await program()
      const answer = await call(access_token, LIST)
      expect(answer.status).toBe(status)
      if (status === 403) expect(answer.body.type).toBe('urn:ostiary:problem:weak_client')
    }
  })

  it('have the role of the client, and not that of a user of the same name', async () => {
    const { program, call, give } = await owned()
    await give('sub:deploy', 'owner', '*')
    const { access_token } = await program()
    expect((await call(access_token, LIST)).status).toBe(404)
  })
})

it('where DPoP is on, tokens are bound to a key, and a client with a secret is strong enough', async () => {
  const { w, program, call, give } = await owned({
    oidc: { dpop: 'on' },
    settings: { allow_client_secrets: false },
  })
  await give('client:deploy', 'owner', '*')
  const unbound = await program()
  expect(unbound).toMatchObject({ error: 'invalid_dpop_proof' })
  const key = dpopKey()
  const form = {
    grant_type: 'client_credentials',
    client_id: 'deploy',
    client_secret: CLIENT_SECRET,
    resource: RESOURCE,
    scope: 'admin.clients:read',
  }
  const proof = (method: string, url: string, access_token?: string) =>
    dpopProof(key, { method, url, now: w.clock.now, ...(access_token !== undefined && { access_token }) })
  const { body } = await tokens(w, form, { dpop: proof('POST', `${w.issuer}/oauth/token`) })
  const { access_token } = body
  const url = `${RESOURCE}/realms/acme/clients`
  const asBearer = await call(access_token, LIST)
  expect(asBearer.status).toBe(401)
  const headers = { authorization: `DPoP ${access_token}`, dpop: proof('GET', url, access_token) }
  expect((await call(null, LIST, { headers })).status).toBe(200)
  // The same proof again, and that of another request.
  expect((await call(null, LIST, { headers })).status).toBe(401)
  const elsewhere = { ...headers, dpop: proof('GET', `${url}/ops`, access_token) }
  expect((await call(null, LIST, { headers: elsewhere })).status).toBe(401)
})

it('a caller has 600 requests a minute', async () => {
  const { w, program, call, give, realm } = await owned()
  await give('client:deploy', 'owner', '*')
  const { access_token } = await program()
  const { throttle } = w.storage(realm)
  for (let n = 0; n < 599; n += 1) await throttle.hit(`admin:${sha256('client:deploy')}`, 60, w.clock.now)
  expect((await call(access_token, LIST)).status).toBe(200)
  const refused = await call(access_token, LIST)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  w.clock.now += 60
  expect((await call(access_token, LIST)).status).toBe(200)
})
