/**
 * The number of statements per request: each is a round trip to the database. Metadata documents, private_key_jwt and DPoP are
 * on: for stored clients and requests without a proof they cost nothing.
 */

import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { type Client, createProvider, type OidcPrincipal, type Provider } from '@ostiary/core'
import { clientRecord } from '@ostiary/test-kit/client-record'
import { dpopKey, dpopProof } from '@ostiary/test-kit/dpop'
import { publishedDocuments } from '@ostiary/test-kit/published-documents'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Executor, postgresStorage, postgresStores } from '../src/index.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'

const ISSUER = 'https://id.example.com'
const REDIRECT_URI = 'https://app.example.com/callback'
const VERIFIER = 'a-code-verifier-that-is-long-enough-for-anyone'
const SECRET = 'a-secret-that-is-long-enough-for-anyone'
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')
const record = (client_id: string, fields: Partial<Client>): Client =>
  clientRecord({ client_id, redirect_uris: [REDIRECT_URI], trusted: true, ...fields })

const KEYS = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const DOCUMENT = {
  client_id: 'https://client.example.com/oauth.json',
  client_name: 'Client',
  redirect_uris: [REDIRECT_URI],
  token_endpoint_auth_method: 'none',
}

let database: OwnDatabase
let provider: Provider
let cookie = ''
const asked: string[] = []
const clock = { now: 1_800_000_000 }

const SESSION_AND_USER = 'oidc_session_browsers+oidc_session_clients+oidc_users+oidc_sessions'

/** The tables of each statement since the last call. */
const questions = () =>
  asked.splice(0).map((text) => [...new Set(text.match(/(?<=(from|into|update) )oidc_\w+/g))].join('+'))
/** Expires the client cache. The keys are read every 30 seconds, which does not count for a request. */
async function forgetClients(): Promise<void> {
  clock.now += 5
  await provider.fetch(new Request(`${ISSUER}/.well-known/jwks.json`))
  questions()
}

beforeAll(async () => {
  database = await migratedDatabase()
  const { executor } = database
  const counting: Executor = {
    ...executor,
    query: (text, params) => {
      asked.push(text)
      return executor.query(text, params)
    },
    transaction: (run) =>
      executor.transaction((tx) =>
        run({
          query: (text, params) => {
            asked.push(text)
            return tx.query(text, params)
          },
        }),
      ),
  }
  const documents = publishedDocuments()
  documents.put(DOCUMENT)
  const { storage, users } = postgresStores(counting)
  let return_to = ''
  provider = createProvider({
    oidc: {
      issuer: ISSUER,
      tokens: { refresh_token_grace: 0 },
      clients: { metadata_documents: { enabled: true }, token_exchange: true },
      dpop: 'on',
    },
    fetch_document: documents.fetch_document,
    secret: 'only-for-tests-only-for-tests-only-for-tests',
    storage,
    accounts: {
      find: async (sub, { id }, record) => ((await users(id).find(sub, record)) ? { sub, claims: {} } : null),
    },
    interactions: {
      login: async (prompt) => {
        return_to = prompt.return_to
        return new Response()
      },
    },
    now: () => clock.now,
  })
  const { clients, client_documents } = storage('default')
  const secret = {
    client_secret_hash: sha256(SECRET),
    token_endpoint_auth_method: 'client_secret_post',
  } as const
  await client_documents.put({
    client_id: DOCUMENT.client_id,
    document: JSON.stringify(DOCUMENT),
    etag: null,
    last_modified: null,
    fetched_at: clock.now - 1,
    fresh_until: clock.now,
    changed_at: 1,
    expires_at: clock.now + 3600,
  })
  await clients.create(record('app', {}))
  await clients.create(record('other', { trusted: false }))
  await clients.create(
    record('service', {
      ...secret,
      grant_types: ['client_credentials', 'authorization_code', 'refresh_token', EXCHANGE],
      allowed_exchange_audiences: [ISSUER],
    }),
  )
  await clients.create(
    record('signer', {
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [KEYS.publicKey.export({ format: 'jwk' })] },
      grant_types: ['client_credentials'],
    }),
  )
  await users('default').create({
    sub: 'ann',
    username: 'ann',
    username_key: 'ann',
    password_hash: null,
    claims: {},
    attributes: null,
    groups: null,
    created_at: 1,
    updated_at: 1,
    disabled_at: null,
    credential_version: 0,
    second_step: false,
  })
  await provider.fetch(authorization())
  const signedIn = await provider.login(new Request(`${ISSUER}/login`), {
    sub: 'ann',
    amr: ['pwd'],
    return_to,
  })
  cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  await code()
})
afterAll(() => database.drop())
beforeEach(forgetClients)

const authorization = (client_id = 'app') => {
  const url = new URL(`${ISSUER}/oauth/authorize`)
  const challenge = { code_challenge: sha256(VERIFIER), code_challenge_method: 'S256' }
  const query = { client_id, redirect_uri: REDIRECT_URI, response_type: 'code', scope: 'openid' }
  url.search = new URLSearchParams({ ...query, ...challenge }).toString()
  return new Request(url, { headers: { cookie } })
}
async function approve(client_id: string): Promise<void> {
  const approved = [{ resource: ISSUER, scopes: ['openid'] }]
  const { consents } = postgresStorage(database.executor)('default')
  await consents.merge({ sub: 'ann', client_id, approved }, clock.now)
}
async function code(client_id?: string): Promise<string> {
  const response = await provider.fetch(authorization(client_id))
  const found = new URL(response.headers.get('location') ?? '').searchParams.get('code')
  if (found === null) throw new Error(`No code: ${response.headers.get('location')}`)
  return found
}
async function post(
  path: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Record<string, string>> {
  const body = new URLSearchParams(form)
  const response = await provider.fetch(new Request(ISSUER + path, { method: 'POST', headers, body }))
  expect(response.status).toBe(200)
  return response.json()
}
const credentials = { client_id: 'service', client_secret: SECRET }
const clientCredentials = () => post('/oauth/token', { grant_type: 'client_credentials', ...credentials })
function assertion(): Record<string, string> {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { iss: 'signer', sub: 'signer', aud: ISSUER, jti: randomUUID(), exp: clock.now + 60 }
  const input = `${part({ alg: 'ES256' })}.${part(claims)}`
  const signature = sign('sha256', Buffer.from(input), { key: KEYS.privateKey, dsaEncoding: 'ieee-p1363' })
  return {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: `${input}.${signature.toString('base64url')}`,
  }
}
const redeem = (value: string, client: Record<string, string> = { client_id: 'app' }) => {
  const proof = { redirect_uri: REDIRECT_URI, code_verifier: VERIFIER }
  return post('/oauth/token', { grant_type: 'authorization_code', ...client, code: value, ...proof })
}
const refresh = (refresh_token: string) =>
  post('/oauth/token', { grant_type: 'refresh_token', client_id: 'app', refresh_token })
const guarded = async (token: string): Promise<OidcPrincipal['kind']> => {
  const request = new Request(`${ISSUER}/notes`, { headers: { authorization: `Bearer ${token}` } })
  const principal = await provider.guard().authenticate(request)
  if (principal instanceof Response) throw new Error(`${principal.status}`)
  return principal.kind
}

describe('Round trips', () => {
  it('client_credentials: none, and one to read the client', async () => {
    await clientCredentials()
    expect(questions()).toEqual(['oidc_clients'])
    await clientCredentials()
    expect(questions()).toEqual([])
  })

  it('private_key_jwt: one to store that the assertion is used', async () => {
    const token = () => post('/oauth/token', { grant_type: 'client_credentials', ...assertion() })
    await token()
    expect(questions()).toEqual(['oidc_clients', 'oidc_replays'])
    await token()
    expect(questions()).toEqual(['oidc_replays'])
  })

  it('DPoP: one to store that the proof is used', async () => {
    const form = { grant_type: 'client_credentials', ...credentials }
    const url = `${ISSUER}/oauth/token`
    const dpop = () => dpopProof(dpopKey(), { method: 'POST', url, now: clock.now })
    await post('/oauth/token', form, { dpop: dpop() })
    questions()
    await post('/oauth/token', form, { dpop: dpop() })
    expect(questions()).toEqual(['oidc_replays'])
  })

  it('authorize with a session: the session with the account, and the code with the checks', async () => {
    await code()
    questions()
    await code()
    expect(questions()).toEqual([
      SESSION_AND_USER,
      'oidc_sessions+oidc_session_clients+oidc_grants+oidc_authorization_codes',
    ])
  })

  it('with a consent: one more, to decide whether to ask', async () => {
    await approve('other')
    await code('other')
    questions()
    await code('other')
    expect(questions()).toEqual([
      SESSION_AND_USER,
      'oidc_consents',
      'oidc_sessions+oidc_consents+oidc_session_clients+oidc_grants+oidc_authorization_codes',
    ])
  })

  it('a client that its document describes: document and consent are read again after the code is stored', async () => {
    await approve(DOCUMENT.client_id)
    await code(DOCUMENT.client_id)
    questions()
    await code(DOCUMENT.client_id)
    expect(questions()).toEqual([
      'oidc_client_documents',
      SESSION_AND_USER,
      'oidc_client_documents',
      'oidc_consents',
      'oidc_grants+oidc_authorization_codes',
      SESSION_AND_USER,
      'oidc_client_documents',
      'oidc_consents',
    ])
  })

  it('code redemption: two, and one to read the client', async () => {
    const codes = [await code(), await code()]
    await forgetClients()
    const redemption = [
      'oidc_users+oidc_authorization_codes+oidc_grants',
      'oidc_grants+oidc_authorization_codes+oidc_refresh_tokens',
    ]
    await redeem(codes[0] ?? '')
    expect(questions()).toEqual(['oidc_clients', ...redemption])
    await redeem(codes[1] ?? '')
    expect(questions()).toEqual(redemption)
  })

  it('refresh: two, and one to read the client', async () => {
    const { refresh_token: one = '' } = await redeem(await code())
    await forgetClients()
    const { refresh_token: two = '' } = await refresh(one)
    const rotation = ['oidc_users+oidc_refresh_tokens+oidc_grants', 'oidc_grants+oidc_refresh_tokens']
    expect(questions()).toEqual(['oidc_clients', ...rotation])
    await refresh(two)
    expect(questions()).toEqual(rotation)
  })

  it("introspection: the grant with the account of a user's token, the revocations for a client's", async () => {
    const { access_token: own = '' } = await redeem(await code('service'), credentials)
    const { access_token: machine = '' } = await clientCredentials()
    questions()
    const active = async (token: string) =>
      (await post('/oauth/introspect', { ...credentials, token })).active
    expect(await active(own)).toBe(true)
    expect(questions()).toEqual(['oidc_users+oidc_grants'])
    expect(await active(machine)).toBe(true)
    expect(questions()).toEqual(['oidc_revoked_tokens'])
    await forgetClients()
    expect(await active(machine)).toBe(true)
    expect(questions().sort()).toEqual(['oidc_clients', 'oidc_revoked_tokens'])
  })

  it('token exchange, and the uses of an exchanged token: the grant with the account, and the revocations', async () => {
    const { access_token: subject_token = '' } = await redeem(await code('service'), credentials)
    const subject_token_type = 'urn:ietf:params:oauth:token-type:access_token'
    const exchange = { grant_type: EXCHANGE, subject_token, subject_token_type, audience: ISSUER }
    questions()
    const { access_token: token = '' } = await post('/oauth/token', { ...exchange, ...credentials })
    expect(questions()).toEqual(['oidc_users+oidc_grants'])
    const headers = { authorization: `Bearer ${token}` }
    for (const use of [
      () => post('/oauth/introspect', { ...credentials, token }),
      () => guarded(token),
      () => provider.fetch(new Request(`${ISSUER}/oauth/userinfo`, { headers })),
      () => post('/oauth/token', { ...exchange, subject_token: token, ...credentials }),
    ]) {
      await use()
      expect(questions().sort()).toEqual(['oidc_revoked_tokens', 'oidc_users+oidc_grants'])
    }
    await provider.fetch(
      new Request(`${ISSUER}/oauth/revoke`, {
        method: 'POST',
        body: new URLSearchParams({ ...credentials, token }),
      }),
    )
    expect(questions()).toEqual(['oidc_revoked_tokens'])
  })

  it('UserInfo: the grant with the account', async () => {
    const { access_token = '' } = await redeem(await code())
    questions()
    const headers = { authorization: `Bearer ${access_token}` }
    const response = await provider.fetch(new Request(`${ISSUER}/oauth/userinfo`, { headers }))
    expect(response.status).toBe(200)
    expect(questions()).toEqual(['oidc_users+oidc_grants'])
  })

  it('introspection of a refresh token: the token with its grant and the account', async () => {
    const { refresh_token = '' } = await redeem(await code('service'), credentials)
    questions()
    const form = { ...credentials, token: refresh_token, token_type_hint: 'refresh_token' }
    expect((await post('/oauth/introspect', form)).active).toBe(true)
    expect(questions()).toEqual(['oidc_users+oidc_refresh_tokens+oidc_grants'])
  })

  it("the guard: the grant with the account for a user's token, the revocations for a client's", async () => {
    const { access_token: own = '' } = await redeem(await code())
    const { access_token: machine = '' } = await clientCredentials()
    questions()
    expect(await guarded(own)).toBe('user')
    expect(questions()).toEqual(['oidc_users+oidc_grants'])
    expect(await guarded(machine)).toBe('client')
    expect(questions()).toEqual(['oidc_revoked_tokens'])
    await forgetClients()
    expect(await guarded(machine)).toBe('client')
    expect(questions()).toEqual(['oidc_revoked_tokens', 'oidc_clients'])
    // Its mark may have ended the grant: once in five seconds, in the same turn as the grant.
    await forgetClients()
    expect(await guarded(own)).toBe('user')
    expect(questions().sort()).toEqual(['oidc_clients', 'oidc_users+oidc_grants'])
    expect(await guarded(own)).toBe('user')
    expect(questions()).toEqual(['oidc_users+oidc_grants'])
  })
})
