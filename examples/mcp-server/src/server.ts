import { serve } from '@hono/node-server'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { createResourceServer } from '@ostiary/resource-server'
import { protect } from '@ostiary/resource-server/hono'
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { authInfoOf } from './caller.js'
import { notesServer } from './notes.js'

const { PORT = '4005', ISSUER = 'http://localhost:3000' } = process.env
const resource = `http://localhost:${PORT}/mcp`
const api = protect(
  createResourceServer({
    issuer: ISSUER,
    resource,
    // mcp-remote 0.15.1 does not ask for more scopes when they are this list, in this order: so the broader scope is first.
    scopes_supported: ['notes.write', 'notes.read'],
    // What a client asks for first. It asks for more when a tool needs it.
    challenge_scopes: ['notes.read'],
    on_refused: ({ code, reason }) => console.warn(code, reason),
  }),
)
const mcp = createMcpHandler(notesServer)

const app = new Hono()
// For clients in web pages, of any origin: each request has its own token, and no cookie counts. The preflight is answered with
// the headers that it asks for, because MCP has some whose names depend on the tool (Mcp-Param-*).
app.use(cors({ origin: '*', exposeHeaders: ['WWW-Authenticate', 'Mcp-Session-Id'] }))
app.use(api.metadata)
app.all('/mcp', api.authenticate, api.checkScopes('notes.read'), (c) => {
  const authInfo = authInfoOf(c.get('principal'), resource)
  return mcp.fetch(c.req.raw, { authInfo })
})

serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' }, () =>
  console.log(`Listening on ${resource}`),
)
