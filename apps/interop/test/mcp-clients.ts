/** The official MCP clients, unmodified, from the URL of a protected MCP server to tool calls. */

import { ClientCredentialsProvider, PrivateKeyJwtProvider } from '@modelcontextprotocol/client'
import { eventually } from '@ostiary/test-kit/eventually'
import { describe, expect, it } from 'vitest'
import { type Agent, type Application, type ClientState, callAsMachine, sdk1, sdk2 } from './agents.ts'
import { type McpWorld, ROBOT, type TestApplication } from './mcp-world.ts'

export const claims = ({ tokens }: ClientState) =>
  JSON.parse(Buffer.from(tokens?.access_token.split('.')[1] ?? '', 'base64url').toString())

/** The access token is replaced by an invalid one: the server refuses it as after its expiry. */
export const withoutAccessToken = ({ tokens, ...stored }: ClientState): ClientState =>
  tokens ? { ...stored, tokens: { ...tokens, access_token: 'expired' } } : stored

const text = (text: string) => expect.objectContaining({ content: [{ type: 'text', text }] })

const AGENTS: [string, (application: Application) => Agent][] = [
  ['@modelcontextprotocol/sdk 1.x', sdk1],
  ['@modelcontextprotocol/client 2.x', sdk2],
]

/** @param world Started before the tests. */
export function mcpClients(world: () => McpWorld): void {
  describe.each(AGENTS)('%s', (_, agentOf) => {
    it('finds the authorization server, registers, signs a person in, calls tools, asks for more scopes, refreshes', async () => {
      const { server, events, application, examples } = world()
      const { issuer } = examples.provider
      const app = application()
      const { stored } = app
      const agent = agentOf(app)
      await agent.signIn()
      expect(stored.discovery).toMatchObject({
        resourceMetadataUrl: server.replace('/mcp', '/.well-known/oauth-protected-resource/mcp'),
        resourceMetadata: { resource: server, authorization_servers: [issuer] },
        authorizationServerUrl: issuer,
        authorizationServerMetadata: { issuer, registration_endpoint: `${issuer}/oauth/register` },
      })
      await eventually(() => expect(events('client.registered', stored)).toHaveLength(1))
      expect([stored.answer?.get('state'), stored.answer?.get('iss')]).toEqual(['the state', issuer])
      expect(claims(stored)).toMatchObject({ iss: issuer, aud: server, scope: 'notes.read' })
      expect(await whoami(agent)).toMatchObject({ client: stored.client?.client_id, scopes: ['notes.read'] })

      await expectStepUp(agent, app)
      await expectRefresh(agent, app)
      expect(app.asked).toEqual(['notes.read', 'notes.read notes.write'])
      await eventually(() =>
        expect(events('token.issued', stored).at(-1)).toMatchObject({
          grant_type: 'refresh_token',
          audience: server,
        }),
      )
      await agent.close()
    })

    it('publishes its metadata: signs a person in without a registration, calls a tool, refreshes', async () => {
      const { events, published, documents } = world()
      const app = published()
      const agent = agentOf(app)
      await agent.signIn()
      expect(app.stored.client?.client_id).toBe(app.client_metadata_url)
      expect(await whoami(agent)).toMatchObject({ client: app.client_metadata_url, scopes: ['notes.read'] })
      await expectRefresh(agent, app)
      expect(events('client.registered', app.stored)).toEqual([])
      expect(documents.requests(app.client_metadata_url ?? '')).toBe(1)
      await agent.close()
    })

    it('two processes that share their stored tokens both refresh, and neither asks the user again', async () => {
      const { application, events } = world()
      const first = application()
      const one = agentOf(first)
      await one.signIn()
      Object.assign(first.stored, withoutAccessToken(first.stored))
      const second = application({ ...first.stored })
      const two = agentOf(second)
      await two.connect()
      const calls = await Promise.all([whoami(one), whoami(two)])
      expect(calls[0]).toEqual(calls[1])
      expect([first.asked.length, second.asked.length]).toEqual([1, 0])
      await eventually(() => expect(events('token.issued', first.stored)).toHaveLength(3))
      expect(events('refresh_token.reused', first.stored)).toEqual([])
      await Promise.all([one.close(), two.close()])
    })
  })
}

/** @param world Started before the tests. */
export function mcpMachines(world: () => McpWorld): void {
  it('@modelcontextprotocol/client 2.x with a secret and no user calls a tool', async () => {
    const { server, examples } = world()
    const provider = new ClientCredentialsProvider({
      clientId: 'worker',
      clientSecret: 'for-trying-out-only-not-for-anything-else',
      expectedIssuer: examples.provider.issuer,
    })
    const expected = JSON.stringify({ user: null, client: 'worker', scopes: ['notes.read'] })
    expect(await callAsMachine(server, provider, 'whoami')).toEqual(text(expected))
  })

  it('@modelcontextprotocol/client 2.x with a key and no user calls a tool', async () => {
    const { server, examples, robot_key } = world()
    const provider = new PrivateKeyJwtProvider({
      clientId: ROBOT,
      privateKey: { ...robot_key },
      algorithm: 'ES256',
      expectedIssuer: examples.provider.issuer,
    })
    const expected = JSON.stringify({ user: null, client: ROBOT, scopes: ['notes.read'] })
    expect(await callAsMachine(server, provider, 'whoami')).toEqual(text(expected))
  })
}

interface Caller {
  user: string | null
  client: string
  scopes: string[]
}

export async function whoami(agent: Agent): Promise<Caller> {
  const { content } = (await agent.call('whoami')) as { content: { text: string }[] }
  return JSON.parse(content[0]?.text ?? '')
}

/** A tool that needs one more scope: the user is asked for both, and the next call is served. */
async function expectStepUp(agent: Agent, { stored, name }: TestApplication): Promise<void> {
  expect(await agent.addNoteWithMoreScopes(`first, ${name}`)).toEqual(text('Noted'))
  expect(claims(stored).scope).toBe('notes.read notes.write')
}

/** The next call refreshes, without the user. */
export async function expectRefresh(agent: Agent, { stored, asked }: TestApplication): Promise<void> {
  const before = stored.tokens
  const questions = asked.length
  const caller = await whoami(agent)
  Object.assign(stored, withoutAccessToken(stored))
  expect(await whoami(agent)).toEqual(caller)
  expect(stored.tokens?.refresh_token).not.toBe(before?.refresh_token)
  expect(asked).toHaveLength(questions)
}
