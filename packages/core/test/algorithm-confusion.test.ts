/**
 * Algorithm confusion (RFC 8725 §2.1, §3.1): tokens of all pairs of header and key are refused alike by the guard, by the three
 * modes of a resource server elsewhere, and as id_token_hint. Only the published key's own algorithm verifies.
 */

import {
  constants,
  createHmac,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  type SignKeyObjectInput,
  sign,
} from 'node:crypto'
import type { SigningAlgorithm } from '@ostiary/core'
import { createResourceServer } from '@ostiary/resource-server'
import { beforeAll, describe, expect, it } from 'vitest'
import { openPrivateKey } from '../src/crypto/keys.js'
import { deriveSecrets } from '../src/crypto/secrets.js'
import { answer, CLIENT_SECRET, client, payload, redeem, SECRET, type World, world } from './support.js'

const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const
const HEADERS = [...ALGORITHMS, 'Ed25519'] as const
const MODES = ['jwks', 'introspection', 'both'] as const
const VERIFIERS = ['the guard', ...MODES, 'id_token_hint'] as const
const RESOURCE = 'https://id.example.com/mcp'

interface Key {
  kid: string
  alg: SigningAlgorithm
  private_key: KeyObject
}
type Keys = Record<SigningAlgorithm, Key>

interface Row {
  name: string
  /** The token, from the claims of a good one. */
  make(keys: Keys, typ: string, claims: object): string
}

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const PSS = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }

/** How the header's algorithm signs with this key, or, where the key cannot, how the key's own does. */
function signature(header_alg: string, { alg, private_key: key }: Key, input: string): Buffer {
  const is_rsa = key.asymmetricKeyType === 'rsa'
  const used = is_rsa && header_alg.endsWith('S256') && header_alg !== 'ES256' ? header_alg : alg
  const bytes = Buffer.from(input)
  if (used === 'EdDSA') return sign(null, bytes, key)
  if (used === 'ES256') return sign('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' })
  return sign('sha256', bytes, used === 'PS256' ? { key, ...PSS } : key)
}

const signed =
  (alg: string, kid: SigningAlgorithm, by: SigningAlgorithm): Row['make'] =>
  (keys, typ, claims) => {
    const input = `${part({ alg, typ, kid: keys[kid].kid })}.${part(claims)}`
    return `${input}.${signature(alg, keys[by], input).toString('base64url')}`
  }

/** Signed by the right key, in another form. */
const inForm =
  (alg: SigningAlgorithm, options: Omit<SignKeyObjectInput, 'key'>): Row['make'] =>
  (keys, typ, claims) => {
    const { kid, private_key: key } = keys[alg]
    const input = `${part({ alg, typ, kid })}.${part(claims)}`
    return `${input}.${sign('sha256', Buffer.from(input), { key, ...options }).toString('base64url')}`
  }

const secretsOf = ({ private_key }: Key): [string, string | Buffer][] => {
  const key = createPublicKey(private_key)
  const { n, x } = key.export({ format: 'jwk' })
  return [
    ['the JWK', JSON.stringify(key.export({ format: 'jwk' }))],
    ['the PEM', key.export({ format: 'pem', type: 'spki' })],
    ['the DER', key.export({ format: 'der', type: 'spki' })],
    ['the modulus or coordinate', Buffer.from(String(n ?? x), 'base64url')],
  ]
}

const isGood = (alg: string, kid: SigningAlgorithm, by: SigningAlgorithm): boolean =>
  kid === by && (alg === kid || (alg === 'Ed25519' && kid === 'EdDSA'))

const pairs = HEADERS.flatMap((alg) =>
  ALGORITHMS.flatMap((kid) => ALGORITHMS.map((by) => [alg, kid, by] as const)),
)
const GOOD: Row[] = pairs
  .filter((pair) => isGood(...pair))
  .map(([alg, kid, by]) => ({ name: `${alg} by its own key`, make: signed(alg, kid, by) }))
const BAD: Row[] = [
  ...pairs
    .filter((pair) => !isGood(...pair))
    .map(([alg, kid, by]) => ({
      name: `alg ${alg}, the kid of the ${kid} key, signed with the ${by} key`,
      make: signed(alg, kid, by),
    })),
  ...ALGORITHMS.flatMap((kid) => [
    ...['HS256', 'HS512'].flatMap((alg) =>
      [0, 1, 2, 3].map((which) => ({
        name: `${alg} with the public ${kid} key as the secret (form ${which})`,
        make: (keys: Keys, typ: string, claims: object) => {
          const input = `${part({ alg, typ, kid: keys[kid].kid })}.${part(claims)}`
          const [, secret = ''] = secretsOf(keys[kid])[which] ?? []
          return `${input}.${createHmac(alg.replace('HS', 'sha'), secret).update(input).digest('base64url')}`
        },
      })),
    ),
    ...['none', 'None', 'NONE', 'ES256K', 'RS512', 'EdDSA ', 'ed25519', ''].map((alg) => ({
      name: `alg ${JSON.stringify(alg)}, the kid of the ${kid} key`,
      make: signed(alg, kid, kid),
    })),
    {
      name: `alg none without a signature, the kid of the ${kid} key`,
      make: (keys: Keys, typ: string, claims: object) =>
        `${part({ alg: 'none', typ, kid: keys[kid].kid })}.${part(claims)}.`,
    },
  ]),
  { name: 'an ES256 signature in DER', make: inForm('ES256', { dsaEncoding: 'der' }) },
  ...[0, 20, 31, 33, 64, constants.RSA_PSS_SALTLEN_MAX_SIGN].map((saltLength) => ({
    name: `a PS256 signature with a salt of ${saltLength} bytes`,
    make: inForm('PS256', { ...PSS, saltLength }),
  })),
]

async function keysOf(w: World): Promise<Keys> {
  const { seals } = await deriveSecrets(SECRET)
  const opened = (await w.storage(w.realm).keys.list()).map(async (record) => {
    const { pkcs8 } = await openPrivateKey(record, w.realm, seals)
    const private_key = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' })
    return [record.alg, { kid: record.kid, alg: record.alg, private_key }] as const
  })
  return Object.fromEntries(await Promise.all(opened)) as Keys
}

/** What answers 'accepted' or how the token was refused. */
type Ask = (token: string) => Promise<string>

function verifiers(w: World): Record<(typeof VERIFIERS)[number], Ask> {
  const request = (token: string) =>
    new Request('https://api.example.com/things', { headers: { authorization: `Bearer ${token}` } })
  const seen = async (result: unknown) =>
    result instanceof Response ? `${result.status} ${await result.text()}` : 'accepted'
  const guard = w.provider.guard({ realm: w.realm, resource: 'mcp' })
  const elsewhere = (mode: (typeof MODES)[number]): Ask => {
    const server = createResourceServer({
      issuer: w.issuer,
      resource: RESOURCE,
      mode,
      fetch: async (input, init) => w.provider.fetch(new Request(input, init)),
      now: () => w.clock.now,
      timeout_seconds: 60,
      ...(mode !== 'jwks' && { introspection: { client_id: RESOURCE, client_secret: CLIENT_SECRET } }),
    })
    return async (token) => seen(await server.authenticate(request(token)))
  }
  const browser = w.browser()
  return {
    'the guard': async (token) => seen(await guard.authenticate(request(token))),
    jwks: elsewhere('jwks'),
    introspection: elsewhere('introspection'),
    both: elsewhere('both'),
    async id_token_hint(token) {
      const { error } = answer(await browser.authorize({ id_token_hint: token, prompt: 'none' }))
      // There is no session, so the answer to a valid hint is login_required.
      return error === 'login_required' ? 'accepted' : String(error)
    },
  }
}

describe('Algorithm confusion', () => {
  let [ask, keys] = [] as unknown as [ReturnType<typeof verifiers>, Keys]
  const claims = { access: {} as object, id: {} as object }
  beforeAll(async () => {
    const w = await world({
      oidc: { keys: { algorithms: [...ALGORITHMS] }, resources: { mcp: { scopes: [] } } },
      clients: [
        await client({ trusted: true }),
        await client({
          client_id: RESOURCE,
          client_secret: CLIENT_SECRET,
          token_endpoint_auth_method: 'client_secret_basic',
        }),
      ],
    })
    const { body } = await redeem(w, (await w.browser().code({ resource: RESOURCE })).code)
    claims.access = payload(body.access_token)
    claims.id = payload(body.id_token)
    keys = await keysOf(w)
    ask = verifiers(w)
  })
  const asked = async (verifier: (typeof VERIFIERS)[number], rows: readonly Row[]) => {
    const results: string[] = []
    for (const { name, make } of rows) {
      const is_hint = verifier === 'id_token_hint'
      const token = is_hint ? make(keys, 'JWT', claims.id) : make(keys, 'at+jwt', claims.access)
      results.push(`${name}: ${await ask[verifier](token)}`)
    }
    return results
  }

  it('the table has all pairs, each once', () => {
    expect([GOOD.length, BAD.length]).toEqual([5, 75 + 4 * 17 + 7])
    expect(new Set(BAD.map(({ name }) => name)).size).toBe(BAD.length)
  })

  it.each(VERIFIERS)('%s accepts the algorithm of each key', async (verifier) => {
    expect(await asked(verifier, GOOD)).toEqual(GOOD.map(({ name }) => `${name}: accepted`))
  })

  it.each(VERIFIERS)('%s refuses every other pair', async (verifier) => {
    const refusal = verifier === 'id_token_hint' ? 'invalid_request' : '401 {"error":"invalid_token"}'
    expect(await asked(verifier, BAD)).toEqual(BAD.map(({ name }) => `${name}: ${refusal}`))
  })
})
