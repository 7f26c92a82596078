/** openid-client 5. It accepts ID tokens with RS256, unless its metadata names another algorithm. */

import express from 'express'
import session from 'express-session'
import { generators, Issuer } from 'openid-client-5'

const { ISSUER, BASE_URL, CLIENT_ID, CLIENT_SECRET, SESSION_SECRET, PORT } = process.env

const { Client } = await Issuer.discover(ISSUER)
const client = new Client({
  client_id: CLIENT_ID,
  client_secret: CLIENT_SECRET,
  redirect_uris: [`${BASE_URL}/callback`],
  response_types: ['code'],
})

const app = express()
app.use(session({ secret: SESSION_SECRET, resave: false, saveUninitialized: false }))

app.get('/login', (req, res) => {
  const code_verifier = generators.codeVerifier()
  const state = generators.state()
  Object.assign(req.session, { code_verifier, state })
  res.redirect(
    client.authorizationUrl({
      scope: 'openid profile email',
      code_challenge: generators.codeChallenge(code_verifier),
      code_challenge_method: 'S256',
      state,
    }),
  )
})

app.get('/callback', async (req, res) => {
  const { code_verifier, state } = req.session
  const tokens = await client.callback(`${BASE_URL}/callback`, client.callbackParams(req), {
    code_verifier,
    state,
  })
  await new Promise((resolve) => req.session.regenerate(resolve))
  Object.assign(req.session, { claims: tokens.claims(), tokens })
  res.redirect('/')
})

app.get('/', (req, res) => res.json({ user: req.session.claims ?? null }))

app.get('/userinfo', async (req, res) => res.json(await client.userinfo(req.session.tokens.access_token)))

app.get('/refresh', async (req, res) => {
  req.session.tokens = await client.refresh(req.session.tokens.refresh_token)
  res.json({ refreshed: true })
})

app.get('/tokens', (req, res) => res.json(req.session.tokens))

app.get('/logout', (req, res, next) => {
  const id_token_hint = req.session.tokens.id_token
  req.session.destroy((error) => {
    if (error) return next(error)
    res.redirect(client.endSessionUrl({ id_token_hint, post_logout_redirect_uri: `${BASE_URL}/` }))
  })
})

app.listen(PORT, () => console.log('Listening'))
