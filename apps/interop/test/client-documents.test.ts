/** Clients that publish their metadata, in the shapes of fixtures/: each signs a user in, calls the MCP server, and refreshes. */

import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type DocumentServer, documentServer } from '@ostiary/test-kit/document-server'
import { type Person, person } from '@ostiary/test-kit/person'
import { IN_MEMORY, PASSWORD, USERNAME } from '@ostiary/test-kit/server'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Examples, startExamples } from './examples.ts'

interface ClientDocument {
  client_id: string
  client_name: string
  redirect_uris: string[]
  jwks_uri?: string
}

/** The fixture, the redirect URI of a request, and how the client authenticates. */
const REQUESTS = [
  ['claude-ai', 'https://claude.ai/api/mcp/auth_callback', 'none'],
  // Any port at run time: RFC 8252 §7.3.
  ['claude-code', 'http://localhost:54123/callback', 'none'],
  ['claude-code', 'http://127.0.0.1:61000/callback', 'none'],
  ['chatgpt', 'https://chatgpt.com/connector_platform_oauth_redirect', 'private_key_jwt'],
  ['chatgpt', 'https://chatgpt.com/connector_platform_oauth_redirect', 'none'],
  ['codex', 'http://127.0.0.1:1455/callback', 'none'],
  ['cursor', 'https://www.cursor.com/agents/mcp/oauth/callback', 'none'],
  ['cursor', 'http://localhost:8787/callback', 'none'],
  ['vscode', 'http://127.0.0.1:33418/', 'none'],
  ['vscode', 'https://vscode.dev/redirect', 'none'],
] as const
type Method = 'none' | 'private_key_jwt'

const FIXTURES = [...new Set(REQUESTS.map(([file]) => file))]

let documents: DocumentServer
let examples: Examples
let ann: Person
/** By the name of the fixture. */
const clients = new Map<string, ClientDocument>()
const keys = await generateKeyPair('RS256')

beforeAll(async () => {
  const fixtures = await Promise.all(FIXTURES.map(readFixture))
  const hostOf = ({ client_id }: ClientDocument) => new URL(client_id).hostname
  documents = await documentServer([...new Set(fixtures.map((each) => `${hostOf(each)}.localhost`))])
  fixtures.forEach((fixture, i) => {
    const client_id = onThisMachine(fixture.client_id)
    const document = { ...fixture, client_id }
    if (fixture.jwks_uri !== undefined) document.jwks_uri = onThisMachine(fixture.jwks_uri)
    documents.put(client_id, document)
    clients.set(FIXTURES[i] ?? '', document)
  })
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'current', alg: 'RS256', use: 'sig' }
  documents.put(onThisMachine('https://chatgpt.com/oauth/jwks.json'), { keys: [jwk] })
  examples = await startExamples(['mcp-server'], { env: IN_MEMORY, documents_of: documents })
  ann = person(examples.provider.issuer)
})
afterAll(async () => {
  await examples?.stop()
  await documents.close()
})

const readFixture = async (name: string): Promise<ClientDocument> =>
  JSON.parse(await readFile(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8'))

/** The same path below a host of the document server. */
function onThisMachine(url: string): string {
  const { hostname, pathname } = new URL(url)
  return documents.url(`${hostname}.localhost`, pathname)
}

const clientOf = (name: string): ClientDocument => {
  const client = clients.get(name)
  if (!client) throw new Error(`${name} is not a fixture`)
  return client
}

const verifier = randomBytes(32).toString('base64url')

/** Through sign-in and consent. @returns The code. */
async function authorize({ client_id, client_name }: ClientDocument, redirect_uri: string): Promise<string> {
  const query = new URLSearchParams({
    client_id,
    redirect_uri,
    response_type: 'code',
    scope: 'notes.read notes.write',
    state: 's',
    resource: examples.get('mcp-server').url,
    code_challenge_method: 'S256',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  })
  let page = await ann.open(`${examples.provider.issuer}/oauth/authorize?${query}`)
  if (page.html.includes('name="password"'))
    page = await ann.submit(page, { username: USERNAME, password: PASSWORD })
  if (page.url.origin === examples.provider.issuer) {
    for (const part of [new URL(client_id).hostname, client_name, new URL(redirect_uri).hostname])
      expect(page.html).toContain(part)
    page = await ann.submit(page)
  }
  expect(page.url.href.startsWith(`${redirect_uri}?code=`)).toBe(true)
  expect(page.url.searchParams.get('iss')).toBe(examples.provider.issuer)
  return page.url.searchParams.get('code') ?? ''
}

/** As ChatGPT signs it: the token endpoint as `aud`, and `typ: JWT`. */
async function authentication(client_id: string, method: Method): Promise<Record<string, string>> {
  if (method === 'none') return { client_id }
  const client_assertion = await new SignJWT()
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: 'current' })
    .setIssuer(client_id)
    .setSubject(client_id)
    .setAudience(`${examples.provider.issuer}/oauth/token`)
    .setJti(randomUUID())
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(keys.privateKey)
  const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
  return { client_id, client_assertion_type, client_assertion }
}

async function token(form: Record<string, string>): Promise<Record<string, string>> {
  const url = `${examples.provider.issuer}/oauth/token`
  return (await fetch(url, { method: 'POST', body: new URLSearchParams(form) })).json()
}

async function redeem(client: ClientDocument, redirect_uri: string, method: Method) {
  const code = await authorize(client, redirect_uri)
  const proof = await authentication(client.client_id, method)
  return token({
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri,
    ...proof,
  })
}

async function refresh({ client_id }: ClientDocument, refresh_token: string, method: Method) {
  const proof = await authentication(client_id, method)
  return token({ grant_type: 'refresh_token', refresh_token, ...proof })
}

/** What the tool `whoami` of the MCP server says. */
async function whoami(access_token: string | undefined): Promise<unknown> {
  const response = await fetch(examples.get('mcp-server').url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${access_token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'whoami' } }),
  })
  const text = await response.text()
  return JSON.parse(JSON.parse(text.split('data: ')[1] ?? text).result.content[0].text)
}

it('docs/connect-an-mcp-client.md has the client_id and the redirect URIs of each document', async () => {
  const page = await readFile(new URL('../../../docs/connect-an-mcp-client.md', import.meta.url), 'utf8')
  const rows = page.split('\n').map((line) => [...line.matchAll(/`(\w+:\/\/[^`]+)`/g)].map(([, url]) => url))
  const fixtures = await Promise.all(FIXTURES.map(readFixture))
  for (const { client_id, redirect_uris } of fixtures)
    expect(rows).toContainEqual([client_id, ...redirect_uris])
})

it('the metadata lets claude.ai and the others use their documents: with the switch, and with the method none', async () => {
  const url = `${examples.provider.issuer}/.well-known/oauth-authorization-server`
  const metadata = await (await fetch(url)).json()
  expect(metadata).toMatchObject({
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    token_endpoint_auth_methods_supported: expect.arrayContaining(['none', 'private_key_jwt']),
  })
})

it.each(REQUESTS)(
  '%s at %s with the method %s: signs in, calls the MCP server, refreshes',
  async (name, redirect_uri, method) => {
    const client = clientOf(name)
    const first = await redeem(client, redirect_uri, method)
    expect(first).toMatchObject({ scope: 'notes.read notes.write', token_type: 'Bearer' })
    const caller = {
      user: expect.any(String),
      client: client.client_id,
      scopes: ['notes.read', 'notes.write'],
    }
    expect(await whoami(first.access_token)).toEqual(caller)
    const second = await refresh(client, first.refresh_token ?? '', method)
    expect(second).toMatchObject({ scope: 'notes.read notes.write' })
    expect(await whoami(second.access_token)).toEqual(caller)
  },
)

it('the browser shows why a document is not usable, in the words of the page', async () => {
  const page = await readFile(new URL('../../../docs/connect-an-mcp-client.md', import.meta.url), 'utf8')
  const client_id = onThisMachine('https://claude.ai/oauth/no-such-document')
  const answer = await ann.open(
    `${examples.provider.issuer}/oauth/authorize?${new URLSearchParams({ client_id, response_type: 'code' })}`,
  )
  expect(answer.status).toBe(400)
  const shown = 'The client metadata of claude.ai.localhost is not usable: not_found'
  expect(answer.html).toContain(shown)
  expect(page).toContain(shown.replace('.localhost', ''))
})

it('what ChatGPT got with an assertion is not refreshed without one', async () => {
  const client = clientOf('chatgpt')
  const [, redirect_uri] = REQUESTS[3]
  const { refresh_token = '' } = await redeem(client, redirect_uri, 'private_key_jwt')
  expect(await refresh(client, refresh_token, 'none')).toMatchObject({ error: 'invalid_grant' })
  expect(await refresh(client, refresh_token, 'private_key_jwt')).toHaveProperty('access_token')
})
