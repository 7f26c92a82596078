/** Events: every security event is emitted, and no event ever contains a secret. */

import type { OidcEvent } from '@ostiary/core'
import { describe, expect, it } from 'vitest'
import {
  bearer,
  CLIENT_SECRET,
  client,
  formRequest,
  payload,
  redeem,
  tokens,
  type World,
  world,
} from './support.js'

const service = { client_id: 'service', client_secret: CLIENT_SECRET }
const start = async (routing: 'single' | 'path' = 'single', more: Parameters<typeof world>[0] = {}) =>
  world({
    routing,
    oidc: { clients: { registration: { enabled: true } }, resources: { mcp: { scopes: ['tools'] } } },
    clients: [
      await client(),
      await client({ client_id: 'thief' }),
      await client({ ...service, grant_types: ['client_credentials'] }),
    ],
    ...more,
  })
const of = <T extends OidcEvent['type']>(w: World, type: T) =>
  w.events.filter((event): event is Extract<OidcEvent, { type: T }> => event.type === type)
const last = <T extends OidcEvent['type']>(w: World, type: T) => of(w, type).at(-1)

describe.each(['single', 'path'] as const)('Events (realms by %s)', (routing) => {
  const realm = routing === 'path' ? 'acme' : 'default'

  it('each has its time and its realm', async () => {
    const w = await start(routing)
    await w.browser().code()
    expect(w.events.length).toBeGreaterThan(3)
    for (const event of w.events) expect(event).toMatchObject({ realm, time: w.clock.now })
  })

  it('authorization, login, consent and code, in this order', async () => {
    const w = await start(routing)
    const { code } = await w.browser().code({ resource: `${w.issuer}/mcp`, scope: 'tools' })
    const { body } = await redeem(w, code)
    const grant_id = String(payload(body.access_token).jti).split('.')[0]
    const [session] = await w.storage(realm).sessions.list('alice')
    const who = { client_id: 'app', sub: 'alice' }
    const emitted = w.events
      .filter(({ type }) => type !== 'key.created')
      .map(({ time: _, realm: __, ...rest }) => rest)
    expect(emitted).toEqual([
      { type: 'authorization.requested', client_id: 'app', sub: null, outcome: 'login' },
      {
        type: 'session.started',
        sub: 'alice',
        sid: session?.sid,
        amr: ['pwd'],
        client_id: 'app',
        username: null,
        address: null,
        user_agent: null,
      },
      { type: 'authorization.requested', ...who, outcome: 'consent' },
      { type: 'consent.approved', ...who, scopes: ['tools'], resource: `${w.issuer}/mcp` },
      { type: 'code.issued', ...who, grant_id },
      {
        type: 'token.issued',
        ...who,
        grant_type: 'authorization_code',
        grant_id,
        scopes: ['tools'],
        audience: `${w.issuer}/mcp`,
      },
    ])
  })

  it('token.issued for a refresh, with the scopes of this access token', async () => {
    const w = await start(routing)
    const { body } = await redeem(w, (await w.browser().code()).code)
    const form = { grant_type: 'refresh_token', client_id: 'app', refresh_token: body.refresh_token }
    await tokens(w, { ...form, scope: 'openid' })
    expect(last(w, 'token.issued')).toMatchObject({
      client_id: 'app',
      grant_type: 'refresh_token',
      sub: 'alice',
      grant_id: String(payload(body.access_token).jti).split('.')[0],
      scopes: ['openid'],
      audience: w.issuer,
    })
  })

  it('token.issued for an exchange, about the subject', async () => {
    const grant_type = 'urn:ietf:params:oauth:grant-type:token-exchange'
    const w = await start(routing, {
      oidc: { clients: { token_exchange: true }, resources: { mcp: { scopes: ['tools'] } } },
      clients: [
        await client({
          client_secret: CLIENT_SECRET,
          grant_types: ['authorization_code', grant_type],
          allowed_exchange_audiences: [
            'https://id.example.com/mcp',
            'https://id.example.com/realms/acme/mcp',
          ],
        }),
      ],
    })
    const { body } = await redeem(w, (await w.browser().code()).code, { client_secret: CLIENT_SECRET })
    await tokens(w, {
      grant_type,
      client_id: 'app',
      client_secret: CLIENT_SECRET,
      subject_token: body.access_token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      audience: `${w.issuer}/mcp`,
    })
    expect(last(w, 'token.issued')).toMatchObject({
      client_id: 'app',
      grant_type,
      sub: 'alice',
      grant_id: String(payload(body.access_token).jti).split('.')[0],
      audience: `${w.issuer}/mcp`,
    })
  })

  it('authorization.requested with code, when neither login nor consent is needed', async () => {
    const w = await start(routing)
    const browser = w.browser()
    await browser.code()
    await browser.authorize()
    expect(last(w, 'authorization.requested')).toMatchObject({
      client_id: 'app',
      sub: 'alice',
      outcome: 'code',
    })
  })

  it('key.created, key.retired and key.revoked', async () => {
    const w = await start(routing, { own_key: true })
    const { keys } = await w.provider.manage(realm)
    await keys.ready()
    const [first] = await keys.list()
    const second = await keys.rotate({ publish_before: 60 })
    expect(of(w, 'key.created').map(({ kid }) => kid)).toEqual([first?.kid, second.kid])
    w.clock.now += 60 + 3600
    await w.provider.tick()
    expect(of(w, 'key.retired').map(({ kid }) => kid)).toEqual([first?.kid])
    const known = await keys.list()
    const planned = await keys.rotate({ plan: true, publish_before: 60 })
    expect(planned).toMatchObject({ kid: '', alg: 'RS256', signs_from: planned.created_at + 60 })
    await expect(keys.rotate({ plan: true, publish_before: 1 })).rejects.toThrow('publish_before')
    expect(await keys.list()).toEqual(known)
    await keys.revoke(second.kid)
    expect(of(w, 'key.revoked').map(({ kid }) => kid)).toEqual([second.kid])
  })

  it('a retired key stays published as long as the longest token that it signed may live', async () => {
    const w = await start(routing, { own_key: true, oidc: { tokens: { client_credentials: 7200 } } })
    const { keys } = await w.provider.manage(realm)
    await keys.ready()
    const [first] = await keys.list()
    await keys.rotate({ publish_before: 60 })
    w.clock.now += 60 + 7199
    await w.provider.tick()
    expect((await keys.list()).map(({ kid }) => kid)).toContain(first?.kid)
    const jwks = await w.provider.fetch(new Request(`${w.issuer}/.well-known/jwks.json`))
    expect(await jwks.json()).toMatchObject({ keys: [{ kid: first?.kid }, {}] })
    w.clock.now += 1
    await w.provider.tick()
    expect((await keys.list()).map(({ kid }) => kid)).not.toContain(first?.kid)
  })

  it('consent.denied', async () => {
    const w = await start(routing)
    const browser = w.browser()
    await browser.authorize()
    await browser.signIn()
    await browser.deny()
    expect(last(w, 'consent.denied')).toMatchObject({ client_id: 'app', sub: 'alice' })
  })

  it('authorization.refused, with the error that the client gets', async () => {
    const w = await start(routing)
    await w.browser().authorize({ scope: 'nonsense' })
    const refused = { client_id: 'app', error: 'invalid_scope', reason: 'unknown_scope' }
    expect(last(w, 'authorization.refused')).toMatchObject(refused)
  })

  it('request.refused has the route and the exact reason', async () => {
    const w = await start(routing)
    await w.browser().authorize({ redirect_uri: 'https://evil.example.org/' })
    const refused = { route: 'oidc.authorize', error: 'invalid_request', reason: 'unregistered_redirect_uri' }
    expect(last(w, 'request.refused')).toMatchObject(refused)
  })

  it('code.replayed', async () => {
    const w = await start(routing)
    const { code } = await w.browser().code()
    await redeem(w, code)
    await redeem(w, code)
    const grant_id = last(w, 'code.issued')?.grant_id
    expect(of(w, 'code.replayed')).toMatchObject([{ client_id: 'app', sub: 'alice', grant_id }])
  })

  it('refresh_token.reused', async () => {
    const w = await start(routing)
    const { refresh_token } = (await redeem(w, (await w.browser().code()).code)).body
    for (let i = 0; i < 2; i++)
      await tokens(w, { grant_type: 'refresh_token', client_id: 'app', refresh_token })
    const grant_id = last(w, 'code.issued')?.grant_id
    expect(of(w, 'refresh_token.reused')).toMatchObject([{ client_id: 'app', sub: 'alice', grant_id }])
    expect(last(w, 'request.refused')).toMatchObject({ route: 'oidc.token', reason: 'reused_refresh_token' })
  })

  it('token.issued for a client itself, and token.revoked', async () => {
    const w = await start(routing)
    const { body } = await tokens(w, { grant_type: 'client_credentials', ...service, scope: 'profile' })
    expect(last(w, 'token.issued')).toMatchObject({
      client_id: 'service',
      grant_type: 'client_credentials',
      sub: 'service',
      grant_id: null,
      scopes: ['profile'],
      audience: w.issuer,
    })
    await w.post('/oauth/revoke', { ...service, token: body.access_token })
    expect(of(w, 'token.revoked')).toMatchObject([{ client_id: 'service', grant_id: null }])
  })

  it('client.authentication_failed and client.registered', async () => {
    const w = await start(routing)
    await tokens(w, { grant_type: 'client_credentials', ...service, client_secret: 'wrong' })
    expect(of(w, 'client.authentication_failed')).toMatchObject([
      { client_id: 'service', reason: 'wrong_secret' },
    ])
    const body = JSON.stringify({ redirect_uris: ['https://new.example.org/'] })
    const request = new Request(`${w.issuer}/oauth/register`, { method: 'POST', body })
    const { client_id } = await (await w.provider.fetch(request)).json()
    expect(of(w, 'client.registered')).toMatchObject([{ client_id, client_name: 'new.example.org' }])
  })

  it('bearer.refused, for an invalid token and for a missing scope', async () => {
    const w = await start(routing)
    const ask = (token: string) =>
      w.provider.fetch(new Request(`${w.issuer}/oauth/userinfo`, { headers: bearer(token) }))
    await ask('rubbish')
    expect(last(w, 'bearer.refused')).toMatchObject({ error: 'invalid_token', reason: 'ERR_JWS_INVALID' })
    const { body } = await tokens(w, { grant_type: 'client_credentials', ...service })
    await ask(body.access_token)
    expect(last(w, 'bearer.refused')).toMatchObject({ error: 'invalid_token', reason: 'machine_token' })
    const { access_token } = (await redeem(w, (await w.browser().code({ scope: 'profile' })).code)).body
    await ask(access_token)
    expect(last(w, 'bearer.refused')).toMatchObject({ error: 'insufficient_scope', reason: 'missing_scope' })
  })

  it('session.ended', async () => {
    const w = await start(routing)
    const browser = w.browser()
    const { body } = await redeem(w, (await browser.code()).code)
    await browser.get(`${w.issuer}/oauth/logout?id_token_hint=${body.id_token}`)
    const { sid } = payload(body.id_token)
    expect(of(w, 'session.ended')).toMatchObject([{ sub: 'alice', sid, reason: 'logout' }])
  })

  it('server.error has the cause, the client gets a fixed sentence', async () => {
    const cause = new Error('the database is unavailable')
    const accounts = { find: () => Promise.reject(cause) }
    const w = await start(routing)
    const { code } = await w.browser().code()
    const broken = await start(routing, { storage: w.storage, accounts })
    const { status, body } = await redeem(broken, code)
    expect([status, body.error]).toEqual([500, 'server_error'])
    expect(JSON.stringify(body)).not.toContain('database')
    expect(of(broken, 'server.error')).toMatchObject([{ route: 'oidc.token', cause }])
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('the log is full')
      },
    ],
    ['rejects', () => Promise.reject(new Error('the log is full'))],
  ])('a sink that %s turns no answer into an error', async (_, on_event) => {
    const w = await start(routing, { on_event })
    expect((await redeem(w, (await w.browser().code()).code)).status).toBe(200)
  })
})

it('no event ever contains a code, a token, a secret, a cookie or an auth_token', async () => {
  const w = await start()
  const secrets = new Set<string>()
  const keep = (...values: unknown[]) => values.forEach((value) => void (value && secrets.add(String(value))))
  const browser = w.browser()
  /** Redeems, refreshes, replays and reuses; keeps every secret on the way. */
  const spend = async (code: unknown) => {
    const { body } = await redeem(w, code)
    keep(code, body.access_token, body.refresh_token, body.id_token)
    const form = { grant_type: 'refresh_token', client_id: 'app', refresh_token: body.refresh_token }
    const next = await tokens(w, form)
    keep(next.body.access_token, next.body.refresh_token, next.body.id_token)
    for (const client_id of ['thief', 'app']) await tokens(w, { ...form, client_id })
    for (const client_id of ['thief', 'app']) await redeem(w, code, { client_id })
    return body
  }
  const { access_token, id_token } = await spend((await browser.code()).code)
  await spend((await browser.code({ scope: 'openid offline_access', prompt: 'login' })).code)
  await browser.authorize({ prompt: 'consent' })
  await browser.deny()
  keep(...w.logins.map(({ return_to }) => return_to), ...browser.cookies.values())
  keep(...w.consents.flatMap(({ auth_token, return_to }) => [auth_token, return_to]))
  for (const { auth_token, action } of w.consents) await browser.post(action, { auth_token })

  const authorization = `Basic ${Buffer.from(`service:${CLIENT_SECRET}`).toString('base64')}`
  keep(CLIENT_SECRET, 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk', authorization.slice(6))
  const machine = (await tokens(w, { grant_type: 'client_credentials', ...service })).body.access_token
  keep(machine)
  await tokens(w, { grant_type: 'client_credentials' }, { authorization })
  for (const path of ['/oauth/introspect', '/oauth/revoke']) {
    await w.post(path, { ...service, token: machine })
    await w.post(path, { client_id: 'app', token: access_token })
  }
  for (const token of [access_token, machine, id_token])
    await w.provider.fetch(new Request(`${w.issuer}/oauth/userinfo`, { headers: bearer(token) }))
  const body = JSON.stringify({
    redirect_uris: ['https://new.example.org/'],
    token_endpoint_auth_method: 'client_secret_post',
  })
  const registered = await w.provider.fetch(
    new Request(`${w.issuer}/oauth/register`, { method: 'POST', body }),
  )
  keep((await registered.json()).client_secret)
  const page = await (await browser.get(`${w.issuer}/oauth/logout`)).text()
  const confirmation_token = /name="confirmation_token" value="([^"]+)"/.exec(page)?.[1] ?? ''
  keep(confirmation_token)
  await browser.send(formRequest(`${w.issuer}/oauth/logout`, { confirmation_token }))

  expect(secrets.size).toBeGreaterThan(20)
  const emitted = JSON.stringify(w.events)
  expect(new Set(w.events.map(({ type }) => type)).size).toBeGreaterThan(12)
  for (const secret of secrets) expect(emitted).not.toContain(secret)
})
