import { serve } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { Hono } from 'hono'
import { home, port, provider, showLogin, signIn } from './provider.ts'

const app = new Hono()
app.get('/', (c) => home(c.req.raw))
app.get('/login', (c) => showLogin(c.req.raw))
app.post('/login', (c) => signIn(c.req.raw))
for (const path of ['/oauth/*', '/.well-known/*'])
  app.all(path, (c) => {
    const { address = '' } = getConnInfo(c).remote
    return provider.fetch(c.req.raw, { address })
  })

const server = serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, () =>
  console.log(`Listening on http://localhost:${port}`),
)
server.on('error', ({ message }) => {
  console.error(`${message}: set another PORT in .env`)
  process.exit(1)
})
