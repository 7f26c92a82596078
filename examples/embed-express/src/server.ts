import { getRequestListener } from '@hono/node-server'
import { createApp } from '@ostiary/example-embed-app'
import express from 'express'

const { PORT, ISSUER, OIDC_SECRET = '' } = process.env
const port = Number(PORT || 3000)
const issuer = ISSUER || `http://localhost:${port}`
const { provider, home, showLogin, signIn } = await createApp({ issuer, secret: OIDC_SECRET })

/** Converts Express's request to a `Request`, and the `Response` to Express's. */
const web = (handler: (request: Request, address: string) => Promise<Response>) =>
  getRequestListener(
    (request, { incoming }) => handler(request, incoming.socket.remoteAddress ?? ''),
    { overrideGlobalObjects: false }, // leave the process's own Request and Response as they are
  )

const app = express()
// Before express.json() and express.urlencoded(): the provider reads the bodies itself.
app.all(
  /^\/(?:oauth|\.well-known)\//,
  web((request, address) => provider.fetch(request, { address })),
)
app.get('/login', web(showLogin))
app.post('/login', web(signIn))
app.get('/', web(home))

setInterval(() => provider.tick().catch(console.error), 5000).unref()
app.listen(port, '127.0.0.1', () => console.log(`Listening on ${issuer}`))
