/** Real client libraries with the provider in the same process. They validate every answer themselves. */

import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { describe, expect, it } from 'vitest'
import { CLIENT_SECRET, client, REDIRECT_URI, type World, world } from './support.js'

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'

/** `app` is public, `service` is confidential and may exchange tokens for the API. */
async function clientWorld(): Promise<World & { api: string }> {
  const service = await client({
    client_id: 'service',
    client_secret: CLIENT_SECRET,
    token_endpoint_auth_method: 'client_secret_basic',
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials', EXCHANGE],
    allowed_exchange_audiences: ['https://id.example.com/api'],
  })
  const w = await world({
    // Their clock is the real one.
    now: () => Math.floor(Date.now() / 1000),
    clients: [await client(), service],
    oidc: {
      resources: { api: { scopes: ['read'] } },
      clients: { token_exchange: true, registration: { enabled: true } },
    },
  })
  return { ...w, api: `${w.issuer}/api` }
}

describe('oauth4webapi', () => {
  async function connected() {
    const w = await clientWorld()
    const options = {
      [oauth.customFetch]: (url: string, init: oauth.CustomFetchOptions<string, unknown>) =>
        w.provider.fetch(new Request(url, init as RequestInit)),
    }
    const issuer = new URL(w.issuer)
    const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options))
    return { w, options, as }
  }

  it('completes discovery, the code flow with PKCE, UserInfo and refresh', async () => {
    const { w, options, as } = await connected()
    const app: oauth.Client = { client_id: 'app' }
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const nonce = oauth.generateRandomNonce()
    const code_challenge = await oauth.calculatePKCECodeChallenge(verifier)
    const browser = w.browser()
    await browser.authorize({ state, nonce, code_challenge, max_age: '60' })
    await browser.signIn()
    const approved = await browser.approve()
    const callback = oauth.validateAuthResponse(
      as,
      app,
      new URL(approved.headers.get('location') ?? ''),
      state,
    )

    const none = oauth.None()
    const granted = await oauth.processAuthorizationCodeResponse(
      as,
      app,
      await oauth.authorizationCodeGrantRequest(as, app, none, callback, REDIRECT_URI, verifier, options),
      { expectedNonce: nonce, maxAge: 60, requireIdToken: true },
    )
    const claims = oauth.getValidatedIdTokenClaims(granted)
    expect(claims).toMatchObject({ iss: w.issuer, sub: 'alice', aud: 'app', name: 'Alice Adams' })

    const info = await oauth.processUserInfoResponse(
      as,
      app,
      'alice',
      await oauth.userInfoRequest(as, app, granted.access_token, options),
    )
    expect(info).toMatchObject({ sub: 'alice', email: 'alice@example.com', email_verified: true })

    const refreshed = await oauth.processRefreshTokenResponse(
      as,
      app,
      await oauth.refreshTokenGrantRequest(as, app, none, granted.refresh_token ?? '', options),
    )
    expect(refreshed.access_token).not.toBe(granted.access_token)
    expect(refreshed.refresh_token).not.toBe(granted.refresh_token)
    expect(oauth.getValidatedIdTokenClaims(refreshed)?.nonce).toBeUndefined()
  })

  it('completes client credentials, token exchange, introspection and revocation', async () => {
    const { w, options, as } = await connected()
    const service: oauth.Client = { client_id: 'service' }
    const auth = oauth.ClientSecretBasic(CLIENT_SECRET)
    const machine = await oauth.processClientCredentialsResponse(
      as,
      service,
      await oauth.clientCredentialsGrantRequest(
        as,
        service,
        auth,
        { scope: 'read', resource: w.api },
        options,
      ),
    )
    expect(machine.scope).toBe('read')

    const form = {
      subject_token: machine.access_token,
      subject_token_type: ACCESS_TOKEN,
      audience: w.api,
    }
    const exchanged = await oauth.processGenericTokenEndpointResponse(
      as,
      service,
      await oauth.genericTokenEndpointRequest(as, service, auth, EXCHANGE, form, options),
    )
    expect(exchanged).toMatchObject({ issued_token_type: ACCESS_TOKEN, scope: 'read' })

    const introspect = async () =>
      oauth.processIntrospectionResponse(
        as,
        service,
        await oauth.introspectionRequest(as, service, auth, exchanged.access_token, options),
      )
    expect(await introspect()).toMatchObject({ active: true, aud: [w.api], client_id: 'service' })
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(as, service, auth, exchanged.access_token, options),
    )
    expect(await introspect()).toEqual({ active: false })
  })

  it('validates an access token as a resource server, and registers a client', async () => {
    const { w, options, as } = await connected()
    const service: oauth.Client = { client_id: 'service' }
    const machine = await oauth.processClientCredentialsResponse(
      as,
      service,
      await oauth.clientCredentialsGrantRequest(
        as,
        service,
        oauth.ClientSecretBasic(CLIENT_SECRET),
        { scope: 'read', resource: w.api },
        options,
      ),
    )
    const request = new Request(w.api, { headers: { authorization: `Bearer ${machine.access_token}` } })
    const claims = await oauth.validateJwtAccessToken(as, request, w.api, options)
    expect(claims).toMatchObject({ sub: 'service', client_id: 'service', scope: 'read' })

    const registered = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(as, { redirect_uris: [REDIRECT_URI] }, options),
    )
    expect(registered).toMatchObject({
      client_name: 'client.example.com',
      token_endpoint_auth_method: 'none',
    })
  })

  it('finds the protected resource’s metadata', async () => {
    const { w, options } = await connected()
    const resource = new URL(w.api)
    const metadata = await oauth.processResourceDiscoveryResponse(
      resource,
      await oauth.resourceDiscoveryRequest(resource, options),
    )
    expect(metadata).toMatchObject({ resource: w.api, authorization_servers: [w.issuer] })
  })
})

describe('openid-client', () => {
  async function configured(w: World, client_id: string, auth: openid.ClientAuth) {
    const customFetch = (url: string, init: RequestInit) => w.provider.fetch(new Request(url, init))
    const options = { [openid.customFetch]: customFetch as openid.CustomFetch }
    return openid.discovery(new URL(w.issuer), client_id, undefined, auth, options)
  }

  it('completes discovery, the code flow with PKCE, UserInfo, refresh and the end of the session', async () => {
    const w = await clientWorld()
    const config = await configured(w, 'app', openid.None())
    const pkceCodeVerifier = openid.randomPKCECodeVerifier()
    const expectedState = openid.randomState()
    const expectedNonce = openid.randomNonce()
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT_URI,
      scope: 'openid profile',
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
      nonce: expectedNonce,
    })
    const browser = w.browser()
    await browser.get(url.href)
    await browser.signIn()
    const approved = await browser.approve()
    const granted = await openid.authorizationCodeGrant(
      config,
      new URL(approved.headers.get('location') ?? ''),
      {
        pkceCodeVerifier,
        expectedState,
        expectedNonce,
        idTokenExpected: true,
      },
    )
    expect(granted.claims()).toMatchObject({ sub: 'alice', name: 'Alice Adams' })
    const info = await openid.fetchUserInfo(config, granted.access_token, 'alice')
    expect(info).toEqual({ sub: 'alice', name: 'Alice Adams', given_name: 'Alice' })
    const refreshed = await openid.refreshTokenGrant(config, granted.refresh_token ?? '')
    expect(refreshed.refresh_token).not.toBe(granted.refresh_token)

    const logout = openid.buildEndSessionUrl(config, { id_token_hint: refreshed.id_token ?? '' })
    expect((await browser.get(logout.href)).status).toBe(200)
    await expect(openid.refreshTokenGrant(config, refreshed.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })

  it('completes client credentials, token exchange, introspection and revocation', async () => {
    const w = await clientWorld()
    const config = await configured(w, 'service', openid.ClientSecretBasic(CLIENT_SECRET))
    const machine = await openid.clientCredentialsGrant(config, { scope: 'read', resource: w.api })
    const exchanged = await openid.genericGrantRequest(config, EXCHANGE, {
      subject_token: machine.access_token,
      subject_token_type: ACCESS_TOKEN,
      audience: w.api,
    })
    const introspected = await openid.tokenIntrospection(config, exchanged.access_token)
    expect(introspected).toMatchObject({ active: true, aud: [w.api] })
    expect(introspected.sub).toBeUndefined()
    await openid.tokenRevocation(config, exchanged.access_token)
    expect(await openid.tokenIntrospection(config, exchanged.access_token)).toEqual({ active: false })
    expect(await openid.tokenIntrospection(config, machine.access_token)).toMatchObject({ active: true })
  })
})
