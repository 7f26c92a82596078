/** What the event of a refused request says: enough to find the cause, and never a secret. */

import type { OidcEvent } from '@ostiary/core'
import { describe, expect, it } from 'vitest'
import { CLIENT_SECRET, client, REDIRECT_URI, redeem, tokens, type World, world } from './support.js'

const SECRET = 'zq7x4k9m2v8w1t5b3n6c0j7h4d2f'
const secret = { client_secret: CLIENT_SECRET }

const start = async (routing: 'single' | 'path' = 'single') =>
  world({
    routing,
    oidc: { clients: { registration: { enabled: true } } },
    clients: [
      await client(),
      await client({ ...secret, client_id: 'post', grant_types: ['client_credentials'] }),
      await client({
        ...secret,
        client_id: 'both',
        token_endpoint_auth_methods: ['client_secret_basic', 'client_secret_post'],
      }),
    ],
  })

const last = <T extends OidcEvent['type']>(w: World, type: T) =>
  w.events.findLast((event): event is Extract<OidcEvent, { type: T }> => event.type === type)
const basic = (id: string, password: string) => ({ authorization: `Basic ${btoa(`${id}:${password}`)}` })
const machine = { grant_type: 'client_credentials' }

describe.each(['single', 'path'] as const)('client.authentication_failed (realms by %s)', (routing) => {
  it('has the method that was used and those that are registered', async () => {
    const w = await start(routing)
    await tokens(w, machine, basic('post', CLIENT_SECRET))
    expect(last(w, 'client.authentication_failed')).toMatchObject({
      client_id: 'post',
      reason: 'wrong_method',
      used_method: 'client_secret_basic',
      registered_methods: ['client_secret_post'],
    })
    await tokens(w, { ...machine, client_id: 'both' })
    expect(last(w, 'client.authentication_failed')).toMatchObject({
      client_id: 'both',
      used_method: 'none',
      registered_methods: ['client_secret_basic', 'client_secret_post'],
    })
    expect(last(w, 'request.refused')).toMatchObject({ client_id: 'both', error: 'invalid_client' })
  })

  it('of an unknown client or a malformed header has neither the client nor its methods', async () => {
    const w = await start(routing)
    await tokens(w, machine, basic(SECRET, SECRET))
    const unknown = { client_id: null, registered_methods: null }
    expect(last(w, 'client.authentication_failed')).toMatchObject({
      ...unknown,
      used_method: 'client_secret_basic',
    })
    await tokens(w, machine, { authorization: `Basic ${SECRET}` })
    expect(last(w, 'client.authentication_failed')).toMatchObject({ ...unknown, used_method: null })
    expect(JSON.stringify(w.events)).not.toContain(SECRET)
  })
})

describe.each(['single', 'path'] as const)('refusals (realms by %s)', (routing) => {
  it('authorization.refused has the client, the description and the redirect_uri', async () => {
    const w = await start(routing)
    await w.browser().authorize({ code_challenge: null, code_challenge_method: null })
    expect(last(w, 'authorization.refused')).toMatchObject({
      client_id: 'app',
      error: 'invalid_request',
      description: 'PKCE is required: the parameter code_challenge is missing',
      redirect_uri: REDIRECT_URI,
    })
  })

  it('an unregistered redirect_uri is in the event without its query, fragment and user-info', async () => {
    const w = await start(routing)
    const redirect_uri = `https://${SECRET}:${SECRET}@wrong.example.com:8443/cb?code=${SECRET}#${SECRET}`
    await w.browser().authorize({ redirect_uri })
    expect(last(w, 'request.refused')).toMatchObject({
      route: 'oidc.authorize',
      client_id: 'app',
      error: 'invalid_request',
      reason: 'unregistered_redirect_uri',
      description: 'The redirect_uri is not registered for this client',
      redirect_uri: 'https://wrong.example.com:8443/cb',
    })
    expect(JSON.stringify(w.events)).not.toContain(SECRET)
  })

  it('an unknown client_id is not in the event', async () => {
    const w = await start(routing)
    await w.browser().authorize({ client_id: SECRET })
    expect(last(w, 'request.refused')).toMatchObject({
      client_id: null,
      reason: 'unknown_client',
      redirect_uri: REDIRECT_URI,
    })
    expect(JSON.stringify(w.events)).not.toContain(SECRET)
  })

  it('before the client is known, the event has the one that the request names, unless it looks like a secret', async () => {
    const w = await start(routing)
    const send = (client_id: string, headers = {}) =>
      w.post('/oauth/token', `scope=a&scope=b${client_id && `&client_id=${client_id}`}` as never, headers)
    await send('app')
    const refused = { client_id: null, reason: 'bad_parameter' }
    expect(last(w, 'request.refused')).toMatchObject({ ...refused, sent: 'repeated=scope, client_id=app' })
    await send('', basic('post', SECRET))
    expect(last(w, 'request.refused')).toMatchObject({ ...refused, sent: 'repeated=scope, client_id=post' })
    await send(SECRET)
    expect(last(w, 'request.refused')?.sent).toMatch(/, client_id=\(28 characters, not shown/)
    expect(JSON.stringify(w.events)).not.toContain(SECRET)
  })

  it('a refused code has the client and the redirect_uri of the token request', async () => {
    const w = await start(routing)
    const { code } = await w.browser().code()
    await redeem(w, code, { redirect_uri: `https://client.example.com/other?state=${SECRET}` })
    expect(last(w, 'request.refused')).toMatchObject({
      route: 'oidc.token',
      client_id: 'app',
      reason: 'redirect_uri_mismatch',
      redirect_uri: 'https://client.example.com/other',
    })
    expect(JSON.stringify(w.events)).not.toContain(SECRET)
  })

  it('a refusal of one request says nothing about another one', async () => {
    const w = await start(routing)
    await w.browser().authorize({ redirect_uri: 'https://wrong.example.com/' })
    await w.post('/oauth/token', {})
    expect(last(w, 'request.refused')).toMatchObject({ client_id: null, redirect_uri: null })
  })
})

describe('no text of the client is in the description', () => {
  it.each<[string, string, (w: World) => Promise<unknown>]>([
    ['an unknown scope', 'A scope is unknown', (w) => w.browser().authorize({ scope: SECRET })],
    [
      'a repeated parameter',
      'A parameter is given more than once',
      (w) => w.post('/oauth/token', `${SECRET}=1&${SECRET}=2` as never),
    ],
    ['redirect_uris', 'The redirect URI https://a.example/ has a', (w) => register(w, 'redirect_uris')],
    [
      'post_logout_redirect_uris',
      'The post-logout redirect URI https://a.example/ has a',
      (w) => register(w, 'post_logout_redirect_uris'),
    ],
    [
      'backchannel_logout_uri',
      'The backchannel_logout_uri https://a.example/ has a',
      (w) => register(w, 'backchannel_logout_uri'),
    ],
  ])('%s', async (...[, description, send]) => {
    const w = await start()
    await send(w)
    const refused = last(w, 'request.refused') ?? last(w, 'authorization.refused')
    expect(refused?.description).toContain(description)
    expect(JSON.stringify(w.events)).not.toContain(SECRET)
  })
})

async function register(w: World, field: string): Promise<void> {
  const uri = `https://${SECRET}@a.example/?${SECRET}#${SECRET}`
  const value = field.endsWith('s') ? [uri] : uri
  const body = JSON.stringify({ redirect_uris: ['https://a.example/'], [field]: value })
  const request = new Request(`${w.issuer}/oauth/register`, { method: 'POST', body })
  expect((await w.provider.fetch(request)).status).toBe(400)
}
