/** Claims that `oidc.claims` makes of attributes. */

import type { RealmConfig } from '@ostiary/core'
import { describe, expect, it } from 'vitest'
import { claimsOf, EVERYWHERE, names, start, withAttributes } from './claims.js'
import { ALICE, CLIENT_SECRET, client, payload, redeem, tokens, type World } from './support.js'

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const API = 'https://api.example.net'

describe.each(['single', 'path'] as const)('oidc.claims (realms by %s)', (routing) => {
  it('a claim is in each of its targets, when one of its scopes is granted', async () => {
    const w = await start(
      {
        scopes: { hr: {}, crm: {} },
        claims: {
          department: { scopes: ['hr'] },
          'https://example.com/level': { attribute: 'level', scopes: ['hr', 'crm'], targets: ['userinfo'] },
          roles: { scopes: ['crm'], targets: ['access_token'] },
        },
      },
      { routing },
    )
    const all = ['department', 'https://example.com/level', 'roles']
    const found = async (scope: string) => {
      const claims = await claimsOf(w, scope)
      return EVERYWHERE.map((target) => names(claims[target], all))
    }
    expect(await found('openid')).toEqual([[], [], []])
    expect(await found('openid hr')).toEqual([
      ['department'],
      ['department', 'https://example.com/level'],
      [],
    ])
    expect(await found('openid crm')).toEqual([[], ['https://example.com/level'], ['roles']])
    expect((await claimsOf(w, 'openid crm')).access_token.roles).toEqual(['editor', 'admin'])
  })

  it('a refresh with fewer scopes has fewer claims, and the attributes are read anew', async () => {
    const w = await start(
      { scopes: { hr: {} }, claims: { department: { scopes: ['hr'], targets: [...EVERYWHERE] } } },
      { routing },
    )
    const { body } = await claimsOf(w, 'openid hr')
    w.accounts.set('alice', withAttributes({ department: 'Research' }))
    const form = { grant_type: 'refresh_token', client_id: 'app' }
    const full = await tokens(w, { ...form, refresh_token: body.refresh_token })
    expect(payload(full.body.access_token).department).toBe('Research')
    expect(payload(full.body.id_token).department).toBe('Research')
    const narrow = await tokens(w, { ...form, refresh_token: full.body.refresh_token, scope: 'openid' })
    expect(payload(narrow.body.access_token)).not.toHaveProperty('department')
    expect(payload(narrow.body.id_token)).not.toHaveProperty('department')
  })

  it('a scope of a resource gives the claim at that resource only', async () => {
    const w = await start(
      {
        resources: { hr: { scopes: ['read'] }, [API]: { scopes: ['read'] } },
        claims: { department: { scopes: ['hr read'], targets: [...EVERYWHERE] } },
      },
      { routing },
    )
    const at = async (resource: string) => {
      const claims = await claimsOf(w, 'openid read', { resource })
      return EVERYWHERE.filter((target) => 'department' in claims[target])
    }
    expect(await at(`${w.issuer}/hr`)).toEqual(EVERYWHERE)
    expect(await at(API)).toEqual([])
  })

  it('the claim groups comes with the scope groups, which the operator adds', async () => {
    const without = await start({}, { routing })
    const refused = await without.browser().authorize({ scope: 'openid groups' })
    expect(refused.headers.get('location')).toContain('error=invalid_scope')
    const scopes = { groups: {} }
    const w = await start({ scopes }, { routing })
    const claims = await claimsOf(w, 'openid groups')
    expect(claims).toMatchObject({
      id_token: { groups: ['staff', 'on call'] },
      userinfo: { groups: ['staff', 'on call'] },
    })
    expect(claims.access_token).not.toHaveProperty('groups')
    expect((await claimsOf(w, 'openid')).id_token).not.toHaveProperty('groups')

    const mapped = { groups: { attribute: 'roles', scopes: ['openid'], targets: ['access_token' as const] } }
    const other = await claimsOf(await start({ scopes, claims: mapped }, { routing }), 'openid groups')
    expect(other.access_token.groups).toEqual(['editor', 'admin'])
    expect('groups' in other.id_token || 'groups' in other.userinfo).toBe(false)

    // The scope belongs to a resource, so it is not the realm's.
    const resources = { files: { scopes: ['groups'] } }
    const owned = await start({ scopes, resources }, { routing })
    const resource = `${owned.issuer}/files`
    expect((await claimsOf(owned, 'openid groups', { resource })).id_token).not.toHaveProperty('groups')
  })

  it('an attribute that the user does not have is left out', async () => {
    const claim = (attribute: string) => ({ attribute, scopes: ['openid'], targets: [...EVERYWHERE] })
    const attributes = ['inherited', 'missing', 'nothing', 'empty', 'none', 'zero']
    const mapped = Object.fromEntries(attributes.map((name) => [name, claim(name)]))
    const claims = { ...mapped, inherited: claim('__proto__') }
    const w = await start({ claims }, { routing })
    w.accounts.set('alice', withAttributes({ nothing: null, empty: '', none: false, zero: 0 }))
    for (const found of Object.values(await claimsOf(w, 'openid')).slice(1))
      expect(names(found, attributes)).toEqual(['empty', 'none', 'zero'])
    w.accounts.set('alice', ALICE)
    for (const found of Object.values(await claimsOf(w, 'openid')).slice(1))
      expect(names(found, attributes)).toEqual([])
  })

  it('an access token has the mapped claims, and no standard ones', async () => {
    const claims = { department: { scopes: ['openid'], targets: ['access_token' as const] } }
    const w = await start({ claims }, { routing })
    const { access_token } = await claimsOf(w, 'openid profile email')
    expect(access_token.department).toBe('Sales')
    expect(names(access_token, ['name', 'given_name', 'email', 'email_verified'])).toEqual([])
  })

  it('a mapped attribute replaces a standard claim', async () => {
    const w = await start({ claims: { email: { attribute: 'department', scopes: ['email'] } } }, { routing })
    const { id_token, userinfo } = await claimsOf(w, 'openid email')
    expect([id_token.email, userinfo.email, userinfo.email_verified]).toEqual(['Sales', 'Sales', true])
  })

  // The sentence of docs/claims-and-groups.md.
  it.each([
    { targets: ['userinfo'], attribute: 'department', value: 'Sales' },
    { targets: ['id_token'], attribute: 'department', value: 'Sales' },
    { targets: ['access_token'], attribute: 'department', value: 'Sales' },
    { targets: ['userinfo'], attribute: undefined, value: 'alice@example.com' },
    { targets: ['id_token', 'access_token'], attribute: undefined, value: 'alice@example.com' },
    { targets: ['userinfo'], attribute: 'unknown', value: undefined },
  ] as const)(
    'a mapped claim replaces a standard claim of the same name in every target (%j)',
    async (mapping) => {
      const { targets, attribute, value } = mapping
      const email = { scopes: ['email'], targets: [...targets], ...(attribute && { attribute }) }
      const w = await start({ claims: { email } }, { routing })
      const found = await claimsOf(w, 'openid email')
      for (const target of EVERYWHERE) {
        const is_target = targets.some((one) => one === target)
        expect([target, found[target].email]).toEqual([target, is_target ? value : undefined])
      }
      expect(found.userinfo.email_verified).toBe(true)
    },
  )

  it('a standard claim that is mapped under its own name has the value of an attribute of this name', async () => {
    const w = await start({ claims: { email: { scopes: ['openid'] } } }, { routing })
    expect((await claimsOf(w, 'openid')).id_token.email).toBe('alice@example.com')
    w.accounts.set('alice', withAttributes({ email: 'sales@example.com' }))
    expect((await claimsOf(w, 'openid')).id_token.email).toBe('sales@example.com')
  })

  it('a token of client_credentials has no claims: there is no user', async () => {
    const service = await client({
      client_id: 'service',
      client_secret: CLIENT_SECRET,
      grant_types: ['client_credentials'],
    })
    const w = await start(
      { claims: { department: { scopes: ['openid'], targets: [...EVERYWHERE] } } },
      { routing, clients: [service] },
    )
    const form = { grant_type: 'client_credentials', client_id: 'service', client_secret: CLIENT_SECRET }
    const { body } = await tokens(w, { ...form, scope: 'openid' })
    expect(payload(body.access_token)).not.toHaveProperty('department')
  })

  it('an introspection answer has the same fields as without oidc.claims', async () => {
    const api = await client({ client_id: 'app', client_secret: CLIENT_SECRET })
    const claims = { department: { scopes: ['openid'], targets: [...EVERYWHERE] } }
    const w = await start({ claims }, { routing, clients: [api] })
    const { code } = await w.browser().code({ scope: 'openid' })
    const { body } = await redeem(w, code, { client_secret: CLIENT_SECRET })
    expect(payload(body.access_token).department).toBe('Sales')
    const form = { client_id: 'app', client_secret: CLIENT_SECRET, token: body.access_token }
    const answer = await (await w.post('/oauth/introspect', form)).json()
    expect(Object.keys(answer).sort()).toEqual(
      'active aud client_id exp iat iss jti nbf scope sub token_type'.split(' '),
    )
  })
})

describe('token exchange', () => {
  const start_exchange = async (claims: RealmConfig['claims']) => {
    const broker = await client({
      client_secret: CLIENT_SECRET,
      grant_types: ['authorization_code', 'client_credentials', TOKEN_EXCHANGE],
      allowed_exchange_audiences: [API],
      optional_scopes: ['*', `${API} read`],
    })
    const resources = { [API]: { scopes: ['read'] } }
    return start(
      { clients: { token_exchange: true }, resources, scopes: { hr: {} }, ...(claims && { claims }) },
      { clients: [broker] },
    )
  }
  const exchange = (w: World, subject_token: string, scope: string) =>
    tokens(w, {
      grant_type: TOKEN_EXCHANGE,
      client_id: 'app',
      client_secret: CLIENT_SECRET,
      subject_token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      audience: API,
      scope,
    })
  const claims = {
    department: { scopes: ['hr'], targets: ['access_token' as const] },
    level: { scopes: [`${API} read`], targets: ['access_token' as const] },
    roles: { scopes: ['hr'] },
  }

  it('the new token has the claims of its own scopes and audience, not those of the subject token', async () => {
    const w = await start_exchange(claims)
    const { code } = await w.browser().code({ scope: 'openid hr' })
    const { body } = await redeem(w, code, { client_secret: CLIENT_SECRET })
    const all = ['department', 'level', 'roles']
    expect(names(payload(body.access_token), all)).toEqual(['department'])
    const found = async (scope: string) =>
      names(payload((await exchange(w, body.access_token, scope)).body.access_token), all)
    expect(await found('openid read')).toEqual(['level'])
    expect(await found('openid hr read')).toEqual(['department', 'level'])
    w.accounts.set('alice', withAttributes({}))
    expect(await found('openid hr read')).toEqual([])
  })

  it('a token without a user stays without claims', async () => {
    const w = await start_exchange(claims)
    const machine = { grant_type: 'client_credentials', client_id: 'app', client_secret: CLIENT_SECRET }
    const { body } = await tokens(w, { ...machine, scope: 'hr' })
    const { status, body: exchanged } = await exchange(w, body.access_token, 'hr')
    expect([status, payload(exchanged.access_token).department]).toEqual([200, undefined])
  })

  it('a token that would be too large is refused, and the subject token is as good as before', async () => {
    const w = await start_exchange(claims)
    const { code } = await w.browser().code({ scope: 'openid hr' })
    const { body } = await redeem(w, code, { client_secret: CLIENT_SECRET })
    w.accounts.set('alice', withAttributes({ department: 'x'.repeat(4000) }))
    const { status, body: refused } = await exchange(w, body.access_token, 'hr')
    expect([status, refused.error]).toEqual([400, 'invalid_scope'])
    expect((await exchange(w, body.access_token, 'openid')).status).toBe(200)
  })
})
