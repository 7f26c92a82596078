/** Auth.js with Express: its guides "OAuth with your own provider" and "Refresh token rotation". */

import { getToken } from '@auth/core/jwt'
import { ExpressAuth } from '@auth/express'
import express from 'express'

const { ISSUER, BASE_URL, CLIENT_ID, CLIENT_SECRET, AUTH_SECRET, PORT } = process.env

const config = {
  providers: [
    {
      id: 'ostiary',
      name: 'Ostiary',
      type: 'oidc',
      issuer: ISSUER,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
    },
  ],
  callbacks: {
    async jwt({ token, account }) {
      if (account) {
        const { access_token, refresh_token, id_token, expires_at } = account
        return { ...token, access_token, refresh_token, id_token, expires_at }
      }
      if (Date.now() < token.expires_at * 1000) return token
      return { ...token, ...(await refresh(token)) }
    },
    session: ({ session, token }) => ({ ...session, error: token.error }),
  },
}

async function refresh({ refresh_token }) {
  const response = await fetch(`${ISSUER}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      grant_type: 'refresh_token',
      refresh_token,
    }),
  })
  if (!response.ok) return { error: 'RefreshTokenError' }
  const tokens = await response.json()
  return {
    access_token: tokens.access_token,
    refresh_token: tokens.refresh_token,
    expires_at: Math.floor(Date.now() / 1000 + tokens.expires_in),
  }
}

const app = express()
app.use('/auth', ExpressAuth(config))

app.get('/userinfo', async (req, res) => {
  const { access_token } = await getToken({ req, secret: AUTH_SECRET })
  const headers = { authorization: `Bearer ${access_token}` }
  const response = await fetch(`${ISSUER}/oauth/userinfo`, { headers })
  res.status(response.status).json(await response.json())
})

// Ends the session at the provider, which then sends the browser to the sign-out page of Auth.js.
app.get('/logout', async (req, res) => {
  const { id_token } = await getToken({ req, secret: AUTH_SECRET })
  const query = new URLSearchParams({
    id_token_hint: id_token,
    post_logout_redirect_uri: `${BASE_URL}/auth/signout`,
  })
  res.redirect(`${ISSUER}/oauth/logout?${query}`)
})

app.listen(PORT, () => console.log('Listening'))
