/** express-openid-connect: an application that calls an API and refreshes its token, as in the library's examples. */

import express from 'express'
import openid from 'express-openid-connect'

const { auth, requiresAuth } = openid
const app = express()
app.use(
  auth({
    issuerBaseURL: process.env.ISSUER,
    baseURL: process.env.BASE_URL,
    clientID: process.env.CLIENT_ID,
    clientSecret: process.env.CLIENT_SECRET,
    secret: process.env.SESSION_SECRET,
    authRequired: false,
    idpLogout: true,
    authorizationParams: { response_type: 'code' },
  }),
)

app.get('/', (req, res) => res.json({ user: req.oidc.user ?? null }))
app.get('/userinfo', requiresAuth(), async (req, res) => res.json(await req.oidc.fetchUserInfo()))

app.get('/refresh', requiresAuth(), async (req, res) => {
  const { access_token } = await req.oidc.accessToken.refresh()
  res.json({ refreshed: access_token !== undefined })
})

app.listen(process.env.PORT, () => console.log('Listening'))
