/** `oidc.resources.<key>.closed`: only a client of the operator, with an entry of its own for the resource, may request it. */

import type { Client } from '@ostiary/core'
import { beforeEach, describe, expect, it } from 'vitest'
import { closedTo } from '../src/realm/closed-resource.js'
import { ask, DEVICE_CODE } from './device.js'
import { parameters, post as pushRequest } from './par.js'
import {
  answer,
  bearer,
  CLIENT_SECRET,
  client,
  payload,
  redeem,
  type TokenAnswer,
  tokens,
  type World,
  type WorldOptions,
  world,
} from './support.js'

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'
/** An address of its own: no path below the issuer. */
const ADMIN = 'https://id.example.org/admin/api'
/** The same address (RFC 3986 §6.2.2). */
const OTHER_SPELLING = 'HTTPS://ID.example.org/admin/api'
const READ = 'admin.read'
const WRITE = 'admin.write'
const secret = { client_secret: CLIENT_SECRET }

const OWN = ['openid', `${ADMIN} ${READ}`]

type Fields = Partial<Client>

/** Who may request the resource, and who may not. */
const ASSIGNED: [string, Fields][] = [
  ['an entry in optional_scopes', { optional_scopes: OWN }],
  ['an entry in default_scopes', { default_scopes: [`${ADMIN} ${READ}`] }],
]
const UNASSIGNED: [string, Fields][] = [
  ['no entry', {}],
  ['*', { optional_scopes: ['*'] }],
  ['the bare name of the scope', { optional_scopes: ['openid', READ] }],
  ['an entry for another resource', { optional_scopes: ['openid', `notes ${READ}`] }],
  ['an entry for a scope that it does not have', { optional_scopes: ['openid', `${ADMIN} admin.erase`] }],
  ['an entry, but it registered itself', { origin: 'registered', optional_scopes: OWN }],
]

const grant_types = ['authorization_code', 'refresh_token', 'client_credentials', EXCHANGE, DEVICE_CODE]

async function start(fields: Fields, options: WorldOptions = {}): Promise<World> {
  const record = { ...secret, grant_types, allowed_exchange_audiences: [ADMIN], ...fields }
  return world({
    clients: [await client(record)],
    ...options,
    oidc: {
      par: 'allowed',
      resources: { [ADMIN]: { scopes: [READ, WRITE], closed: true }, notes: { scopes: [READ] } },
      clients: { token_exchange: true, device_authorization: 'operator' },
      ...options.oidc,
    },
  })
}

/** What a client gets that asks for the resource, in each way in which it can. */
const WAYS: Record<string, (w: World, form: Record<string, string>) => Promise<unknown>> = {
  async authorization(w, form) {
    const response = await w.browser().authorize(form)
    return answer(response)
  },
  'a pushed request': async (w, form) =>
    (await pushRequest(w, [...parameters(w, form), ['client_secret', CLIENT_SECRET]])).json(),
  'a device': async (w, form) => (await ask(w, { client_id: 'app', ...secret, ...form })).body,
  'client credentials': async (w, form) =>
    (await tokens(w, { grant_type: 'client_credentials', client_id: 'app', ...secret, ...form })).body,
  'token exchange': async (w, form) => (await exchanged(w, form)).body,
}

/** A token for the issuer, exchanged for one for the resource. */
async function exchanged(w: World, form: Record<string, string>): Promise<TokenAnswer> {
  const own = (await redeem(w, (await w.browser().code({ scope: 'openid' })).code, secret)).body
  const subject = { subject_token: String(own.access_token), subject_token_type: ACCESS_TOKEN }
  return tokens(w, { grant_type: EXCHANGE, client_id: 'app', ...secret, ...subject, ...form })
}

describe.each(Object.keys(WAYS))('A closed resource: %s', (way) => {
  const request = WAYS[way] as (typeof WAYS)[string]
  const scope = READ

  it.each(ASSIGNED)('is answered for a client with %s', async (_, fields) => {
    const got = await request(await start(fields), { resource: ADMIN, scope })
    expect(got).not.toHaveProperty('error')
  })

  // Clients that described themselves have no device grant at all.
  const unassigned =
    way === 'a device' ? UNASSIGNED.filter(([, { origin }]) => origin === undefined) : UNASSIGNED
  it.each(unassigned)('is refused for a client with %s', async (_, fields) => {
    const w = await start(fields)
    for (const resource of [ADMIN, OTHER_SPELLING]) {
      w.events.length = 0
      expect(await request(w, { resource, scope })).toMatchObject({ error: 'invalid_target' })
      const refusal = w.events.find((event) => event.type.endsWith('.refused'))
      expect(refusal).toMatchObject({
        reason: 'closed_resource',
        hint: expect.stringContaining('optional_scopes'),
      })
    }
  })

  it('has the scopes of the entries alone, beside those of the realm', async () => {
    const w = await start({ optional_scopes: ['*', `${ADMIN} ${READ}`] })
    expect(await request(w, { resource: ADMIN, scope: `${READ} ${WRITE}` })).toMatchObject({
      error: 'invalid_scope',
    })
  })
})

describe('A closed resource', () => {
  const entry = { optional_scopes: ['openid', 'offline_access', `${ADMIN} ${READ}`, `${ADMIN} ${WRITE}`] }
  const asked = { resource: ADMIN, scope: `openid offline_access ${READ}` }

  it('is no default_resource of a client without an entry', async () => {
    const w = await start({ default_resource: ADMIN })
    const form = { grant_type: 'client_credentials', client_id: 'app', ...secret }
    expect((await tokens(w, form)).body.error).toBe('invalid_target')
  })

  it('a code and a refresh token get nothing once the entry is gone, and are not spent', async () => {
    const w = await start(entry)
    const { clients } = await w.provider.manage(w.realm)
    const first = await w.browser().code(asked)
    const { body } = await redeem(w, first.code, secret)
    const second = await w.browser().code(asked)
    const refresh = {
      grant_type: 'refresh_token',
      client_id: 'app',
      ...secret,
      refresh_token: body.refresh_token,
    }

    await clients.update('app', { optional_scopes: ['openid', 'offline_access', `${ADMIN} ${WRITE}`] })
    expect((await redeem(w, second.code, secret)).body.error).toBe('invalid_scope')
    expect((await tokens(w, refresh)).body.error).toBe('invalid_scope')
    await clients.update('app', { optional_scopes: null })
    expect((await redeem(w, second.code, secret)).body.error).toBe('invalid_target')
    expect((await tokens(w, refresh)).body.error).toBe('invalid_target')
    await clients.update('app', entry)
    expect((await redeem(w, second.code, secret)).status).toBe(200)
    expect((await tokens(w, refresh)).status).toBe(200)
  })

  it('a policy of the application for exchanges does not open it', async () => {
    const w = await start(
      { optional_scopes: ['openid', `${ADMIN} ${READ}`] },
      { exchange_policy: async () => ({ scopes: ['openid', WRITE] }) },
    )
    expect((await exchanged(w, { audience: ADMIN })).body.error).toBe('invalid_scope')
  })

  it.each(['default_scopes', 'optional_scopes'] as const)(
    'is not opened by oidc.clients.%s: the configuration is refused',
    async (list) => {
      const clients = { [list]: ['openid', `${ADMIN} ${READ}`] }
      await expect(start({}, { oidc: { clients } })).rejects.toThrow(
        `oidc.clients.${list}: the resource "${ADMIN}" is closed: assign its scopes in the clients that may request it`,
      )
    },
  )

  it('is refused for a client that a document describes, whatever its record says', async () => {
    const admit = closedTo({ key: ADMIN, uri: ADMIN, scopes: [READ] })
    const operators = await client({ optional_scopes: OWN })
    expect(() => admit(operators, [])).not.toThrow()
    expect(() => admit({ ...operators, origin: 'metadata_document' }, [])).toThrow(
      'This client may not request this resource',
    )
  })

  it('a resource that is not closed is open to every client, as before', async () => {
    const w = await start({})
    const form = {
      grant_type: 'client_credentials',
      client_id: 'app',
      ...secret,
      resource: `${w.issuer}/notes`,
    }
    expect((await tokens(w, { ...form, scope: READ })).status).toBe(200)
  })
})

describe('guard({ audience })', () => {
  let w: World
  beforeEach(async () => {
    w = await start({ optional_scopes: ['openid', `${ADMIN} ${READ}`, `notes ${READ}`] })
  })
  const tokenFor = async (resource: string) => {
    const form = { grant_type: 'client_credentials', client_id: 'app', ...secret, resource }
    return String((await tokens(w, form)).body.access_token)
  }
  const statusWith = async (audience: string[] | undefined, token: string) => {
    const guard = w.provider.guard({ realm: w.realm, ...(audience && { audience }) })
    const principal = await guard.authenticate(
      new Request('https://api.example.com/', { headers: bearer(token) }),
    )
    return principal instanceof Response ? principal.status : 200
  }

  it.each([
    ['its URI', [ADMIN], ADMIN, 200],
    ['a key', ['notes'], 'notes', 200],
    ['one of two', ['notes', ADMIN], ADMIN, 200],
    ['the issuer', ['issuer'], 'issuer', 200],
    ['another resource', ['notes'], ADMIN, 401],
    ['a token for the issuer alone', [ADMIN], 'issuer', 401],
    ['a token for another resource of the realm', [ADMIN], 'notes', 401],
    ['a name that is no resource', ['nothing'], ADMIN, 401],
    ['no name at all', [], 'issuer', 401],
  ])('%s', async (...[, names, resource, status]) => {
    const uris: Record<string, string> = { notes: `${w.issuer}/notes`, issuer: w.issuer }
    const audience = names.map((name) => (name === 'issuer' ? w.issuer : name))
    expect(await statusWith(audience, await tokenFor(uris[resource] ?? resource))).toBe(status)
  })

  it('without it, a token for an address that is no path of the issuer is refused, as before', async () => {
    expect(await statusWith(undefined, await tokenFor(ADMIN))).toBe(401)
    expect(await statusWith(undefined, await tokenFor(`${w.issuer}/notes`))).toBe(200)
  })

  it('the token is checked as ever: one of a client that was revoked since is refused', async () => {
    const token = await tokenFor(ADMIN)
    expect(payload(token).aud).toBe(ADMIN)
    await (await w.provider.manage(w.realm)).clients.revoke('app')
    expect(await statusWith([ADMIN], token)).toBe(401)
  })
})
