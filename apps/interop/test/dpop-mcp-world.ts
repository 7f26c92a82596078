/** MCP servers that take DPoP-bound tokens: one behind the guard of the provider's own application, one behind a resource server. */

import { ClientCredentialsProvider, type DpopSession } from '@modelcontextprotocol/client'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { createProvider } from '@ostiary/core'
import { developmentPages } from '@ostiary/core/development'
import { memoryStorage } from '@ostiary/core/memory'
import { authInfoOf } from '@ostiary/example-mcp-server/caller'
import { notesServer } from '@ostiary/example-mcp-server/notes'
import { createResourceServer } from '@ostiary/resource-server'
import { protect } from '@ostiary/resource-server/hono'
import { answerAt, launchBrowser, signIn } from '@ostiary/test-kit/chromium'
import { freePort } from '@ostiary/test-kit/ports'
import {
  CLIENT_SECRET,
  callbackServer,
  IN_MEMORY,
  PASSWORD,
  SECRET,
  startServer,
  USERNAME,
} from '@ostiary/test-kit/server'
import { Hono } from 'hono'
import type { Page } from 'playwright-core'
import type { ClientState } from './agents.ts'
import { listen } from './listening.ts'
import type { TestApplication } from './mcp-world.ts'
import { dpopOptions, type Nonces } from './notes-api.ts'

interface McpServer {
  issuer: string
  /** The URL of the MCP server. */
  server: string
  /** On the page that the authorization request leads to. */
  signIn(page: Page): Promise<void>
  stop(): Promise<unknown>
}

export interface DpopMcpWorld extends Omit<McpServer, 'signIn'> {
  /** An application with this key. Its user allows each request. */
  application(dpop: DpopSession, stored?: ClientState): TestApplication
  /** A client without a user, with this key. */
  worker(dpop: DpopSession): ClientCredentialsProvider
}

const RESOURCE = { scopes: ['notes.read', 'notes.write'] }
const oidcSettings = (nonce: Nonces) => ({
  preset: 'mcp' as const,
  clients: { metadata_documents: { enabled: false } },
  dpop: nonce === 'required' ? ('nonce' as const) : ('on' as const),
  scopes: {
    'notes.read': { description: 'Read your notes' },
    'notes.write': { description: 'Write notes for you' },
  },
})
const WORKER = {
  client_id: 'worker',
  client_secret: CLIENT_SECRET,
  grant_types: ['client_credentials' as const],
}
const CHALLENGE = { challenge_scopes: ['notes.read'] }

/** The routes of the MCP server. */
function mcpApp(guard: Parameters<typeof protect>[0], resource: string): Hono {
  const api = protect(guard)
  const mcp = createMcpHandler(notesServer)
  const app = new Hono()
  app.use(api.metadata)
  app.all('/mcp', api.authenticate, api.checkScopes('notes.read'), (c) =>
    mcp.fetch(c.req.raw, { authInfo: authInfoOf(c.get('principal'), resource) }),
  )
  return app
}

/** Provider and MCP server in one application, which is this process. */
async function behindGuard(nonce: Nonces): Promise<McpServer> {
  const port = await freePort()
  const issuer = `http://localhost:${port}`
  const { handler, ...pages } = developmentPages()
  const provider = createProvider({
    oidc: { issuer, ...oidcSettings(nonce), resources: { mcp: RESOURCE } },
    secret: SECRET,
    storage: memoryStorage(),
    ...pages,
    on_event: () => {}, // instead of lines on stderr
  })
  const { clients } = await provider.manage()
  await clients.create(WORKER)
  const server = `${issuer}/mcp`
  const app = mcpApp(provider.guard({ resource: 'mcp', ...CHALLENGE }), server)
  const answer = handler(provider)
  app.all('*', (c) => answer(c.req.raw))
  return {
    issuer,
    server,
    signIn: (page) => page.getByRole('button', { name: 'Sign in as Ann Example' }).click(),
    stop: await listen(app.fetch, port),
  }
}

/** A provider of its own, and the MCP server in this process. */
async function behindResourceServer(nonce: Nonces): Promise<McpServer> {
  const port = await freePort()
  const server = `http://localhost:${port}/mcp`
  const provider = await startServer({
    config: (port: number) => ({
      app: { url: `http://localhost:${port}` },
      oidc: { ...oidcSettings(nonce), resources: { [server]: RESOURCE } },
      clients: [WORKER],
      users: [{ username: USERNAME, password: PASSWORD, name: 'Ann Example' }],
    }),
    env: IN_MEMORY,
  })
  const { issuer } = provider
  const resourceServer = createResourceServer({
    issuer,
    resource: server,
    dpop: dpopOptions(nonce),
    ...CHALLENGE,
  })
  const close = await listen(mcpApp(resourceServer, server).fetch, port)
  return {
    issuer,
    server,
    signIn,
    async stop() {
      await close()
      await provider.stop()
    },
  }
}

type Start = (nonce: Nonces) => Promise<McpServer>
export const GUARDS: [name: string, start: Start][] = [
  ["core's guard", behindGuard],
  ['resource-server', behindResourceServer],
]

export async function startDpopMcpWorld(start: Start, nonce: Nonces): Promise<DpopMcpWorld> {
  const { issuer, server, signIn, stop } = await start(nonce)
  const callback = await callbackServer()
  const browser = await launchBrowser()
  let applications = 0
  return {
    issuer,
    server,
    application(dpop, stored = {}) {
      const asked: string[] = []
      return {
        name: `Notes agent ${++applications}`,
        server,
        redirect_uri: callback.url,
        stored,
        asked,
        dpop,
        async ask(url) {
          asked.push(url.searchParams.get('scope') ?? '')
          const page = await browser.newPage()
          await page.goto(url.href)
          await signIn(page)
          await page.getByRole('button', { name: 'Allow' }).click()
          const answer = await answerAt(page, callback.url)
          await page.close()
          return new URLSearchParams(answer)
        },
      }
    },
    worker(dpop) {
      const { client_id, client_secret } = WORKER
      const provider = new ClientCredentialsProvider({
        clientId: client_id,
        clientSecret: client_secret,
        expectedIssuer: issuer,
      })
      return Object.assign(provider, { dpop: () => dpop })
    },
    async stop() {
      await browser.close()
      await stop()
      await callback.close()
    },
  }
}
