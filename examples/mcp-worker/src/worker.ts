import { createMcpHandler } from '@modelcontextprotocol/server'
import { authInfoOf } from '@ostiary/example-mcp-server/caller'
import { notesServer } from '@ostiary/example-mcp-server/notes'
import { createResourceServer } from '@ostiary/resource-server'
import { protect } from '@ostiary/resource-server/hono'
import { Hono } from 'hono'
import { cors } from 'hono/cors'

interface Env {
  /** The issuer of the tokens. */
  ISSUER: string
  /** The URL of this MCP server, as users paste it. */
  RESOURCE: string
}

function create({ ISSUER, RESOURCE }: Env): Hono {
  const api = protect(
    createResourceServer({
      issuer: ISSUER,
      resource: RESOURCE,
      scopes_supported: ['notes.write', 'notes.read'],
      challenge_scopes: ['notes.read'],
      on_refused: ({ code, reason }) => console.warn(code, reason),
    }),
  )
  const mcp = createMcpHandler(notesServer)

  const app = new Hono()
  // For clients in web pages, of any origin: each request has its own token, and no cookie counts.
  app.use(cors({ origin: '*', exposeHeaders: ['WWW-Authenticate', 'Mcp-Session-Id'] }))
  app.use(api.metadata)
  app.all(new URL(RESOURCE).pathname, api.authenticate, api.checkScopes('notes.read'), (c) =>
    mcp.fetch(c.req.raw, { authInfo: authInfoOf(c.get('principal'), RESOURCE) }),
  )
  return app
}

/** Created with the first request, which brings the settings. The issuer's keys are kept for all requests of the isolate. */
let app: Hono | undefined

export default {
  fetch(request: Request, env: Env): Response | Promise<Response> {
    app ??= create(env)
    return app.fetch(request)
  },
}
