/** passport-openidconnect. The library has neither PKCE nor discovery, and leaves refresh and sign-out to the application. */

import express from 'express'
import session from 'express-session'
import passport from 'passport'
import OpenIDConnectStrategy from 'passport-openidconnect'

const { ISSUER, BASE_URL, CLIENT_ID, CLIENT_SECRET, SESSION_SECRET, PORT } = process.env

passport.use(
  new OpenIDConnectStrategy(
    {
      issuer: ISSUER,
      authorizationURL: `${ISSUER}/oauth/authorize`,
      tokenURL: `${ISSUER}/oauth/token`,
      userInfoURL: `${ISSUER}/oauth/userinfo`,
      clientID: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      callbackURL: `${BASE_URL}/callback`,
      scope: 'profile email',
      skipUserProfile: false,
    },
    // biome-ignore lint/complexity/useMaxParams: the library counts the parameters.
    (_issuer, profile, _context, id_token, access_token, refresh_token, done) =>
      done(null, { profile, id_token, access_token, refresh_token }),
  ),
)
passport.serializeUser((user, done) => done(null, user))
passport.deserializeUser((user, done) => done(null, user))

const app = express()
app.use(session({ secret: SESSION_SECRET, resave: false, saveUninitialized: false }))
app.use(passport.authenticate('session'))

app.get('/', (req, res) => {
  const { displayName, emails } = req.user?.profile ?? {}
  res.json({ user: req.user ? { name: displayName, email: emails?.[0].value } : null })
})
app.get('/login', passport.authenticate('openidconnect'))
app.get('/callback', passport.authenticate('openidconnect', { successRedirect: '/', failureMessage: true }))

app.get('/userinfo', async (req, res) => {
  const headers = { authorization: `Bearer ${req.user.access_token}` }
  const response = await fetch(`${ISSUER}/oauth/userinfo`, { headers })
  res.status(response.status).json(await response.json())
})

app.get('/refresh', async (req, res) => {
  const { refresh_token } = req.user
  const response = await fetch(`${ISSUER}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${CLIENT_ID}:${CLIENT_SECRET}`)}` },
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token }),
  })
  const tokens = await response.json()
  Object.assign(req.session.passport.user, {
    access_token: tokens.access_token,
    refresh_token: tokens.refresh_token,
  })
  res.json({ refreshed: response.ok })
})

app.get('/logout', (req, res, next) => {
  const query = new URLSearchParams({
    id_token_hint: req.user.id_token,
    post_logout_redirect_uri: `${BASE_URL}/`,
  })
  req.logout((error) => (error ? next(error) : res.redirect(`${ISSUER}/oauth/logout?${query}`)))
})

app.listen(PORT, () => console.log('Listening'))
