/** openid-client with its strategy for Passport. */

import express from 'express'
import session from 'express-session'
import * as client from 'openid-client'
import { Strategy } from 'openid-client/passport'
import passport from 'passport'

const { ISSUER, BASE_URL, CLIENT_ID, CLIENT_SECRET, SESSION_SECRET, PORT } = process.env

const config = await client.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET, undefined, {
  execute: [client.allowInsecureRequests], // for an issuer without https, in development
})
passport.use(
  'ostiary',
  new Strategy(
    { config, scope: 'openid profile email', callbackURL: `${BASE_URL}/callback` },
    (tokens, verified) => {
      const { id_token, access_token, refresh_token } = tokens
      verified(null, { claims: tokens.claims(), id_token, access_token, refresh_token })
    },
  ),
)
passport.serializeUser((user, done) => done(null, user))
passport.deserializeUser((user, done) => done(null, user))

const app = express()
app.use(session({ secret: SESSION_SECRET, resave: false, saveUninitialized: false }))
app.use(passport.authenticate('session'))

app.get('/', (req, res) => res.json({ user: req.user?.claims ?? null }))
app.get('/login', passport.authenticate('ostiary'))
app.get('/callback', passport.authenticate('ostiary', { successRedirect: '/', failureMessage: true }))

app.get('/userinfo', async (req, res) => {
  const { access_token, claims } = req.user
  res.json(await client.fetchUserInfo(config, access_token, claims.sub))
})

app.get('/refresh', async (req, res) => {
  const tokens = await client.refreshTokenGrant(config, req.user.refresh_token)
  Object.assign(req.session.passport.user, {
    access_token: tokens.access_token,
    refresh_token: tokens.refresh_token,
  })
  res.json({ refreshed: true })
})

app.get('/logout', (req, res, next) => {
  const id_token_hint = req.user.id_token
  req.logout((error) => {
    if (error) return next(error)
    const post_logout_redirect_uri = `${BASE_URL}/`
    res.redirect(client.buildEndSessionUrl(config, { id_token_hint, post_logout_redirect_uri }).href)
  })
})

app.listen(PORT, () => console.log('Listening'))
