/** The FAPI 2.0 Security Profile with openid-client: pushed requests, private_key_jwt, DPoP. */

import express from 'express'
import session from 'express-session'
import { importJWK } from 'jose'
import * as client from 'openid-client'

const { ISSUER, BASE_URL, CLIENT_ID, CLIENT_KEY, API, SESSION_SECRET, PORT } = process.env

// The private key of the client, as a JWK with `kid` and `alg`: ES256 or PS256.
const jwk = JSON.parse(CLIENT_KEY)
const key = await importJWK(jwk, jwk.alg)
const config = await client.discovery(
  new URL(ISSUER),
  CLIENT_ID,
  { id_token_signed_response_alg: jwk.alg },
  client.PrivateKeyJwt({ key, kid: jwk.kid }),
  // The first is for an issuer without https, in development. The second checks the signatures of ID tokens.
  { execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks] },
)
// Access tokens are bound to this key. It is a new one at each start: a refresh then gets tokens for it.
const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair(jwk.alg))

const app = express()
app.use(session({ secret: SESSION_SECRET, resave: false, saveUninitialized: false }))

app.get('/login', async (req, res) => {
  const code_verifier = client.randomPKCECodeVerifier()
  const state = client.randomState()
  Object.assign(req.session, { code_verifier, state })
  const parameters = {
    redirect_uri: `${BASE_URL}/callback`,
    scope: 'openid profile email notes.read',
    resource: API,
    code_challenge: await client.calculatePKCECodeChallenge(code_verifier),
    code_challenge_method: 'S256',
    state,
  }
  res.redirect((await client.buildAuthorizationUrlWithPAR(config, parameters, { DPoP })).href)
})

app.get('/callback', async (req, res) => {
  const { code_verifier, state } = req.session
  const checks = { pkceCodeVerifier: code_verifier, expectedState: state, idTokenExpected: true }
  const url = new URL(req.originalUrl, BASE_URL)
  const tokens = await client.authorizationCodeGrant(config, url, checks, undefined, { DPoP })
  await new Promise((resolve) => req.session.regenerate(resolve))
  const { access_token, refresh_token, id_token } = tokens
  Object.assign(req.session, { claims: tokens.claims(), access_token, refresh_token, id_token })
  res.redirect('/')
})

app.get('/', (req, res) => res.json({ user: req.session.claims ?? null }))

app.get('/userinfo', async (req, res) => {
  const { access_token, claims } = req.session
  res.json(await client.fetchUserInfo(config, access_token, claims.sub, { DPoP }))
})

// The library sends the scheme DPoP and a proof, and repeats the request when the API asks for a nonce.
const callApi = (access_token) =>
  client.fetchProtectedResource(config, access_token, new URL(API), 'GET', null, undefined, { DPoP })

app.get('/notes', async (req, res) => {
  const response = await callApi(req.session.access_token)
  res.json(await response.json())
})

app.get('/refresh', async (req, res) => {
  const before = req.session.refresh_token
  const { access_token, refresh_token = before } = await client.refreshTokenGrant(config, before, undefined, {
    DPoP,
  })
  Object.assign(req.session, { access_token, refresh_token })
  res.json({ refreshed: true, rotated: refresh_token !== before })
})

// A token without a user: the API is called, then the token is introspected and revoked.
app.get('/service', async (_req, res) => {
  const parameters = { scope: 'notes.read', resource: API }
  const { access_token, token_type } = await client.clientCredentialsGrant(config, parameters, { DPoP })
  const { notes } = await (await callApi(access_token)).json()
  const introspected = await client.tokenIntrospection(config, access_token)
  await client.tokenRevocation(config, access_token)
  const revoked = await client.tokenIntrospection(config, access_token)
  res.json({ access_token, token_type, notes, introspected, revoked })
})

app.get('/logout', (req, res, next) => {
  const id_token_hint = req.session.id_token
  req.session.destroy((error) => {
    if (error) return next(error)
    const post_logout_redirect_uri = `${BASE_URL}/`
    res.redirect(client.buildEndSessionUrl(config, { id_token_hint, post_logout_redirect_uri }).href)
  })
})

app.listen(PORT, () => console.log('Listening'))
