/** The FAPI 2.0 Security Profile with oauth4webapi: pushed requests, private_key_jwt, DPoP. */

import express from 'express'
import session from 'express-session'
import { importJWK } from 'jose'
import * as oauth from 'oauth4webapi'

const { ISSUER, BASE_URL, CLIENT_ID, CLIENT_KEY, API, SESSION_SECRET, PORT } = process.env

const http = { [oauth.allowInsecureRequests]: true } // for an issuer without https, in development
const issuer = new URL(ISSUER)
const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, http))

// The private key of the client, as a JWK with `kid` and `alg`: ES256 or PS256.
const jwk = JSON.parse(CLIENT_KEY)
const client = { client_id: CLIENT_ID, id_token_signed_response_alg: jwk.alg }
const authentication = oauth.PrivateKeyJwt({ key: await importJWK(jwk, jwk.alg), kid: jwk.kid })
const DPoP = oauth.DPoP(client, await oauth.generateKeyPair(jwk.alg))
const options = { ...http, DPoP }
const redirect_uri = `${BASE_URL}/callback`

/** Sends a request with a proof; once more when the server asks for a nonce, which the handle has then stored. */
async function send(request, process) {
  try {
    return await process(await request())
  } catch (error) {
    if (!oauth.isDPoPNonceError(error)) throw error
    return process(await request())
  }
}

const app = express()
app.use(session({ secret: SESSION_SECRET, resave: false, saveUninitialized: false }))

app.get('/login', async (req, res) => {
  const code_verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  Object.assign(req.session, { code_verifier, state })
  const parameters = {
    response_type: 'code',
    redirect_uri,
    scope: 'openid profile email notes.read',
    resource: API,
    code_challenge: await oauth.calculatePKCECodeChallenge(code_verifier),
    code_challenge_method: 'S256',
    state,
  }
  const { request_uri } = await send(
    () => oauth.pushedAuthorizationRequest(as, client, authentication, parameters, options),
    (response) => oauth.processPushedAuthorizationResponse(as, client, response),
  )
  res.redirect(`${as.authorization_endpoint}?${new URLSearchParams({ client_id: CLIENT_ID, request_uri })}`)
})

app.get('/callback', async (req, res) => {
  const { code_verifier, state } = req.session
  const callback = oauth.validateAuthResponse(as, client, new URL(req.originalUrl, BASE_URL), state)
  const tokens = await send(
    () =>
      oauth.authorizationCodeGrantRequest(
        as,
        client,
        authentication,
        callback,
        redirect_uri,
        code_verifier,
        options,
      ),
    async (response) => {
      const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, {
        requireIdToken: true,
      })
      await oauth.validateApplicationLevelSignature(as, response, http)
      return tokens
    },
  )
  const claims = oauth.getValidatedIdTokenClaims(tokens)
  await new Promise((resolve) => req.session.regenerate(resolve))
  const { access_token, refresh_token, id_token } = tokens
  Object.assign(req.session, { claims, access_token, refresh_token, id_token })
  res.redirect('/')
})

app.get('/', (req, res) => res.json({ user: req.session.claims ?? null }))

app.get('/userinfo', async (req, res) => {
  const { access_token, claims } = req.session
  const userinfo = await send(
    () => oauth.userInfoRequest(as, client, access_token, options),
    (response) => oauth.processUserInfoResponse(as, client, claims.sub, response),
  )
  res.json(userinfo)
})

const callApi = (access_token) =>
  send(
    () => oauth.protectedResourceRequest(access_token, 'GET', new URL(API), undefined, null, options),
    (response) => response.json(),
  )

app.get('/notes', async (req, res) => res.json(await callApi(req.session.access_token)))

app.get('/refresh', async (req, res) => {
  const before = req.session.refresh_token
  const { access_token, refresh_token = before } = await send(
    () => oauth.refreshTokenGrantRequest(as, client, authentication, before, options),
    (response) => oauth.processRefreshTokenResponse(as, client, response),
  )
  Object.assign(req.session, { access_token, refresh_token })
  res.json({ refreshed: true, rotated: refresh_token !== before })
})

const introspect = async (token) => {
  const response = await oauth.introspectionRequest(as, client, authentication, token, http)
  return oauth.processIntrospectionResponse(as, client, response)
}

// A token without a user: the API is called, then the token is introspected and revoked.
app.get('/service', async (_req, res) => {
  const parameters = { scope: 'notes.read', resource: API }
  const { access_token, token_type } = await send(
    () => oauth.clientCredentialsGrantRequest(as, client, authentication, parameters, options),
    (response) => oauth.processClientCredentialsResponse(as, client, response),
  )
  const { notes } = await callApi(access_token)
  const introspected = await introspect(access_token)
  const revocation = await oauth.revocationRequest(as, client, authentication, access_token, http)
  await oauth.processRevocationResponse(revocation)
  res.json({ access_token, token_type, notes, introspected, revoked: await introspect(access_token) })
})

app.get('/logout', (req, res, next) => {
  const id_token_hint = req.session.id_token
  req.session.destroy((error) => {
    if (error) return next(error)
    const query = new URLSearchParams({ id_token_hint, post_logout_redirect_uri: `${BASE_URL}/` })
    res.redirect(`${as.end_session_endpoint}?${query}`)
  })
})

app.listen(PORT, () => console.log('Listening'))
