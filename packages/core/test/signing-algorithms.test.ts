/** `oidc.keys.algorithms`: which keys a realm has, which of them signs what, and how each is rotated and retired. */

import { ConfigError, importedKey, type OidcConfig, type SigningAlgorithm } from '@ostiary/core'
import { calculateJwkThumbprint, createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  bearer,
  CLIENT_SECRET,
  client,
  header,
  payload,
  redeem,
  SECRET,
  tokens,
  type World,
  type WorldOptions,
  world,
} from './support.js'

const ALL = ['EdDSA', 'ES256', 'PS256', 'RS256'] as const
/** Keys of these are made in a millisecond. */
const FAST = ['RS256', 'ES256', 'EdDSA'] as const
const API = 'https://api.example.net'
const OTHER_API = 'https://other.example.net'

const keysOf = (
  keys: NonNullable<OidcConfig['keys']>,
  resources: OidcConfig['resources'] = {},
): WorldOptions => ({ oidc: { keys, resources } })
const get = async (w: World, path: string) =>
  (await w.provider.fetch(new Request(`${w.issuer}${path}`))).json()
const jwks = (w: World): Promise<JSONWebKeySet> => get(w, '/.well-known/jwks.json')
const published = async (w: World) => (await jwks(w)).keys.map(({ alg, kid }) => `${alg} ${kid}`)
const management = async (w: World) => (await w.provider.manage(w.realm)).keys
const algorithmsOf = async (w: World) => (await (await management(w)).list()).map(({ alg }) => alg)
const verified = async (w: World, token: string) =>
  jwtVerify(token, createLocalJWKSet(await jwks(w)), { currentDate: new Date(w.clock.now * 1000) })
const machineToken = async (w: World, form: Record<string, string> = {}) => {
  const service = { grant_type: 'client_credentials', client_id: 'service', client_secret: CLIENT_SECRET }
  return (await tokens(w, { ...service, ...form })).body.access_token
}
const service = () =>
  client({ client_id: 'service', client_secret: CLIENT_SECRET, grant_types: ['client_credentials'] })
const accepted = async (w: World, token: string) => {
  const request = new Request(`${w.issuer}/things`, { headers: bearer(token) })
  return !((await w.provider.guard({ realm: w.realm }).authenticate(request)) instanceof Response)
}

describe.each(['single', 'path'] as const)('A realm with all algorithms (realms by %s)', (routing) => {
  let w: World
  beforeAll(async () => {
    w = await world({ routing, own_key: true, ...keysOf({ algorithms: [...ALL] }) })
  })

  it('publishes one key of each, RSA first, with alg, use and the thumbprint as kid', async () => {
    const { keys } = await jwks(w)
    expect(keys.map(({ alg, kty, crv, use }) => [alg, kty, crv, use])).toEqual([
      ['RS256', 'RSA', undefined, 'sig'],
      ['PS256', 'RSA', undefined, 'sig'],
      ['ES256', 'EC', 'P-256', 'sig'],
      ['EdDSA', 'OKP', 'Ed25519', 'sig'],
    ])
    for (const key of keys) expect(key.kid).toBe(await calculateJwkThumbprint(key))
    expect(keys.map((key) => Object.keys(key).sort().join())).toEqual([
      'alg,e,kid,kty,n,use',
      'alg,e,kid,kty,n,use',
      'alg,crv,kid,kty,use,x,y',
      'alg,crv,kid,kty,use,x',
    ])
  })

  it('advertises the list as it is configured', async () => {
    const document = await get(w, '/.well-known/openid-configuration')
    expect(document.id_token_signing_alg_values_supported).toEqual(ALL)
  })

  it('20 parallel requests to two servers make each key once', async () => {
    const one = await world({ routing, own_key: true, ...keysOf({ algorithms: [...FAST] }) })
    const two = await world({
      routing,
      own_key: true,
      storage: one.storage,
      clients: [],
      ...keysOf({ algorithms: [...FAST] }),
    })
    const seen = await Promise.all(Array.from({ length: 20 }, (_, i) => published(i % 2 === 0 ? one : two)))
    expect((await algorithmsOf(one)).toSorted()).toEqual([...FAST].toSorted())
    expect(new Set(seen.map(String)).size).toBe(1)
    const created = [...one.events, ...two.events].filter(({ type }) => type === 'key.created')
    expect(created).toHaveLength(3)
  })

  it('reseals the keys of all algorithms for a new secret', async () => {
    const secret = 'another-secret-of-at-least-thirty-two-characters'
    const changed = await world({
      routing,
      storage: w.storage,
      clients: [],
      secret,
      previous_secret: SECRET,
      ...keysOf({ algorithms: [...ALL] }),
    })
    expect(await (await management(changed)).reseal()).toBe(4)
    const later = await world({
      routing,
      storage: w.storage,
      clients: [],
      secret,
      ...keysOf({ algorithms: [...ALL] }),
    })
    expect(await published(later)).toEqual(await published(w))
    const back = { secret: SECRET, previous_secret: secret }
    const old = await world({ routing, storage: w.storage, clients: [], ...back })
    expect(await (await management(old)).reseal()).toBe(4)
  })

  it('a key of each is imported for another realm, and not with the alg of another', async () => {
    for (const key of await w.storage(w.realm).keys.list()) {
      const options = { sealed_for: w.realm, realm: 'copied', secret: SECRET }
      expect(await importedKey(key, options)).toEqual({ ...key, sealed_private_key: expect.any(String) })
      const alg = key.alg === 'ES256' ? 'EdDSA' : 'ES256'
      await expect(importedKey({ ...key, alg }, options)).rejects.toThrow(
        new TypeError(`The key ${key.kid} is not one of ${alg}`),
      )
    }
  })
})

type Alg = SigningAlgorithm
describe('The choice of the algorithm', () => {
  interface Row {
    name: string
    keys: { algorithms: Alg[]; access_token_alg?: Alg }
    /** `token_signing_alg` of the API. */
    api?: Alg
    /** `id_token_signed_response_alg` of the client. */
    registered?: Alg
    /** For the API, for the issuer, and of the ID token. */
    signs: [api: Alg, issuer: Alg, id_token: Alg]
  }
  const rows: Row[] = [
    { name: 'RS256 alone', keys: { algorithms: ['RS256'] }, signs: ['RS256', 'RS256', 'RS256'] },
    {
      name: 'RS256 wherever it is in the list',
      keys: { algorithms: ['ES256', 'EdDSA', 'RS256'] },
      signs: ['RS256', 'RS256', 'RS256'],
    },
    {
      name: 'the first of a list without RS256',
      keys: { algorithms: ['EdDSA', 'ES256'] },
      signs: ['EdDSA', 'EdDSA', 'EdDSA'],
    },
    {
      name: 'the only one',
      keys: { algorithms: ['ES256'] },
      signs: ['ES256', 'ES256', 'ES256'],
    },
    {
      name: 'access_token_alg, not for ID tokens',
      keys: { algorithms: ['RS256', 'ES256'], access_token_alg: 'ES256' },
      signs: ['ES256', 'ES256', 'RS256'],
    },
    {
      name: 'token_signing_alg, for this API alone',
      keys: { algorithms: ['RS256', 'ES256', 'EdDSA'], access_token_alg: 'ES256' },
      api: 'EdDSA',
      signs: ['EdDSA', 'ES256', 'RS256'],
    },
    {
      name: 'id_token_signed_response_alg, not for access tokens',
      keys: { algorithms: ['RS256', 'EdDSA'] },
      registered: 'EdDSA',
      signs: ['RS256', 'RS256', 'EdDSA'],
    },
    {
      name: 'an algorithm that the client has registered, and the realm has dropped',
      keys: { algorithms: ['EdDSA', 'ES256'] },
      registered: 'RS256',
      signs: ['EdDSA', 'EdDSA', 'EdDSA'],
    },
    {
      name: 'PS256',
      keys: { algorithms: ['RS256', 'PS256'], access_token_alg: 'PS256' },
      registered: 'PS256',
      signs: ['PS256', 'PS256', 'PS256'],
    },
  ]

  it.each(rows)('$name', async ({ keys, api, registered, signs }) => {
    const logout_tokens: string[] = []
    const w = await world({
      ...keysOf(keys, { [API]: api ? { token_signing_alg: api } : {} }),
      fetch: async (_, init) => {
        logout_tokens.push(new URLSearchParams(String(init?.body)).get('logout_token') ?? '')
        return new Response()
      },
      clients: [
        await service(),
        await client({
          trusted: true,
          backchannel_logout_uri: 'https://app.example.com/bc',
          id_token_signed_response_alg: registered ?? null,
        }),
      ],
    })
    const browser = w.browser()
    const { body } = await redeem(w, (await browser.code({ resource: API })).code)
    const for_issuer = (await redeem(w, (await browser.code()).code)).body.access_token
    const all = [body.access_token, for_issuer, body.id_token]
    expect(all.map((token) => header(token).alg)).toEqual(signs)
    const refresh = { grant_type: 'refresh_token', client_id: 'app', refresh_token: body.refresh_token }
    const refreshed = (await tokens(w, refresh)).body
    const renewed = [refreshed.access_token, refreshed.id_token]
    expect(renewed.map((token) => header(token).alg)).toEqual([signs[0], signs[2]])
    const of_client = await machineToken(w, { resource: API })
    expect(header(of_client).alg).toBe(signs[0])
    for (const token of [...all, ...renewed, of_client]) await verified(w, token)
    expect(payload(body.id_token).at_hash).toBe(await atHash(body.access_token, signs[2]))
    expect(await accepted(w, for_issuer)).toBe(true)

    const [session] = await (await w.provider.manage(w.realm)).sessions.list('alice')
    await (await w.provider.manage(w.realm)).sessions.end(session?.sid ?? '')
    await w.provider.tick()
    await w.provider.settled()
    expect(logout_tokens.map((token) => header(token).alg)).toEqual([signs[2]])
    await verified(w, logout_tokens[0] ?? '')
  })

  it('a token exchange signs for the audience, and an audience without a resource gets the default', async () => {
    const w = await world({
      oidc: {
        keys: { algorithms: ['RS256', 'ES256', 'EdDSA'], access_token_alg: 'ES256' },
        resources: { [API]: { token_signing_alg: 'EdDSA' } },
        clients: { token_exchange: true },
      },
      exchange_policy: async () => ({ scopes: [] }),
      clients: [
        await client({ trusted: true }),
        await client({
          client_id: 'service',
          client_secret: CLIENT_SECRET,
          grant_types: ['urn:ietf:params:oauth:grant-type:token-exchange'],
        }),
      ],
    })
    const subject_token = (await redeem(w, (await w.browser().code()).code)).body.access_token
    const type = 'urn:ietf:params:oauth:token-type:access_token'
    for (const [audience, alg] of [
      [API, 'EdDSA'],
      ['unregistered', 'ES256'],
    ] as const) {
      const { body } = await tokens(w, {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        client_id: 'service',
        client_secret: CLIENT_SECRET,
        subject_token,
        subject_token_type: type,
        audience,
      })
      expect(header(body.access_token).alg).toBe(alg)
    }
  })
})

/** OpenID Connect Core §3.1.3.6. */
async function atHash(access_token: string, alg: Alg): Promise<string> {
  const hash = alg === 'EdDSA' ? 'SHA-512' : 'SHA-256'
  const digest = Buffer.from(await crypto.subtle.digest(hash, Buffer.from(access_token)))
  return digest.subarray(0, digest.length / 2).toString('base64url')
}

describe('The configuration is refused', () => {
  it.each<[string, OidcConfig, RegExp]>([
    [
      'access_token_alg that is not listed',
      { keys: { access_token_alg: 'ES256' } },
      /^oidc\.keys\.access_token_alg: ES256 is not in oidc\.keys\.algorithms \(RS256\): add it there/,
    ],
    [
      'token_signing_alg that is not listed',
      { keys: { algorithms: ['ES256', 'RS256'] }, resources: { [API]: { token_signing_alg: 'PS256' } } },
      /^oidc\.resources\.https:\/\/api\.example\.net\.token_signing_alg: PS256 is not in oidc\.keys\.algorithms \(ES256, RS256\)/,
    ],
    ['an empty list', { keys: { algorithms: [] } }, /^oidc\.keys\.algorithms: name at least one algorithm$/],
    [
      'an algorithm twice',
      { keys: { algorithms: ['RS256', 'ES256', 'RS256'] } },
      /^oidc\.keys\.algorithms: name each algorithm once$/,
    ],
    [
      'an algorithm that is not one',
      { keys: { algorithms: ['HS256' as Alg] } },
      /^oidc\.keys\.algorithms\.0: /,
    ],
    ['none', { keys: { algorithms: ['none' as Alg] } }, /^oidc\.keys\.algorithms\.0: /],
  ])('for %s', async (_, oidc, message) => {
    const refused = await world({ oidc }).then(
      () => null,
      (error: unknown) => error,
    )
    expect(refused).toBeInstanceOf(ConfigError)
    expect((refused as ConfigError).message).toMatch(message)
  })

  it('in a realm, by the path of the realm', async () => {
    const refused = world({
      routing: 'path',
      oidc: {
        keys: { algorithms: ['RS256', 'ES256'], access_token_alg: 'ES256' },
        realms: { acme: { keys: { algorithms: ['EdDSA'] } } },
      },
    })
    await expect(refused).rejects.toThrow(
      /oidc\.realms\.acme\.keys\.access_token_alg: ES256 is not in oidc\.keys\.algorithms \(EdDSA\)/,
    )
  })
})

describe('Rotation of one algorithm', () => {
  const start = async (keys: OidcConfig['keys'] = {}) =>
    world({
      ...keysOf(
        { algorithms: [...FAST], ...keys },
        { [API]: { token_signing_alg: 'ES256' }, [OTHER_API]: { token_signing_alg: 'EdDSA' } },
      ),
      clients: [await service()],
    })
  const kidFor = async (w: World, resource: string) => header(await machineToken(w, { resource })).kid
  const kids = async (w: World) => (await (await management(w)).list()).map(({ kid }) => kid)

  it('publishes, signs and retires its key, and leaves the keys of the others alone', async () => {
    const w = await start()
    const [ec, ed] = [await kidFor(w, API), await kidFor(w, OTHER_API)]
    const rotated = await (await management(w)).rotate({ alg: 'ES256' })
    expect(rotated).toMatchObject({ alg: 'ES256', signs_from: w.clock.now + 3600 })
    expect((await published(w)).map((key) => key.split(' ')[0])).toEqual(['RS256', 'ES256', 'ES256', 'EdDSA'])
    expect(await kidFor(w, API)).toBe(ec)
    w.clock.now += 3600
    expect(await kidFor(w, API)).toBe(rotated.kid)
    expect(await kidFor(w, OTHER_API)).toBe(ed)
    w.clock.now += 3599
    expect((await w.provider.tick()).keys_retired).toBe(0)
    w.clock.now += 1
    expect((await w.provider.tick()).keys_retired).toBe(1)
    expect(await kids(w)).not.toContain(ec)
    expect((await algorithmsOf(w)).toSorted()).toEqual([...FAST].toSorted())
  })

  it('needs the algorithm when the realm has several, and one that it has', async () => {
    const w = await start()
    const keys = await management(w)
    const message = 'alg: give one of oidc.keys.algorithms: RS256, ES256, EdDSA'
    await expect(keys.rotate()).rejects.toThrow(new RangeError(message))
    await expect(keys.rotate({ alg: 'PS256' })).rejects.toThrow(new RangeError(message))
    expect(await keys.list()).toHaveLength(1)
    const one = await world({})
    await expect((await management(one)).rotate({ alg: 'ES256' })).rejects.toThrow(
      new RangeError('alg: give one of oidc.keys.algorithms: RS256'),
    )
    expect(await (await management(one)).rotate()).toMatchObject({ alg: 'RS256' })
  })

  it('revocation replaces a key by one of the same algorithm that signs at once, although others sign', async () => {
    const w = await start()
    const token = await machineToken(w, { resource: API })
    const keys = await management(w)
    const next = await keys.rotate({ alg: 'ES256' })
    expect(await keys.revoke(String(header(token).kid))).toBe(true)
    const fresh = await kidFor(w, API)
    expect([header(token).kid, next.kid]).not.toContain(fresh)
    expect((await algorithmsOf(w)).toSorted()).toEqual(['ES256', ...FAST].toSorted())
  })
})

describe('A change of the list', () => {
  const listed = async (algorithms: Alg[], from?: World, options: WorldOptions = {}) => {
    const w = await world({
      ...keysOf({ algorithms }),
      clients: from ? [] : [await service()],
      ...(from && { storage: from.storage, now: () => from.clock.now }),
      ...options,
    })
    return w
  }

  it('an added algorithm gets a key that signs at once', async () => {
    const before = await listed(['RS256'])
    await machineToken(before)
    const after = await world({
      ...keysOf({ algorithms: ['RS256', 'ES256'], access_token_alg: 'ES256' }),
      storage: before.storage,
      clients: [],
    })
    const token = await machineToken(after)
    expect(header(token).alg).toBe('ES256')
    // The server with the old list reads the new key when it meets it.
    before.clock.now += 1
    expect(await accepted(before, token)).toBe(true)
    expect(await published(before)).toEqual(await published(after))
  })

  it('a removed algorithm signs nothing; its key is published until its last token has expired, and then deleted', async () => {
    const before = await listed(['ES256', 'RS256'])
    const old = await listed(['ES256'], before)
    const token = await machineToken(old)
    expect(header(token).alg).toBe('ES256')
    const after = await listed(['RS256'], before)
    expect(header(await machineToken(after)).alg).toBe('RS256')
    expect(await accepted(after, token)).toBe(true)
    const document = await get(after, '/.well-known/openid-configuration')
    expect(document.id_token_signing_alg_values_supported).toEqual(['RS256'])
    // An hour for the tokens, and one in which other servers may have the old list.
    before.clock.now += 7199
    expect((await after.provider.tick()).keys_retired).toBe(0)
    expect((await published(after)).map((key) => key.split(' ')[0])).toEqual(['RS256', 'ES256'])
    before.clock.now += 1
    expect((await after.provider.tick()).keys_retired).toBe(1)
    expect(await algorithmsOf(after)).toEqual(['RS256'])
    // A server that has just started counts from its own start.
    const again = await listed(['ES256', 'RS256'], before)
    await published(again)
    const fresh = await listed(['RS256'], before)
    expect((await fresh.provider.tick()).keys_retired).toBe(0)
  })

  it('revocation of a removed algorithm’s key makes no other key', async () => {
    const before = await listed(['ES256', 'RS256'])
    await published(before)
    const after = await listed(['RS256'], before)
    const keys = await management(after)
    const removed = (await keys.list()).find(({ alg }) => alg === 'ES256')
    expect(await keys.revoke(removed?.kid ?? '')).toBe(true)
    expect(await algorithmsOf(after)).toEqual(['RS256'])
  })
})
