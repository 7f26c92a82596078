/** The official MCP clients, unmodified, from the URL of a protected MCP server to tool calls; one of them in a page too. */

import { answerAt, inPage, signIn } from '@ostiary/test-kit/chromium'
import { IN_MEMORY } from '@ostiary/test-kit/server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mcpClients, mcpMachines } from './mcp-clients.ts'
import { mcpClientForPages } from './mcp-in-a-page.ts'
import { type McpWorld, startMcpWorld } from './mcp-world.ts'

interface PageOfClient {
  connect(server: string): Promise<unknown>
}

let world: McpWorld

beforeAll(async () => {
  world = await startMcpWorld(IN_MEMORY)
})
afterAll(() => world?.stop())

mcpClients(() => world)
mcpMachines(() => world)

it('a page of another origin: the client in the browser finds all, signs in and calls a tool', async () => {
  const { server, browser, callback } = world
  const script = await mcpClientForPages()
  const context = await browser.newContext()
  const page = await context.newPage()
  const connect = async (): Promise<unknown> => {
    await page.addScriptTag({ content: script })
    return inPage(page, (url) => (globalThis as unknown as PageOfClient).connect(url), server)
  }
  await page.goto(callback.url)
  const { asked } = (await connect()) as { asked: string }
  await page.goto(asked)
  await signIn(page)
  await page.getByRole('button', { name: 'Allow' }).click()
  await answerAt(page, callback.url)
  expect(await connect()).toEqual({
    tools: ['list_notes', 'add_note', 'whoami'],
    caller: expect.objectContaining({ user: expect.any(String), scopes: ['notes.read'] }),
  })
  await context.close()
})

it('the MCP server answers the preflight of a page, without a token', async () => {
  const asked =
    'authorization,content-type,mcp-method,mcp-name,mcp-param-note,mcp-protocol-version,mcp-session-id'
  const { status, headers } = await fetch(world.server, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://page.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': asked,
    },
  })
  expect([status, headers.get('access-control-allow-origin')]).toEqual([204, '*'])
  expect(headers.get('access-control-allow-headers')).toBe(asked)
  expect(headers.get('access-control-allow-credentials')).toBeNull()
  const refused = await fetch(world.server, { method: 'POST' })
  expect(refused.status).toBe(401)
  expect(refused.headers.get('access-control-expose-headers')).toBe('WWW-Authenticate,Mcp-Session-Id')
})
