import { eventually } from '@ostiary/test-kit/eventually'
import { person } from '@ostiary/test-kit/person'
import {
  type Callback,
  CLIENT_SECRET,
  callbackServer,
  configFor,
  DEFAULT_KEYS,
  PASSWORD,
  SECRET,
  type ServerProcess,
  startServer,
  USERNAME,
} from '@ostiary/test-kit/server'
import * as client from 'openid-client'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { prepare, STORAGES, type StorageName } from './storages.ts'

let server: ServerProcess
let callback: Callback

function withServer(storage: StorageName): void {
  beforeAll(async () => {
    callback = await callbackServer()
    const { env, remove } = await prepare(storage)
    const config = configFor(callback.url, DEFAULT_KEYS)
    server = await startServer({ config, env: { OIDC_SECRET: SECRET, ...env } })
    return async () => {
      await callback.close()
      await server.stop()
      await remove()
    }
  })
}

/** The library refuses plain http unless it is allowed explicitly. */
const execute = [client.allowInsecureRequests]

/** Discovery, the code flow with PKCE, and the tokens. */
async function codeFlow(
  config: client.Configuration,
  parameters: Record<string, string> = {},
  ann = person(server.issuer),
) {
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const expectedState = client.randomState()
  const expectedNonce = client.randomNonce()
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: callback.url,
    scope: 'openid profile email',
    state: expectedState,
    nonce: expectedNonce,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    ...parameters,
  })
  const signIn = await ann.open(url)
  expect(signIn.html).toContain('Sign in')
  let page = await ann.submit(signIn, { username: USERNAME, password: PASSWORD })
  // Consent is asked for once.
  if (page.url.origin === server.issuer) page = await ann.submit(page)
  return client.authorizationCodeGrant(config, page.url, { pkceCodeVerifier, expectedState, expectedNonce })
}

/** Each storage is tested with one of the servers; `test:long` has it with the other one. */
const IN_SHORT = {
  node: ['embedded', 'postgres'],
  bun: ['memory', 'postgres and redis'],
} as const
const SHORT: readonly string[] = IN_SHORT[inject('server') ?? 'node']
const LONG = process.env.OSTIARY_LONG === '1'
const TESTED = STORAGES.filter((storage) => SHORT.includes(storage) !== LONG)

describe.each(TESTED)('openid-client, unmodified, over a real socket, records in %s', (storage) => {
  withServer(storage)

  it.each([
    ['a public client', 'notes', client.None()],
    ['a confidential client', 'backend', client.ClientSecretPost(CLIENT_SECRET)],
  ])(
    '%s completes discovery, code flow with PKCE, UserInfo and refresh',
    async (_, client_id, authentication) => {
      const config = await client.discovery(new URL(server.issuer), client_id, undefined, authentication, {
        execute,
      })
      const tokens = await codeFlow(config)
      const claims = tokens.claims()
      expect(claims).toMatchObject({ iss: server.issuer, aud: client_id, name: 'Ann Example', amr: ['pwd'] })
      expect(tokens).toMatchObject({
        token_type: 'bearer',
        scope: 'openid profile email',
        // A second may have passed.
        expires_in: expect.closeTo(900, -1),
      })

      const sub = claims?.sub ?? ''
      expect(await client.fetchUserInfo(config, tokens.access_token, sub)).toMatchObject({
        sub,
        name: 'Ann Example',
        preferred_username: USERNAME,
        email: 'ann@example.com',
        email_verified: true,
      })

      const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
      expect(refreshed.claims()?.sub).toBe(sub)
      expect(refreshed.refresh_token).not.toBe(tokens.refresh_token)
      expect(await client.fetchUserInfo(config, refreshed.access_token, sub)).toMatchObject({ sub })
    },
  )

  it('is told that a refresh token was reused, and the new one is revoked too', async () => {
    const config = await client.discovery(new URL(server.issuer), 'notes', undefined, client.None(), {
      execute,
    })
    const { refresh_token = '' } = await codeFlow(config)
    const next = await client.refreshTokenGrant(config, refresh_token)
    for (const token of [refresh_token, next.refresh_token ?? ''])
      await expect(client.refreshTokenGrant(config, token)).rejects.toMatchObject({ error: 'invalid_grant' })
    await eventually(() => expect(server.logged('refresh_token.reused')).toHaveLength(1))
  })

  it('gets a token for the requested resource', async () => {
    const config = await client.discovery(new URL(server.issuer), 'notes', undefined, client.None(), {
      execute,
    })
    const resource = `${server.issuer}/api/notes`
    const tokens = await codeFlow(config, { resource, scope: 'openid notes.read' })
    const [, payload = ''] = tokens.access_token.split('.')
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({ aud: resource })
    expect(tokens.scope).toBe('openid notes.read')
  })

  it('a confidential client gets a client-credentials token, introspects it, and revokes it', async () => {
    const authentication = client.ClientSecretPost(CLIENT_SECRET)
    const config = await client.discovery(new URL(server.issuer), 'backend', undefined, authentication, {
      execute,
    })
    const { access_token } = await client.clientCredentialsGrant(config)
    expect(await client.tokenIntrospection(config, access_token)).toMatchObject({
      active: true,
      client_id: 'backend',
    })
    await client.tokenRevocation(config, access_token)
    expect(await client.tokenIntrospection(config, access_token)).toEqual({ active: false })
  })

  it('ends the session: the refresh token is revoked, and the next authorization requires a login', async () => {
    const config = await client.discovery(new URL(server.issuer), 'notes', undefined, client.None(), {
      execute,
    })
    const ann = person(server.issuer)
    const tokens = await codeFlow(config, {}, ann)
    const end = client.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: callback.url,
      state: 'bye',
    })
    expect((await ann.open(end)).url.href).toBe(`${callback.url}?state=bye`)
    await expect(client.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    const parameters = { redirect_uri: callback.url, scope: 'openid', prompt: 'none', state: 'again' }
    const challenge = await client.calculatePKCECodeChallenge(client.randomPKCECodeVerifier())
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
    const { url } = await ann.open(client.buildAuthorizationUrl(config, { ...parameters, ...pkce }))
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ error: 'login_required', state: 'again' })
  })
})
