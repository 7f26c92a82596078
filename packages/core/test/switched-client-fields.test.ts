/**
 * `id_token_signed_response_alg`, `dpop_bound_access_tokens` and `require_pushed_authorization_requests` of a client: what it says
 * of itself, what an operator sets, and both while the switch is off.
 */

import { type ClientInput, ClientInputError, importedClient, type OidcConfig } from '@ostiary/core'
import { describe, expect, it } from 'vitest'
import { parseConfig } from '../src/config/parse.js'
import { clientOfDocument } from '../src/features/client-documents/metadata-document.js'
import { createRealm } from '../src/realm/create-realm.js'
import { realmPolicy } from '../src/realm/policy.js'
import { client, REDIRECT_URI, type World, world } from './support.js'

const ON = {
  keys: { algorithms: ['RS256', 'ES256'] },
  dpop: 'on' as const,
  par: 'allowed',
} satisfies OidcConfig
const REGISTRATION = { registration: { enabled: true } }
const FIELDS = {
  id_token_signed_response_alg: 'ES256',
  dpop_bound_access_tokens: true,
  require_pushed_authorization_requests: true,
} as const
const NONE = {
  id_token_signed_response_alg: null,
  dpop_bound_access_tokens: null,
  require_pushed_authorization_requests: null,
}
type Fields = Partial<Record<keyof typeof FIELDS, unknown>>
const METADATA = { redirect_uris: [REDIRECT_URI] }
const APP = await client()

const start = (oidc: OidcConfig) =>
  world({ oidc: { ...oidc, clients: { ...REGISTRATION, ...oidc.clients } }, clients: [APP] })

async function register(w: World, fields: object) {
  const body = JSON.stringify({ ...METADATA, ...fields })
  const response = await w.provider.fetch(new Request(`${w.issuer}/oauth/register`, { method: 'POST', body }))
  return { status: response.status, body: await response.json() }
}
const fieldsOf = (record: object | null): Fields =>
  Object.fromEntries(Object.entries(record ?? {}).filter(([name]) => Object.hasOwn(FIELDS, name)))
const faultOf = (change: Promise<unknown>) =>
  change.then(
    () => 'accepted',
    (error: unknown) => (error instanceof ClientInputError ? error.message : Promise.reject(error)),
  )

describe('A client that registers itself', () => {
  it.each<[Fields, Fields]>([
    [FIELDS, FIELDS],
    [{}, {}],
    [
      { dpop_bound_access_tokens: false, id_token_signed_response_alg: 'RS256' },
      {
        dpop_bound_access_tokens: false,
        id_token_signed_response_alg: 'RS256',
      },
    ],
    [
      { dpop_bound_access_tokens: null, require_pushed_authorization_requests: false },
      {
        require_pushed_authorization_requests: false,
      },
    ],
  ])('%j is stored, and answered with what it sent: %j', async (sent, answered) => {
    const w = await start(ON)
    const { status, body } = await register(w, sent)
    expect([status, fieldsOf(body)]).toEqual([201, answered])
    expect(fieldsOf(await w.storage(w.realm).clients.find(body.client_id))).toEqual({ ...NONE, ...answered })
  })

  it.each<[Fields, string]>([
    [{ id_token_signed_response_alg: 'PS256' }, 'id_token_signed_response_alg must be one of RS256, ES256'],
    [{ id_token_signed_response_alg: 'none' }, 'id_token_signed_response_alg must be one of RS256, ES256'],
    [{ id_token_signed_response_alg: ['ES256'] }, 'id_token_signed_response_alg must be one of'],
    [{ dpop_bound_access_tokens: 'true' }, 'dpop_bound_access_tokens must be true or false'],
    [{ dpop_bound_access_tokens: 1 }, 'dpop_bound_access_tokens must be true or false'],
    [
      { require_pushed_authorization_requests: 'false' },
      'require_pushed_authorization_requests must be true or false',
    ],
  ])('%j is invalid_client_metadata', async (sent, description) => {
    const w = await start(ON)
    const { status, body } = await register(w, sent)
    expect([status, body.error]).toEqual([400, 'invalid_client_metadata'])
    expect(body.error_description).toContain(description)
  })

  it.each<[string, OidcConfig, Fields]>([
    ['all off', {}, {}],
    [
      'RS256 alone',
      { ...ON, keys: { algorithms: ['RS256'] } },
      {
        dpop_bound_access_tokens: true,
        require_pushed_authorization_requests: true,
      },
    ],
    [
      'DPoP off',
      { ...ON, dpop: 'off' },
      {
        id_token_signed_response_alg: 'ES256',
        require_pushed_authorization_requests: true,
      },
    ],
    [
      'PAR off',
      { ...ON, par: 'off' },
      {
        id_token_signed_response_alg: 'ES256',
        dpop_bound_access_tokens: true,
      },
    ],
  ])('with %s, what is off is ignored, valid or not', async (_, oidc, answered) => {
    const w = await start(oidc)
    const { status, body } = await register(w, FIELDS)
    expect([status, fieldsOf(body)]).toEqual([201, answered])
    expect(fieldsOf(await w.storage(w.realm).clients.find(body.client_id))).toEqual({ ...NONE, ...answered })
    const off = Object.keys(FIELDS).filter((name) => !Object.hasOwn(answered, name))
    const rubbish = Object.fromEntries(off.map((name) => [name, { not: 'valid' }]))
    expect((await register(w, rubbish)).status).toBe(201)
  })

  it('of a realm without RS256 may ask for what it has, and not for RS256', async () => {
    const w = await start({ keys: { algorithms: ['ES256'] } })
    expect((await register(w, { id_token_signed_response_alg: 'ES256' })).status).toBe(201)
    expect((await register(w, { id_token_signed_response_alg: 'RS256' })).status).toBe(400)
  })

  it('with reuse: the fields belong to what the client_id follows from, and change no id without them', async () => {
    const reuse = { registration: { enabled: true, reuse: true } }
    const ids: string[] = []
    for (const oidc of [{}, ON]) {
      const w = await start({ ...oidc, clients: reuse })
      const idOf = async (fields: Fields) => (await register(w, fields)).body.client_id
      ids.push(await idOf({}))
      if (oidc !== ON) continue
      const bound = await idOf({ dpop_bound_access_tokens: true })
      expect(await idOf({ dpop_bound_access_tokens: true })).toBe(bound)
      const others = await Promise.all([{ dpop_bound_access_tokens: false }, FIELDS].map(idOf))
      expect(new Set([...ids, bound, ...others]).size).toBe(4)
      expect(await idOf({})).toBe(ids[1])
    }
    expect(ids[0]).toBe(ids[1])
  })
})

describe("A client's metadata document", () => {
  const read = (fields: Fields, oidc: OidcConfig = ON) => {
    const client_id = 'https://client.example.com/metadata.json'
    const { settings } = parseConfig({ issuer: 'https://id.example.com', ...oidc })
    const realm = { settings, policy: realmPolicy(settings) }
    return fieldsOf(clientOfDocument({ client_id, ...METADATA, ...fields }, client_id, realm))
  }

  it('has the fields whose switches are on', () => {
    expect(read(FIELDS)).toEqual(FIELDS)
    expect(read({})).toEqual(NONE)
    expect(read(FIELDS, {})).toEqual(NONE)
    const rubbish = { id_token_signed_response_alg: 1, dpop_bound_access_tokens: 1 }
    expect(read(rubbish, {})).toEqual(NONE)
  })

  it('may name an algorithm that this server does not sign with, but no flag that is none', () => {
    expect(read({ id_token_signed_response_alg: 'PS256' })).toEqual(NONE)
    for (const name of ['dpop_bound_access_tokens', 'require_pushed_authorization_requests'])
      expect(() => read({ [name]: 'true' })).toThrow(`${name} must be true or false`)
  })
})

describe('An operator', () => {
  const manage = async (oidc: OidcConfig) => {
    const w = await world({ oidc })
    return (await w.provider.manage()).clients
  }

  it('sets the fields of a new client and of another one, and unsets them', async () => {
    const clients = await manage(ON)
    const { client: made } = await clients.create({ client_id: 'new', ...METADATA, ...FIELDS })
    expect(fieldsOf(made)).toEqual(FIELDS)
    const updated = await clients.update('app', FIELDS)
    expect([updated?.changed, fieldsOf(await clients.find('app'))]).toEqual([Object.keys(FIELDS), FIELDS])
    const changed = await clients.update('app', { ...NONE, dpop_bound_access_tokens: false })
    expect(fieldsOf(changed?.client ?? null)).toEqual({ ...NONE, dpop_bound_access_tokens: false })
  })

  const OFF: [keyof typeof FIELDS, string][] = [
    ['id_token_signed_response_alg', 'ES256 is not in oidc.keys.algorithms (RS256)'],
    ['dpop_bound_access_tokens', 'DPoP is off: set oidc.dpop to "on"'],
    [
      'require_pushed_authorization_requests',
      'pushed authorization requests are off: set oidc.par to "allowed"',
    ],
  ]

  it.each(OFF)('who sets %s while it is off is told: %s', async (field, fault) => {
    const clients = await manage({})
    const fields: Partial<ClientInput> = { [field]: FIELDS[field] }
    const expected = `${field}: ${fault}`
    expect(await faultOf(clients.create({ client_id: 'new', ...METADATA, ...fields }))).toContain(expected)
    expect(await faultOf(clients.update('app', fields))).toContain(expected)
    expect(await clients.find('new')).toBeNull()
    const realm = createRealm('default', parseConfig({ issuer: 'https://id.example.com' }).settings)
    const imported = importedClient({ ...APP, ...fields }, { realm, unknown_secret_hash: '' })
    expect(imported).toEqual({ faults: [{ field, fault: expect.stringContaining(fault) }] })
  })

  it('may set what is the default anyway', async () => {
    const clients = await manage({})
    const fields = { id_token_signed_response_alg: 'RS256', dpop_bound_access_tokens: false } as const
    expect(fieldsOf((await clients.update('app', fields))?.client ?? null)).toEqual({ ...NONE, ...fields })
  })

  it('imports a client with the fields, and one of a file without them', () => {
    const realm = createRealm('default', parseConfig({ issuer: 'https://id.example.com', ...ON }).settings)
    const options = { realm, unknown_secret_hash: '' }
    const bound = { ...APP, ...FIELDS }
    expect(importedClient({ ...bound }, options)).toEqual({ client: bound })
    const earlier = Object.entries(APP).filter(([name]) => !Object.hasOwn(FIELDS, name))
    expect(importedClient(Object.fromEntries(earlier), options)).toEqual({ client: APP })
  })
})
