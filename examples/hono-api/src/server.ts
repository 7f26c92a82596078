import { serve } from '@hono/node-server'
import { createResourceServer } from '@ostiary/resource-server'
import { protect } from '@ostiary/resource-server/hono'
import { Hono } from 'hono'
import { cors } from 'hono/cors'

const { PORT = '4001', ISSUER = 'http://localhost:3000', WEB_APP = 'http://localhost:8080' } = process.env
const resource = `http://localhost:${PORT}/notes`
const api = protect(
  createResourceServer({
    issuer: ISSUER,
    resource,
    scopes_supported: ['notes.read', 'notes.write'],
    on_refused: ({ code, reason }) => console.warn(code, reason),
  }),
)

let notes = ['Buy milk', 'Call Ben']

const app = new Hono()
// Before the guard: the browser's preflight has no token.
app.use(cors({ origin: WEB_APP, exposeHeaders: ['WWW-Authenticate'] }))
app.use(api.metadata)
app.get('/notes', api.authenticate, api.checkScopes('notes.read'), (c) =>
  c.json({ reader: c.get('principal').getAuthIdentifier(), notes }),
)
app.delete('/notes', api.authenticate, api.checkScopes('notes.write'), (c) => {
  notes = []
  return c.body(null, 204)
})

serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' }, () =>
  console.log(`Listening on ${resource}`),
)
