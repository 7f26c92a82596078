/** The official MCP clients, unmodified, from the URL of a protected MCP server to a tool call. */

import { answerAt, launchBrowser, signIn } from '@ostiary/test-kit/chromium'
import { type Callback, callbackServer } from '@ostiary/test-kit/server'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Application, type ClientState, sdk1, sdk2 } from './agents.ts'
import { type Examples, startExamples } from './examples.ts'
import { mcpClientForPages } from './mcp-in-a-page.ts'

interface PageOfClient {
  connect(server: string): Promise<unknown>
}

let examples: Examples
let callback: Callback
let browser: Browser

beforeAll(async () => {
  callback = await callbackServer()
  browser = await launchBrowser()
  examples = await startExamples(['mcp-server'])
})
afterAll(async () => {
  await browser.close()
  await callback.close()
  await examples.stop()
})

/** Its user has a separate browser and allows each request. `asked` counts the requests. */
function application(stored: ClientState = {}): Application & { asked(): number } {
  let asked = 0
  return {
    server: examples.get('mcp-server').url,
    redirect_uri: callback.url,
    stored,
    asked: () => asked,
    async ask(url) {
      asked++
      const page = await browser.newPage()
      await page.goto(url.href)
      await signIn(page)
      const text = await page.locator('main').textContent()
      for (const part of ['Notes agent', 'Read your notes', 'Write notes for you'])
        expect(text).toContain(part)
      await page.getByRole('button', { name: 'Allow' }).click()
      return new URLSearchParams(await answerAt(page, callback.url))
    },
  }
}

const claims = ({ tokens }: ClientState) =>
  JSON.parse(Buffer.from(tokens?.access_token.split('.')[1] ?? '', 'base64url').toString())

/** The access token is replaced by an invalid one: the server refuses it as after its expiry. */
const withoutAccessToken = ({ tokens, ...stored }: ClientState): ClientState =>
  tokens ? { ...stored, tokens: { ...tokens, access_token: 'expired' } } : stored

const text = (text: string) => expect.objectContaining({ content: [{ type: 'text', text }] })

/** Events of the provider that concern this client. */
const events = (type: string, { client }: ClientState) =>
  examples.provider.logged(type).filter(({ client_id }) => client_id === client?.client_id)

describe.each([
  ['@modelcontextprotocol/sdk 1.x', sdk1],
  ['@modelcontextprotocol/client 2.x', sdk2],
])('%s', (sdk, agentOf) => {
  it('finds the authorization server, registers, signs a person in, calls a tool, refreshes, calls again', async () => {
    const app = application()
    const agent = agentOf(app)
    await agent.signIn()

    const { issuer } = examples.provider
    const { stored } = app
    expect(stored.discovery).toMatchObject({
      resourceMetadataUrl: app.server.replace('/mcp', '/.well-known/oauth-protected-resource/mcp'),
      resourceMetadata: { resource: app.server, authorization_servers: [issuer] },
      authorizationServerUrl: issuer,
      authorizationServerMetadata: { issuer, registration_endpoint: `${issuer}/oauth/register` },
    })
    await expect.poll(() => events('client.registered', stored)).toHaveLength(1)
    expect([stored.answer?.get('state'), stored.answer?.get('iss')]).toEqual(['the state', issuer])
    expect(claims(stored)).toMatchObject({
      iss: issuer,
      aud: app.server,
      client_id: stored.client?.client_id,
      scope: 'notes.read notes.write',
    })
    expect(await agent.addNote(`first, ${sdk}`)).toEqual(text('Noted'))

    const before = stored.tokens
    Object.assign(stored, withoutAccessToken(stored))
    expect(await agent.addNote(`second, ${sdk}`)).toEqual(text('Noted'))
    expect(stored.tokens?.refresh_token).not.toBe(before?.refresh_token)
    expect(claims(stored)).toMatchObject({ aud: app.server, scope: 'notes.read notes.write' })
    await expect
      .poll(() => events('token.issued', stored))
      .toMatchObject([
        { grant_type: 'authorization_code', audience: app.server },
        { grant_type: 'refresh_token', audience: app.server },
      ])
    expect(app.asked()).toBe(1)
    await agent.close()
  })

  it('two processes that share their stored tokens both refresh, and neither asks the user again', async () => {
    const first = application()
    const one = agentOf(first)
    await one.signIn()
    Object.assign(first.stored, withoutAccessToken(first.stored))
    const second = application({ ...first.stored })
    const two = agentOf(second)
    await two.connect()
    expect(await Promise.all([one.addNote('one'), two.addNote('two')])).toEqual([
      text('Noted'),
      text('Noted'),
    ])
    expect([first.asked(), second.asked()]).toEqual([1, 0])
    await expect.poll(() => events('token.issued', first.stored)).toHaveLength(3)
    expect(events('refresh_token.reused', first.stored)).toEqual([])
    await Promise.all([one.close(), two.close()])
  })
})

it('a page of another origin: the client in the browser finds all, signs in and calls a tool', async () => {
  const server = examples.get('mcp-server').url
  const script = await mcpClientForPages()
  const context = await browser.newContext()
  const page = await context.newPage()
  const connect = async (): Promise<unknown> => {
    await page.addScriptTag({ content: script })
    return page.evaluate((url) => (globalThis as unknown as PageOfClient).connect(url), server)
  }
  await page.goto(callback.url)
  const { asked } = (await connect()) as { asked: string }
  await page.goto(asked)
  await signIn(page)
  await page.getByRole('button', { name: 'Allow' }).click()
  await answerAt(page, callback.url)
  expect(await connect()).toEqual({
    tools: ['list_notes', 'add_note', 'whoami'],
    content: [{ type: 'text', text: 'Noted' }],
  })
  await context.close()
})

it('the MCP server answers the preflight of a page, without a token', async () => {
  const asked =
    'authorization,content-type,mcp-method,mcp-name,mcp-param-note,mcp-protocol-version,mcp-session-id'
  const { status, headers } = await fetch(examples.get('mcp-server').url, {
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
  const refused = await fetch(examples.get('mcp-server').url, { method: 'POST' })
  expect(refused.status).toBe(401)
  expect(refused.headers.get('access-control-expose-headers')).toBe('WWW-Authenticate,Mcp-Session-Id')
})
