/** `provider.guard()`: bearer token validation (RFC 9068 §4), the principal, the audience check and the scope check. */

import type { OidcPrincipal } from '@ostiary/core'
import { exportSPKI, generateKeyPair, SignJWT } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { openSigningKey } from '../src/crypto/keys.js'
import { deriveSecrets } from '../src/crypto/secrets.js'
import {
  bearer,
  CLIENT_SECRET,
  client,
  elsewhere,
  header,
  payload,
  redeem,
  type TokenAnswer,
  tokens,
  type World,
  world,
} from './support.js'

/** As in support.ts: it opens the realm's key. */
const secret = 'only-for-tests-only-for-tests-only-for-tests'
const EXTERNAL = 'https://api.example.net'

describe.each(['single', 'path'] as const)('The oidc guard (realms by %s)', (routing) => {
  let w: World
  let own: TokenAnswer['body']
  beforeEach(async () => {
    w = await world({
      routing,
      oidc: {
        resources: { '': { scopes: [] }, 'mcp/v1': { scopes: ['tools'] }, [EXTERNAL]: { scopes: ['read'] } },
      },
      clients: [
        await client(),
        await client({
          client_id: 'service',
          client_secret: CLIENT_SECRET,
          grant_types: ['client_credentials'],
        }),
      ],
    })
    own = (await redeem(w, (await w.browser().code()).code)).body
  })
  const root = 'https://id.example.com/.well-known/oauth-protected-resource'
  const metadata = routing === 'path' ? `${root}/realms/acme` : root
  const realm = routing === 'path' ? 'acme' : 'default'

  const request = (token?: string) =>
    new Request('https://api.example.com/things', token === undefined ? {} : { headers: bearer(token) })
  const machine = async (form: Record<string, string> = {}) => {
    const service = { client_id: 'service', client_secret: CLIENT_SECRET }
    return (await tokens(w, { grant_type: 'client_credentials', ...service, ...form })).body.access_token
  }
  async function authenticate(token?: string): Promise<OidcPrincipal> {
    const principal = await w.provider.guard({ realm }).authenticate(request(token))
    if (principal instanceof Response) throw new Error(`refused with ${principal.status}`)
    return principal
  }
  async function expectRefused(token: string, reason?: string) {
    const refused = await w.provider.guard({ realm }).authenticate(request(token))
    if (!(refused instanceof Response)) throw new Error('accepted')
    expect([refused.status, await refused.text()]).toEqual([401, '{"error":"invalid_token"}'])
    expect(refused.headers.get('www-authenticate')).toBe(
      `Bearer realm="${realm}", error="invalid_token", resource_metadata="${metadata}"`,
    )
    const event = w.events.findLast(({ type }) => type === 'bearer.refused')
    expect(event).toMatchObject({ error: 'invalid_token', ...(reason && { reason }) })
  }

  /** What the realm itself could have signed, with these changes to a token of its own; undefined leaves a claim out. */
  async function forged(changes: object, head: object = {}): Promise<string> {
    const [record] = await w.storage(realm).keys.list()
    if (!record) throw new Error('The realm has no key')
    const { private_key } = await openSigningKey(record, {
      realm,
      seals: [(await deriveSecrets(secret)).seal],
    })
    const protectedHeader = { ...header(own.access_token), alg: 'RS256', ...head }
    const claims = { ...payload(own.access_token), ...changes }
    return new SignJWT(claims).setProtectedHeader(protectedHeader).sign(private_key)
  }

  it('accepts a token minted without a resource: it is addressed to the issuer', async () => {
    expect((await authenticate(own.access_token)).currentAccessToken().audience).toEqual([w.issuer])
  })

  it.each<[string, object, object]>([
    ['nothing is changed', {}, {}],
    ['typ with the media type in full', {}, { typ: 'application/at+jwt' }],
    ['a list of audiences that names the issuer', { aud: [EXTERNAL, 'ISSUER'] }, {}],
    ['no nbf', { nbf: undefined }, {}],
  ])('accepts: %s', async (_, changes, head) => {
    const text = JSON.stringify(changes).replace('ISSUER', w.issuer)
    const nbf = 'nbf' in changes ? { nbf: undefined } : {}
    const principal = await authenticate(await forged({ ...JSON.parse(text), ...nbf }, head))
    expect(principal.getAuthIdentifier()).toBe('alice')
  })

  describe("1. signature, against the service's own JWKS", () => {
    it('refuses the signature of another key under the issuer’s kid', async () => {
      const { privateKey } = await generateKeyPair('RS256')
      const protectedHeader = { ...header(own.access_token), alg: 'RS256' }
      const token = await new SignJWT(payload(own.access_token))
        .setProtectedHeader(protectedHeader)
        .sign(privateKey)
      await expectRefused(token, 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED')
    })
    it.each([
      ['an unknown kid', 'unknown'],
      ['no kid', undefined],
    ])('refuses %s', async (_, kid) => {
      await expectRefused(await forged({}, { kid }), 'unknown_key')
    })
    it('refuses alg none', async () => {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const unsigned = part({ ...header(own.access_token), alg: 'none' })
      await expectRefused(`${unsigned}.${part(payload(own.access_token))}.`, 'ERR_JOSE_ALG_NOT_ALLOWED')
    })
    it('refuses HS256 with the public key as the secret', async () => {
      const [record] = await w.storage(realm).keys.list()
      if (!record) throw new Error('The realm has no key')
      const opened = await openSigningKey(record, { realm, seals: [(await deriveSecrets(secret)).seal] })
      const jwk = new TextEncoder().encode(JSON.stringify(opened.jwk))
      const spki = new TextEncoder().encode(await exportSPKI(await extractable(opened.jwk)))
      for (const key of [jwk, spki]) {
        const protectedHeader = { ...header(own.access_token), alg: 'HS256' }
        const token = await new SignJWT(payload(own.access_token))
          .setProtectedHeader(protectedHeader)
          .sign(key)
        await expectRefused(token, 'ERR_JOSE_ALG_NOT_ALLOWED')
      }
    })
    it('refuses a changed payload', async () => {
      const [head, , signature] = own.access_token.split('.')
      const claims = Buffer.from(JSON.stringify({ ...payload(own.access_token), sub: 'bob' })).toString(
        'base64url',
      )
      await expectRefused(`${head}.${claims}.${signature}`)
    })
  })

  const CLAIM = 'ERR_JWT_CLAIM_VALIDATION_FAILED'
  it.each<[string, string, object, object?]>([
    ['2. iss: another issuer', CLAIM, { iss: 'https://evil.example.org' }],
    ['2. iss: ours with a slash', CLAIM, { iss: 'ISSUER/' }],
    ['2. iss: none', CLAIM, { iss: undefined }],
    ['3. typ: JWT', CLAIM, {}, { typ: 'JWT' }],
    ['3. typ: logout+jwt', CLAIM, {}, { typ: 'logout+jwt' }],
    ['3. typ: none', CLAIM, {}, { typ: undefined }],
    ['4. expiry: none', CLAIM, { exp: undefined }],
    ['4. expiry: not a number', CLAIM, { exp: 'never' }],
    ['4. not yet valid', CLAIM, { nbf: 1_800_000_001 }],
    ['5. revocation: a missing grant counts as revoked', 'revoked_token', { jti: 'gone.abc' }],
    ['6. audience: an external resource server', 'wrong_audience', { aud: EXTERNAL }],
    ['6. audience: a resource that is not registered', 'wrong_audience', { aud: 'ISSUER/mcp' }],
    ['6. audience: a client id', 'wrong_audience', { aud: 'app' }],
    ['6. audience: the issuer with a slash', 'wrong_audience', { aud: 'ISSUER/' }],
    ['6. audience: the empty list', 'wrong_audience', { aud: [] }],
    ['6. audience: none', CLAIM, { aud: undefined }],
    ['a malformed audience', 'malformed_claims', { aud: ['ISSUER', 7] }],
    ['a malformed scope', 'malformed_claims', { scope: ['openid'] }],
    ['a sub that is no string', 'malformed_claims', { sub: 7 }],
    ['no sub', CLAIM, { sub: undefined }],
    ['no client_id', CLAIM, { client_id: undefined }],
    ['no jti', CLAIM, { jti: undefined }],
    ['no iat', CLAIM, { iat: undefined }],
    ['an unknown user', 'unknown_user', { sub: 'mallory' }],
    [
      'a userless token of an unknown client',
      'revoked_client',
      { sub: 'ghost', client_id: 'ghost', jti: 'random' },
    ],
  ])('refuses %s', async (...[_, reason, changes, head = {}]) => {
    const left_out = Object.fromEntries(Object.entries(changes).filter(([, value]) => value === undefined))
    const filled = JSON.parse(JSON.stringify(changes).replace('ISSUER', w.issuer))
    await expectRefused(await forged({ ...filled, ...left_out }, head), reason)
  })

  it('refuses an ID token and a refresh token', async () => {
    await expectRefused(own.id_token)
    await expectRefused(own.refresh_token)
  })

  it('4. expiry: valid until the second before exp, without leeway', async () => {
    w.clock.now += 899
    await authenticate(own.access_token)
    w.clock.now += 1
    await expectRefused(own.access_token, 'ERR_JWT_EXPIRED')
  })

  it("5. revocation, against the service's own token store", async () => {
    const userless = await machine()
    await w.post('/oauth/revoke', { client_id: 'app', token: own.access_token })
    await w.post('/oauth/revoke', { client_id: 'service', client_secret: CLIENT_SECRET, token: userless })
    await expectRefused(own.access_token, 'revoked_token')
    await expectRefused(userless, 'revoked_token')
  })

  it('6. audience: a resource registered under oidc.resources', async () => {
    const token = await machine({ resource: `${w.issuer}/mcp/v1`, scope: 'tools' })
    expect((await authenticate(token)).tokenCan('tools')).toBe(true)
    await expectRefused(await machine({ resource: EXTERNAL }), 'wrong_audience')
  })

  it('rejects a token for an unknown user', async () => {
    w.accounts.delete('alice')
    await expectRefused(own.access_token, 'unknown_user')
  })

  it("rejects a userless token whose client is revoked; a user's token of a revoked client stays valid", async () => {
    const userless = await machine()
    await authenticate(userless)
    for (const id of ['service', 'app']) await elsewhere(w, (clients) => clients.revoke(id, w.clock.now))
    await expectRefused(userless, 'revoked_client')
    expect((await authenticate(own.access_token)).kind).toBe('user')
  })

  it('without a token: 401, no body, no error in the challenge', async () => {
    const refused = await w.provider.guard({ realm }).authenticate(request())
    if (!(refused instanceof Response)) throw new Error('accepted')
    expect([refused.status, await refused.text()]).toEqual([401, ''])
    expect(refused.headers.get('www-authenticate')).toBe(
      `Bearer realm="${realm}", resource_metadata="${metadata}"`,
    )
  })
})

const extractable = (jwk: JsonWebKey) =>
  crypto.subtle.importKey('jwk', jwk, { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, true, ['verify'])
