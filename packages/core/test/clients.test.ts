/** Real client libraries against the provider, in the same process. */

import * as oauth from 'oauth4webapi'
import { expect, it } from 'vitest'
import { REDIRECT_URI, world } from './support.js'

it('oauth4webapi completes discovery, the code flow with PKCE, UserInfo and refresh', async () => {
  // Its clock is the real one.
  const w = await world({ now: () => Math.floor(Date.now() / 1000) })
  const options = {
    [oauth.customFetch]: (url: string, init: oauth.CustomFetchOptions<string, unknown>) =>
      w.provider.fetch(new Request(url, init as RequestInit)),
  }
  const issuer = new URL(w.issuer)
  const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options))
  const client: oauth.Client = { client_id: 'app' }

  const verifier = oauth.generateRandomCodeVerifier()
  const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()]
  const code_challenge = await oauth.calculatePKCECodeChallenge(verifier)
  const browser = w.browser()
  await browser.authorize({ state, nonce, code_challenge, max_age: '60' })
  await browser.signIn()
  const approved = await browser.approve()
  const callback = oauth.validateAuthResponse(
    as,
    client,
    new URL(approved.headers.get('location') ?? ''),
    state,
  )

  const none = oauth.None()
  const granted = await oauth.processAuthorizationCodeResponse(
    as,
    client,
    await oauth.authorizationCodeGrantRequest(as, client, none, callback, REDIRECT_URI, verifier, options),
    { expectedNonce: nonce, maxAge: 60, requireIdToken: true },
  )
  const claims = oauth.getValidatedIdTokenClaims(granted)
  expect(claims).toMatchObject({ iss: w.issuer, sub: 'alice', aud: 'app', name: 'Alice Adams' })

  const info = await oauth.processUserInfoResponse(
    as,
    client,
    'alice',
    await oauth.userInfoRequest(as, client, granted.access_token, options),
  )
  expect(info).toMatchObject({ sub: 'alice', email: 'alice@example.com', email_verified: true })

  const refreshed = await oauth.processRefreshTokenResponse(
    as,
    client,
    await oauth.refreshTokenGrantRequest(as, client, none, granted.refresh_token ?? '', options),
  )
  expect(refreshed.access_token).not.toBe(granted.access_token)
  expect(refreshed.refresh_token).not.toBe(granted.refresh_token)
  expect(oauth.getValidatedIdTokenClaims(refreshed)?.nonce).toBeUndefined()
})
