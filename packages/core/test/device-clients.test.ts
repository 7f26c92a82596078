/** Real client libraries with the device authorization grant. They validate every answer themselves. */

import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { expect, it } from 'vitest'
import { browserAt, DEVICE_CODE, type DeviceWorld, decide, deviceClient, deviceWorld } from './device.js'
import { CLIENT_SECRET } from './support.js'

// Their clock is the real one.
const REAL_TIME = { now: () => Math.floor(Date.now() / 1000) }
/** Seconds: the libraries wait for as long as they are told before each poll. */
const SHORT = 0.01

const start = (): Promise<DeviceWorld> => deviceWorld(REAL_TIME)

/** Calls back with each answer of the token endpoint. */
const fetchOf =
  (w: DeviceWorld, onToken: (status: number) => Promise<void> = async () => {}) =>
  async (url: string, init: unknown): Promise<Response> => {
    const response = await w.provider.fetch(new Request(url, init as RequestInit))
    if (url.endsWith('/token')) await onToken(response.status)
    return response
  }

it('oauth4webapi gets tokens, and is told what to wait for', async () => {
  const w = await start()
  const options = { [oauth.customFetch]: fetchOf(w) }
  const issuer = new URL(w.issuer)
  const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options))
  const tv: oauth.Client = { client_id: 'tv' }
  const none = oauth.None()
  const parameters = new URLSearchParams({ scope: 'openid profile' })
  const asked = await oauth.processDeviceAuthorizationResponse(
    as,
    tv,
    await oauth.deviceAuthorizationRequest(as, tv, none, parameters, options),
  )
  const poll = async () =>
    oauth.processDeviceCodeResponse(
      as,
      tv,
      await oauth.deviceCodeGrantRequest(as, tv, none, asked.device_code, options),
    )
  await expect(poll()).rejects.toMatchObject({ error: 'authorization_pending', status: 400 })
  await decide(w, await browserAt(w), asked)
  const granted = await poll()
  expect(oauth.getValidatedIdTokenClaims(granted)).toMatchObject({ sub: 'alice', aud: 'tv' })
  const info = await oauth.userInfoRequest(as, tv, granted.access_token, options)
  expect(await oauth.processUserInfoResponse(as, tv, 'alice', info)).toMatchObject({ sub: 'alice' })
})

async function configured(w: DeviceWorld, customFetch: ReturnType<typeof fetchOf>, secret?: string) {
  const auth = secret === undefined ? openid.None() : openid.ClientSecretPost(secret)
  const options = { [openid.customFetch]: customFetch as openid.CustomFetch }
  return openid.discovery(new URL(w.issuer), 'tv', undefined, auth, options)
}

it('openid-client polls until the user has allowed the device', async () => {
  const w = await start()
  let polls = 0
  let user_code = ''
  const customFetch = fetchOf(w, async (status) => {
    polls += 1
    if (status === 400) await decide(w, await browserAt(w), { user_code })
  })
  const config = await configured(w, customFetch)
  const asked = await openid.initiateDeviceAuthorization(config, { scope: 'openid profile' })
  expect(asked).toMatchObject({ verification_uri: `${w.issuer}/device`, interval: 5, expires_in: 600 })
  user_code = asked.user_code
  const granted = await openid.pollDeviceAuthorizationGrant(config, { ...asked, interval: SHORT })
  expect(granted.claims()).toMatchObject({ sub: 'alice', aud: 'tv' })
  expect(polls).toBe(2)
  const refreshed = await openid.refreshTokenGrant(config, granted.refresh_token ?? '')
  expect(refreshed.refresh_token).not.toBe(granted.refresh_token)
})

it('openid-client with a secret is told that the user has refused the device', async () => {
  const clients = [await deviceClient({ client_secret: CLIENT_SECRET, grant_types: [DEVICE_CODE] })]
  const w = await deviceWorld({ ...REAL_TIME, clients })
  const config = await configured(w, fetchOf(w), CLIENT_SECRET)
  const asked = await openid.initiateDeviceAuthorization(config, { scope: 'openid' })
  await decide(w, await browserAt(w), { user_code: asked.user_code, answer: 'refuse' })
  const polling = openid.pollDeviceAuthorizationGrant(config, { ...asked, interval: SHORT })
  await expect(polling).rejects.toMatchObject({ error: 'access_denied' })
})

it('openid-client binds the tokens to the key of its polls', async () => {
  const w = await deviceWorld({ ...REAL_TIME, oidc: { dpop: 'on' } })
  const config = await configured(w, fetchOf(w))
  const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair('ES256'))
  const asked = await openid.initiateDeviceAuthorization(config, { scope: 'openid' })
  await decide(w, await browserAt(w), asked)
  const polled = { ...asked, interval: SHORT }
  const granted = await openid.pollDeviceAuthorizationGrant(config, polled, undefined, { DPoP })
  expect(granted.token_type).toBe('dpop')
})
