/** Token exchange: RFC 8693, with the default policy and with an application's own. */

import { type Client as ClientRecord, OAuthError } from '@ostiary/core'
import { describe, expect, it } from 'vitest'
import {
  bearer,
  CLIENT_SECRET,
  client,
  elsewhere,
  payload,
  redeem,
  type TokenAnswer,
  tokens,
  type World,
  type WorldOptions,
  world,
} from './support.js'

const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'
const API = 'https://api.example.net'
const RESOURCES = { [API]: { scopes: ['notes.read', 'notes.write'] }, files: { scopes: ['notes.read'] } }

describe.each(['single', 'path'] as const)('realms by %s', (routing) => {
  /** Alice's token for `files`, held by `app`; `broker` is another confidential client. */
  async function exchangeWorld(options: WorldOptions = {}) {
    const clients = [
      await client({
        client_secret: CLIENT_SECRET,
        grant_types: ['authorization_code', 'refresh_token', 'client_credentials', GRANT],
        allowed_exchange_audiences: [API],
        trusted: true,
      }),
      await client({
        client_id: 'broker',
        client_secret: CLIENT_SECRET,
        grant_types: [GRANT, 'client_credentials'],
      }),
      await client({ client_id: 'page', grant_types: [GRANT], allowed_exchange_audiences: [API] }),
      await client({
        client_id: 'our-page',
        grant_types: [GRANT],
        trusted: true,
        allowed_exchange_audiences: [API],
      }),
    ]
    const { oidc, ...rest } = options
    const w = await world({
      routing,
      clients,
      ...rest,
      oidc: { resources: RESOURCES, clients: { token_exchange: true }, ...oidc },
    })
    const { code } = await w.browser().code({ resource: `${w.issuer}/files`, scope: 'notes.read openid' })
    const granted = await redeem(w, code, { client_secret: CLIENT_SECRET })
    return { w, subject_token: granted.body.access_token }
  }

  const exchange = (
    w: World,
    subject_token: string,
    changes: Record<string, string> = {},
  ): Promise<TokenAnswer> =>
    tokens(w, {
      grant_type: GRANT,
      client_id: 'app',
      client_secret: CLIENT_SECRET,
      subject_token,
      subject_token_type: ACCESS_TOKEN,
      audience: API,
      ...changes,
    })

  it('gives a token for the same subject, addressed to the audience, with act and issued_token_type', async () => {
    const { w, subject_token } = await exchangeWorld()
    const { status, body } = await exchange(w, subject_token)
    expect(status).toBe(200)
    expect(body).toEqual({
      token_type: 'Bearer',
      expires_in: 900,
      access_token: expect.any(String),
      issued_token_type: ACCESS_TOKEN,
      scope: 'openid',
    })
    const claims = payload(body.access_token)
    expect(claims).toMatchObject({ sub: 'alice', aud: API, client_id: 'app', act: { sub: 'app' } })
    const [grant_id, ...rest] = String(payload(subject_token).jti).split('.')
    expect(rest).toHaveLength(1)
    expect(claims.jti).toMatch(new RegExp(`^${grant_id}\\.x\\.[\\w-]{22}$`))
  })

  it('expires no later than its subject token, and ends when the subject token is revoked', async () => {
    const { w, subject_token } = await exchangeWorld()
    w.clock.now += 600
    const { body } = await exchange(w, subject_token)
    expect(body.expires_in).toBe(300)
    await w.post('/oauth/revoke', { client_id: 'app', client_secret: CLIENT_SECRET, token: subject_token })
    const again = await w.post('/oauth/introspect', {
      client_id: 'app',
      client_secret: CLIENT_SECRET,
      token: body.access_token,
    })
    expect(await again.json()).toEqual({ active: false })
    expect((await exchange(w, subject_token)).body.error).toBe('invalid_grant')
  })

  describe('act', () => {
    /** Clients that pass a token on: each is addressed by the token before. */
    async function chain(length: number) {
      const ids = Array.from({ length }, (_, index) => `service-${index}`)
      const services = await Promise.all(
        ids.map((client_id) => client({ client_id, client_secret: CLIENT_SECRET, grant_types: [GRANT] })),
      )
      const made = await exchangeWorld({ exchange_policy: async () => ({ scopes: [] }) })
      for (const service of services) await made.w.storage(made.w.realm).clients.create(service)
      const pass = async (token: string, client_id: string) => exchange(made.w, token, { client_id })
      return { ...made, ids, pass }
    }
    const actorsOf = (token: string): string[] => {
      const names: string[] = []
      type Act = { sub: string; act?: Act }
      for (let act = payload(token).act as Act | undefined; act; act = act.act) names.push(act.sub)
      return names
    }

    it('nests at most 8 levels, the newest actor first; the ninth exchange is refused', async () => {
      const { w, ids, pass, subject_token } = await chain(9)
      let token = subject_token
      for (const id of ids.slice(0, 8)) token = (await pass(token, id)).body.access_token
      expect(actorsOf(token)).toEqual(ids.slice(0, 8).toReversed())
      const ninth = await pass(token, ids[8] ?? '')
      expect([ninth.status, ninth.body.error]).toEqual([400, 'invalid_grant'])
      expect(w.events.at(-1)).toMatchObject({ reason: 'too_many_actors' })
    })

    it('names each actor once, however often it exchanges', async () => {
      const { ids, pass, subject_token } = await chain(2)
      const [one = '', two = ''] = ids
      let token = subject_token
      for (let round = 0; round < 20; round++) {
        token = (await pass(token, one)).body.access_token
        token = (await pass(token, one)).body.access_token
        expect(actorsOf(token)).toEqual(round === 0 ? [one] : [one, two])
        token = (await pass(token, two)).body.access_token
        expect(actorsOf(token)).toEqual([two, one])
      }
    })
  })

  it('takes resource as the target, and both when they are equal', async () => {
    const { w, subject_token } = await exchangeWorld()
    const byResource = await tokens(w, {
      grant_type: GRANT,
      client_id: 'app',
      client_secret: CLIENT_SECRET,
      subject_token,
      subject_token_type: ACCESS_TOKEN,
      resource: 'HTTPS://API.example.net/',
    })
    expect(payload(byResource.body.access_token).aud).toBe(API)
    expect((await exchange(w, subject_token, { resource: API })).status).toBe(200)
    expect((await exchange(w, subject_token, { resource: `${w.issuer}/files` })).body.error).toBe(
      'invalid_target',
    )
  })

  it('for the audience that the subject token has: the scopes of the audience, not those of the realm', async () => {
    const files =
      routing === 'path' ? 'https://id.example.com/realms/acme/files' : 'https://id.example.com/files'
    const exchanging = await client({
      client_secret: CLIENT_SECRET,
      grant_types: ['authorization_code', GRANT],
      allowed_exchange_audiences: [files],
      trusted: true,
    })
    const { w, subject_token } = await exchangeWorld({ clients: [exchanging] })
    expect(payload(subject_token)).toMatchObject({ aud: files, scope: 'notes.read openid' })
    const exchanged = await exchange(w, subject_token, { audience: files })
    expect(payload(exchanged.body.access_token)).toMatchObject({ aud: files, scope: 'notes.read' })
    const wider = await exchange(w, subject_token, { audience: files, scope: 'notes.read openid' })
    expect(payload(wider.body.access_token)).toMatchObject({ aud: files, scope: 'notes.read' })
  })

  it.each([
    [
      'an audience that the client may not ask for',
      { audience: 'https://other.example.net' },
      'invalid_target',
    ],
    ['a scope that the subject token does not have', { scope: 'notes.write' }, 'invalid_scope'],
    ['an actor_token', { actor_token: 'x' }, 'invalid_request'],
    [
      'another subject_token_type',
      { subject_token_type: 'urn:ietf:params:oauth:token-type:id_token' },
      'invalid_request',
    ],
    [
      'another requested_token_type',
      { requested_token_type: 'urn:ietf:params:oauth:token-type:id_token' },
      'invalid_request',
    ],
    ['no target at all', { audience: '' }, 'invalid_request'],
    ['no subject_token', { subject_token: '' }, 'invalid_request'],
    ['a subject_token that is none', { subject_token: 'rubbish' }, 'invalid_grant'],
    ['a caller that the subject token is neither of nor for', { client_id: 'broker' }, 'access_denied'],
    ['a public client', { client_id: 'page', client_secret: '' }, 'unauthorized_client'],
  ])('refuses %s', async (_, changes, error) => {
    const { w, subject_token } = await exchangeWorld()
    const { status, body } = await exchange(w, subject_token, changes)
    expect([status, body.error]).toEqual([400, error])
    expect(body.access_token).toBeUndefined()
  })

  it('lets a public client exchange when it is trusted', async () => {
    const { w, subject_token } = await exchangeWorld({ exchange_policy: async () => ({ scopes: [] }) })
    expect((await exchange(w, subject_token, { client_id: 'our-page', client_secret: '' })).status).toBe(200)
  })

  it('refuses an expired subject token, and one whose session has ended', async () => {
    const { w, subject_token } = await exchangeWorld()
    const manage = await w.provider.manage(w.realm)
    const [session] = await manage.sessions.list('alice')
    await manage.sessions.end(session?.sid ?? '')
    expect((await exchange(w, subject_token)).body.error).toBe('invalid_grant')
    const fresh = await exchangeWorld()
    fresh.w.clock.now += 900
    expect((await exchange(fresh.w, fresh.subject_token)).body.error).toBe('invalid_grant')
  })

  it('a subject token without a user gives a token of the client that exchanges it', async () => {
    const { w } = await exchangeWorld()
    const machine = await tokens(w, {
      grant_type: 'client_credentials',
      client_id: 'app',
      client_secret: CLIENT_SECRET,
    })
    const { body } = await exchange(w, machine.body.access_token)
    expect(payload(body.access_token)).toMatchObject({ sub: 'app', client_id: 'app', aud: API })
    expect(payload(body.access_token).jti).toMatch(/^[\w-]{22}$/)
  })

  it('is off by default: unsupported_grant_type, and not advertised', async () => {
    const { w, subject_token } = await exchangeWorld({ oidc: { clients: {} } })
    expect((await exchange(w, subject_token)).body.error).toBe('unsupported_grant_type')
    const discovery = await w.provider.fetch(
      new Request(w.provider.url('oidc.discovery', { realm: w.realm })),
    )
    expect((await discovery.json()).grant_types_supported).not.toContain(GRANT)
  })

  it('needs the grant type on the client', async () => {
    const { w, subject_token } = await exchangeWorld()
    const record = await w.storage(w.realm).clients.find('app')
    if (!record) throw new Error('unreachable')
    await elsewhere(w, (clients) => clients.update({ ...record, grant_types: ['authorization_code'] }))
    expect((await exchange(w, subject_token)).body.error).toBe('unauthorized_client')
  })

  it('uses the policy of the application instead of the default one', async () => {
    const { w, subject_token } = await exchangeWorld({
      async exchange_policy({ audience, subject }) {
        if (audience !== 'urn:example:vault')
          throw new OAuthError('invalid_target', 'Only the vault', { reason: 'application_policy' })
        return { scopes: subject.scopes.filter((scope) => scope === 'openid') }
      },
    })
    expect((await exchange(w, subject_token)).body.error).toBe('invalid_target')
    const { body } = await exchange(w, subject_token, { audience: 'urn:example:vault' })
    expect(body.scope).toBe('openid')
    expect(payload(body.access_token).aud).toBe('urn:example:vault')
  })

  it('a token that was exchanged for another service is refused by the provider’s own guard', async () => {
    const { w, subject_token } = await exchangeWorld()
    const { body } = await exchange(w, subject_token)
    const request = new Request(`${w.issuer}/files`, { headers: bearer(body.access_token) })
    expect(await w.provider.guard({ realm: w.realm }).authenticate(request)).toBeInstanceOf(Response)
  })

  it('for a user whose sub is the client’s id is refused: the two could not be told apart', async () => {
    const { w } = await exchangeWorld()
    w.accounts.set('app', { sub: 'app', claims: {} })
    const { code } = await w.browser().code({ resource: `${w.issuer}/files` }, 'app')
    const subject = (await redeem(w, code, { client_secret: CLIENT_SECRET })).body.access_token
    expect((await exchange(w, subject)).body.error).toBe('invalid_grant')
    expect(w.events.at(-1)).toMatchObject({ reason: 'subject_is_named_like_the_client' })
  })

  describe('scopes at another audience', () => {
    const crossing = async (record: Partial<ClientRecord>, scope = '') => {
      const broker = { ...BROKER, ...record }
      const { w, subject_token } = await exchangeWorld({ clients: [await client(broker)] })
      const { body } = await exchange(w, subject_token, scope === '' ? {} : { scope })
      return body.scope ?? body.error
    }
    const BROKER = {
      client_secret: CLIENT_SECRET,
      grant_types: ['authorization_code', GRANT],
      allowed_exchange_audiences: [API],
      trusted: true,
    }
    const READ = `${API} notes.read`

    it.each<[string, Partial<ClientRecord>, string, string]>([
      ['one that the subject’s audience owns does not cross', {}, 'notes.read', 'invalid_scope'],
      ['not even when `*` assigns all', { optional_scopes: ['*'] }, 'notes.read', 'invalid_scope'],
      [
        'nor when it is assigned at the other audience',
        { optional_scopes: ['files notes.read', 'openid'] },
        'notes.read',
        'invalid_scope',
      ],
      [
        'one that the client’s own record assigns at the target',
        { optional_scopes: ['*', READ] },
        'notes.read',
        'notes.read',
      ],
      [
        'the same, as a default scope',
        { default_scopes: [READ], optional_scopes: ['*'] },
        'notes.read',
        'notes.read',
      ],
      ['one of the realm passes', {}, 'openid', 'openid'],
      ['one of the realm that the subject does not have', {}, 'email', 'invalid_scope'],
      ['nothing requested: those of the realm', { optional_scopes: ['*', READ] }, '', 'openid'],
      [
        'nothing requested: assigned default scopes too',
        { default_scopes: [READ], optional_scopes: ['*'] },
        '',
        'openid notes.read',
      ],
      [
        'an assigned scope that the target does not own',
        { optional_scopes: ['*', `${API} openid`] },
        'profile',
        'invalid_scope',
      ],
    ])('%s', async (...[_, record, scope, expected]) => {
      expect(await crossing(record, scope)).toBe(expected)
    })

    it('an actor_token_type without an actor_token is refused', async () => {
      const { w, subject_token } = await exchangeWorld()
      expect((await exchange(w, subject_token, { actor_token_type: ACCESS_TOKEN })).body.error).toBe(
        'invalid_request',
      )
    })
  })
})
