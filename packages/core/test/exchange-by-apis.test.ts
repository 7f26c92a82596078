/** `oidc.resources.<key>.clients`: the clients that are an API exchange the tokens that are addressed to it (RFC 8693). */

import { type Client as ClientRecord, createProvider } from '@ostiary/core'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  CLIENT_SECRET,
  client,
  ISSUER,
  payload,
  redeem,
  type TokenAnswer,
  tokens,
  type World,
  type WorldOptions,
  world,
} from './support.js'

const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange'
const TYPE = 'urn:ietf:params:oauth:token-type:'
const LEDGER = 'https://ledger.example.net'
const secret = { client_secret: CLIENT_SECRET }

/** `app` signs users in and calls `notes` and `photos`, each of which is an API of its own. */
async function apis(options: WorldOptions = {}, api: Partial<ClientRecord> = {}): Promise<World> {
  const exchanges = { ...secret, grant_types: [GRANT], allowed_exchange_audiences: [LEDGER] }
  return world({
    clients: [
      await client({ ...secret, grant_types: ['authorization_code', 'client_credentials'], trusted: true }),
      await client({ ...exchanges, client_id: 'notes-api', ...api }),
      await client({ ...exchanges, client_id: 'photos-api' }),
    ],
    ...options,
    oidc: {
      resources: {
        notes: { scopes: ['notes.read'], clients: ['notes-api', 'page', 'stranger'] },
        photos: { clients: ['photos-api'] },
        [LEDGER]: { scopes: ['ledger.read'] },
      },
      clients: { token_exchange: true },
      ...options.oidc,
    },
  })
}
const userToken = async (w: World, key: string) => {
  const { code } = await w.browser().code({ resource: `${w.issuer}/${key}`, scope: 'openid' })
  return (await redeem(w, code, secret)).body
}
const exchange = (w: World, subject_token: string, changes: Record<string, string> = {}) =>
  tokens(w, {
    grant_type: GRANT,
    client_id: 'notes-api',
    ...secret,
    subject_token,
    subject_token_type: `${TYPE}access_token`,
    audience: LEDGER,
    ...changes,
  })
const outcome = ({ status, body }: TokenAnswer) => [status, body.error]

describe('A client of the resource', () => {
  let w: World
  beforeAll(async () => {
    w = await apis()
  })

  it('exchanges a token that is addressed to its API, for a token of the same user', async () => {
    const { status, body } = await exchange(w, (await userToken(w, 'notes')).access_token)
    expect([status, body.issued_token_type]).toEqual([200, `${TYPE}access_token`])
    expect(payload(body.access_token)).toMatchObject({
      sub: 'alice',
      aud: LEDGER,
      client_id: 'notes-api',
      act: { sub: 'notes-api' },
    })
    expect(
      (await exchange(w, (await userToken(w, 'photos')).access_token, { client_id: 'photos-api' })).status,
    ).toBe(200)
  })

  it('exchanges a token of a client too', async () => {
    const form = {
      grant_type: 'client_credentials',
      client_id: 'app',
      ...secret,
      resource: `${w.issuer}/notes`,
    }
    const { body } = await exchange(w, (await tokens(w, form)).body.access_token)
    expect(payload(body.access_token)).toMatchObject({ sub: 'notes-api', aud: LEDGER })
  })

  it('exchanges no token of another API, and none of the issuer', async () => {
    const { code } = await w.browser().code({ scope: 'openid' })
    const others = [
      (await userToken(w, 'photos')).access_token,
      (await redeem(w, code, secret)).body.access_token,
    ]
    for (const token of others) {
      const refused = await exchange(w, token)
      expect(outcome(refused)).toEqual([400, 'access_denied'])
      expect(refused.body.error_description).toContain('oidc.resources.<key>.clients')
    }
  })

  it('has to authenticate: a public client in the list is no API, even if it is trusted', async () => {
    const page = {
      client_id: 'page',
      grant_types: [GRANT],
      trusted: true,
      allowed_exchange_audiences: [LEDGER],
    }
    await w.storage(w.realm).clients.create(await client(page))
    const { access_token } = await userToken(w, 'notes')
    expect(outcome(await exchange(w, access_token, { client_id: 'page', client_secret: '' }))).toEqual([
      400,
      'access_denied',
    ])
  })

  it('has to be made by an operator', async () => {
    const record = { client_id: 'stranger', grant_types: [GRANT], allowed_exchange_audiences: [LEDGER] }
    const { clients } = w.storage(w.realm)
    await clients.create(await client({ ...secret, ...record, origin: 'registered' }))
    const { access_token } = await userToken(w, 'notes')
    expect(outcome(await exchange(w, access_token, { client_id: 'stranger' }))).toEqual([
      400,
      'access_denied',
    ])
    const asked = { client_id: 'stranger', ...secret, token: access_token }
    expect(await (await w.post('/oauth/introspect', asked)).json()).toEqual({ active: false })
  })
})

describe('subject_token_type', () => {
  let w: World
  let own: TokenAnswer['body']
  beforeAll(async () => {
    w = await apis()
    own = await userToken(w, 'notes')
  })

  it('jwt is another name for our access tokens; the answer still names an access token', async () => {
    const { status, body } = await exchange(w, own.access_token, { subject_token_type: `${TYPE}jwt` })
    expect([status, body.issued_token_type]).toEqual([200, `${TYPE}access_token`])
  })

  it.each<[string, () => string]>([
    ['an ID token', () => own.id_token],
    ['a refresh token', () => own.refresh_token ?? 'none'],
    ['a changed token', () => `${own.access_token.slice(0, -8)}AAAAAAAA`],
    ['a JWT of another issuer', () => `${own.access_token.split('.').slice(0, 2).join('.')}.AAAA`],
  ])('jwt with %s is invalid_grant', async (_, token) => {
    const refused = await exchange(w, token(), { subject_token_type: `${TYPE}jwt` })
    expect(outcome(refused)).toEqual([400, 'invalid_grant'])
  })

  it.each([
    { subject_token_type: `${TYPE}id_token` },
    { subject_token_type: `${TYPE}saml2` },
    { requested_token_type: `${TYPE}jwt` },
    { requested_token_type: `${TYPE}refresh_token` },
  ])('%j is invalid_request, and the event has the type that was sent', async (changes) => {
    expect(outcome(await exchange(w, own.access_token, changes))).toEqual([400, 'invalid_request'])
    const [[reason = '', type] = []] = Object.entries(changes)
    const hint = expect.stringContaining(`${reason} is ${TYPE}access_token`)
    const event = { type: 'request.refused', reason, sent: `${reason}=${type}`, hint }
    expect(w.events.at(-1)).toMatchObject(event)
  })
})

describe('Without audience and resource: default_resource of the client', () => {
  const asked = async (api: Partial<ClientRecord>, form: Record<string, string> = {}) => {
    const w = await apis({}, api)
    return exchange(w, (await userToken(w, 'notes')).access_token, { audience: '', ...form })
  }

  it.each(['photos', `${ISSUER}/photos`])('%s is the target, with the scopes that it owns', async (name) => {
    const allowed = { allowed_exchange_audiences: [`${ISSUER}/photos`] }
    const { body } = await asked({ default_resource: name, ...allowed })
    expect(payload(body.access_token).aud).toBe(`${ISSUER}/photos`)
  })

  it('is checked like one that is named', async () => {
    expect(outcome(await asked({ default_resource: 'photos' }))).toEqual([400, 'invalid_target'])
    expect(outcome(await asked({ default_resource: 'removed' }))).toEqual([400, 'invalid_target'])
  })

  it('gives way to a target that the request names', async () => {
    for (const form of [{ audience: LEDGER }, { resource: LEDGER }]) {
      const { body } = await asked({ default_resource: 'photos' }, form)
      expect(payload(body.access_token).aud).toBe(LEDGER)
    }
  })

  it('is absent: invalid_request', async () => {
    expect(outcome(await asked({}))).toEqual([400, 'invalid_request'])
  })
})

describe('The configuration', () => {
  const start = (resources: object) =>
    createProvider({
      oidc: { issuer: ISSUER, resources } as never,
      secret: 'only-for-tests-only-for-tests-only-for-tests',
      storage: (() => {}) as never,
      accounts: { find: async () => null },
      interactions: { login: async () => new Response() },
    })

  it('introspection_clients is an error that names the new key', () => {
    expect(() => start({ notes: { introspection_clients: ['notes-api'] } })).toThrow(
      'oidc.resources.notes.introspection_clients: this key no longer exists: use clients of the resource',
    )
  })

  it('a client that a document describes cannot be an API', () => {
    const clients = ['notes-api', 'https://client.example.com/oauth.json']
    expect(() => start({ notes: { clients } })).toThrow(
      'oidc.resources.notes.clients: "https://client.example.com/oauth.json" is the URL of a document',
    )
  })

  it('a public client cannot be made under a name in the list; one with a secret can', async () => {
    const w = await apis({ clients: [] })
    const { clients } = await w.provider.manage(w.realm)
    const input = { client_id: 'notes-api', redirect_uris: ['https://client.example.com/callback'] }
    await expect(clients.create(input)).rejects.toThrow('oidc.resources."notes".clients names it')
    await clients.create({ ...input, client_id: 'other' })
    expect((await clients.create({ ...input, client_secret: CLIENT_SECRET })).client.client_id).toBe(
      'notes-api',
    )
  })
})
