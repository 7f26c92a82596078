import { serve } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { createApp } from '@ostiary/example-embed-app'
import { Hono } from 'hono'

const { PORT, ISSUER, OIDC_SECRET = '' } = process.env
const port = Number(PORT || 3000)
const issuer = ISSUER || `http://localhost:${port}`
const { provider, home, showLogin, signIn } = await createApp({ issuer, secret: OIDC_SECRET })

const app = new Hono()
app.get('/', (c) => home(c.req.raw))
app.get('/login', (c) => showLogin(c.req.raw))
app.post('/login', (c) => signIn(c.req.raw))
for (const path of ['/oauth/*', '/.well-known/*'])
  app.all(path, (c) => {
    const { address = '' } = getConnInfo(c).remote
    return provider.fetch(c.req.raw, { address })
  })

setInterval(() => provider.tick().catch(console.error), 5000).unref()
serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, () => console.log(`Listening on ${issuer}`))
