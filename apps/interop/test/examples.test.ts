/** Each example as a process, called over HTTP with tokens of a real provider. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LONG } from '../../../vitest.shared.ts'
import { EXAMPLE, type ExampleName, type Examples, startExamples } from './examples.ts'

/** The long run has the worker, whose runtime it fetches. */
const TESTED = (Object.keys(EXAMPLE) as ExampleName[]).filter((name) => (name === 'mcp-worker') === LONG)

let examples: Examples

beforeAll(async () => {
  examples = await startExamples([...new Set<ExampleName>([...TESTED, 'hono-api'])])
})
afterAll(() => examples.stop())

/** For the client `worker` of the shared configuration. */
async function tokenFor(name: ExampleName, scope: string): Promise<string> {
  const response = await fetch(`${examples.provider.issuer}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'worker',
      scope,
      client_secret: 'for-trying-out-only-not-for-anything-else',
      resource: examples.get(name).url,
    }),
  })
  const { access_token } = (await response.json()) as { access_token: string }
  return access_token
}

const isMcp = (name: ExampleName): boolean => name.startsWith('mcp-')

function mcp(name: ExampleName, token: string | undefined, request: object): Promise<Response> {
  const headers = new Headers(token === undefined ? {} : { authorization: `Bearer ${token}` })
  headers.set('content-type', 'application/json')
  headers.set('accept', 'application/json, text/event-stream')
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...request })
  return fetch(examples.get(name).url, { method: 'POST', headers, body })
}

/** Sends a request that needs `notes.read`: the notes of an API, the tools of the MCP server. */
function read(name: ExampleName, token?: string): Promise<Response> {
  if (isMcp(name)) return mcp(name, token, { method: 'tools/list', params: {} })
  return fetch(examples.get(name).url, { headers: token ? { authorization: `Bearer ${token}` } : {} })
}

const parameters = ({ headers }: Response): Record<string, string> =>
  Object.fromEntries(
    [...(headers.get('www-authenticate') ?? '').matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  )

const metadataUrl = (name: ExampleName): string => {
  const { origin, pathname } = new URL(examples.get(name).url)
  return `${origin}/.well-known/oauth-protected-resource${pathname}`
}

describe.each(TESTED)('examples/%s', (name) => {
  it('without a token: 401 with a pointer to the metadata', async () => {
    const refused = await read(name)
    expect([refused.status, await refused.text()]).toEqual([401, ''])
    expect(parameters(refused)).toEqual({
      realm: 'default',
      ...(isMcp(name) && { scope: 'notes.read' }),
      resource_metadata: metadataUrl(name),
    })
    const metadata = await fetch(metadataUrl(name))
    expect(await metadata.json()).toMatchObject({
      resource: examples.get(name).url,
      authorization_servers: [examples.provider.issuer],
      scopes_supported: isMcp(name) ? ['notes.write', 'notes.read'] : ['notes.read', 'notes.write'],
    })
  })

  it('with a good token: served', async () => {
    const served = await read(name, await tokenFor(name, 'notes.read'))
    expect(served.status).toBe(200)
    expect(await served.text()).toContain(isMcp(name) ? 'add_note' : 'Buy milk')
  })

  it('with a token that lacks the scope: 403 that names it', async () => {
    const refused = await read(name, await tokenFor(name, 'notes.write'))
    expect([refused.status, await refused.json()]).toEqual([403, { error: 'insufficient_scope' }])
    expect(parameters(refused)).toMatchObject({ error: 'insufficient_scope', scope: 'notes.read' })
  })

  it('with a token for another API: 401 invalid_token', async () => {
    const other = name === 'hono-api' ? 'express-api' : 'hono-api'
    const refused = await read(name, await tokenFor(other, 'notes.read'))
    expect([refused.status, await refused.json()]).toEqual([401, { error: 'invalid_token' }])
    expect(parameters(refused)).toMatchObject({ error: 'invalid_token' })
  })
})

describe.each(TESTED.filter((name) => !isMcp(name)))('examples/%s', (name) => {
  it('knows the caller and the scopes', async () => {
    const remove = async (scope: string) => {
      const headers = { authorization: `Bearer ${await tokenFor(name, scope)}` }
      return (await fetch(examples.get(name).url, { method: 'DELETE', headers })).status
    }
    const notes = async () => (await read(name, await tokenFor(name, 'notes.read'))).json()
    expect(await remove('notes.read')).toBe(403)
    expect(await notes()).toEqual({ reader: 'worker', notes: ['Buy milk', 'Call Ben'] })
    expect(await remove('notes.write')).toBe(204)
    expect(await notes()).toEqual({ reader: 'worker', notes: [] })
  })
})

describe.each(TESTED.filter(isMcp))('examples/%s', (name) => {
  const call = async (tool: string, scope: string, more = {}): Promise<Response> =>
    mcp(name, await tokenFor(name, scope), {
      method: 'tools/call',
      params: { name: tool, arguments: {}, ...more },
    })

  it('shows who calls, and knows no token', async () => {
    const text = await (await call('whoami', 'notes.read')).text()
    const { result } = JSON.parse(text.split('data: ')[1] ?? text)
    expect(JSON.parse(result.content[0].text)).toEqual({
      user: null,
      client: 'worker',
      scopes: ['notes.read'],
    })
  })

  it('a tool without one of its scopes: 403 that names all of them, and the tool does not run', async () => {
    const note = { arguments: { note: 'Without permission' } }
    const refused = await call('add_note', 'notes.read', note)
    expect([refused.status, await refused.json()]).toMatchObject([403, { error: 'insufficient_scope' }])
    expect(parameters(refused)).toMatchObject({
      error: 'insufficient_scope',
      scope: 'notes.read notes.write',
      resource_metadata: metadataUrl(name),
    })
    expect(await (await call('list_notes', 'notes.read')).text()).not.toContain('Without permission')
    expect(await (await call('add_note', 'notes.read notes.write', note)).text()).toContain('Noted')
    expect(await (await call('list_notes', 'notes.read')).text()).toContain('Without permission')
  })
})
