/** docs/connect-an-mcp-client.md: with the settings that it shows, each client of its table registers and signs in. */

import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { launchBrowser, signIn, watch } from '@ostiary/test-kit/chromium'
import { type Person, person } from '@ostiary/test-kit/person'
import { PASSWORD, SECRET, type ServerProcess, startServer, USERNAME } from '@ostiary/test-kit/server'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'

const PAGE = await readFile(new URL('../../../docs/connect-an-mcp-client.md', import.meta.url), 'utf8')
/** The configuration, and the keys that admit certain clients alone. */
const [SETTINGS, ADMITTED] = [...PAGE.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) =>
  JSON.parse(json),
)

/** Client and redirect URIs of each row of the table. */
const [, TABLE = ''] = /## Redirect URIs\n([\s\S]*?)\n## /.exec(PAGE) ?? []
const ROWS = TABLE.split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter((cells) => cells.length === 5 && cells[2]?.includes('://'))
  .map(([, client = '', uris = '']): [string, string[]] => [
    client,
    [...uris.matchAll(/`([^`]+:\/\/[^`]+)`/g)].map(([, uri = '']) => uri),
  ])

let server: ServerProcess
let browser: Browser
let ann: Person

beforeAll(async () => {
  browser = await launchBrowser()
  server = await startServer({
    config: (port: number) => ({
      ...SETTINGS,
      oidc: { ...SETTINGS.oidc, ...ADMITTED.oidc },
      app: { url: `http://localhost:${port}` },
      users: [{ username: USERNAME, password: PASSWORD }],
    }),
    env: { OIDC_SECRET: SECRET },
  })
  ann = person(server.issuer)
})
afterAll(async () => {
  await browser.close()
  await server.stop()
})

let registrations = 0

/** Each with another name: the same metadata would be the same client. */
async function register(redirect_uris: string[]) {
  const client_name = `Agent ${++registrations}`
  const response = await fetch(`${server.issuer}/oauth/register`, {
    method: 'POST',
    body: JSON.stringify({ redirect_uris, application_type: 'native', client_name }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, string> }
}

const verifier = randomBytes(32).toString('base64url')

const SCOPE = 'notes.read notes.write'

const authorizeUrl = (client_id: string, redirect_uri: string, scope = SCOPE): string =>
  `${server.issuer}/oauth/authorize?${new URLSearchParams({
    client_id,
    redirect_uri,
    response_type: 'code',
    scope,
    state: 's',
    resource: 'https://mcp.example.com/mcp',
    code_challenge_method: 'S256',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  })}`

/** Through sign-in, if asked for, and consent; resolves with the last address. */
async function allowed(client_id: string, redirect_uri: string, scope = SCOPE): Promise<URL> {
  let page = await ann.open(authorizeUrl(client_id, redirect_uri, scope))
  if (page.html.includes('name="password"'))
    page = await ann.submit(page, { username: USERNAME, password: PASSWORD })
  expect(page.html).toContain('Read your notes')
  return (await ann.submit(page)).url
}

it('the table has a row for each client that the page is about', () => {
  const clients = ROWS.map(([client]) => client).join(', ')
  for (const name of ['Claude', 'Claude Code', 'Cursor', 'VS Code', 'ChatGPT'])
    expect(clients).toContain(name)
})

it.each(ROWS)('%s registers, and gets its code at each of its addresses', async (_, redirect_uris) => {
  for (const uri of redirect_uris) {
    const { status, body } = await register(redirect_uris)
    expect([status, body]).toMatchObject([201, { redirect_uris, token_endpoint_auth_method: 'none' }])
    const answer = await allowed(body.client_id ?? '', uri)
    expect(answer.href.startsWith(`${uri}?code=`)).toBe(true)
    expect(answer.searchParams.get('iss')).toBe(server.issuer)
  }
})

it('a loopback redirect may use another port than the registered one, as when VS Code finds its port in use', async () => {
  const { client_id = '' } = (await register(['https://vscode.dev/redirect', 'http://127.0.0.1:33418/'])).body
  const answer = await allowed(client_id, 'http://127.0.0.1:59656/')
  expect(answer.href.startsWith('http://127.0.0.1:59656/?code=')).toBe(true)
})

it.each([
  ['https://evil.example/callback', 'allowed_redirect_domains'],
  ['https://claude.ai.evil.example/api/mcp/auth_callback', 'allowed_redirect_domains'],
  ['zed://host/callback', 'allowed_redirect_schemes'],
])('another address is refused: %s', async (uri, key) => {
  const { status, body } = await register(['http://127.0.0.1/', uri])
  expect([status, body.error]).toEqual([400, 'invalid_redirect_uri'])
  expect(body.error_description).toContain(uri)
  expect(body.error_description).toContain(key)
})

async function token(form: Record<string, string>) {
  const response = await fetch(`${server.issuer}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  return (await response.json()) as Record<string, string>
}

it('a sign-out ends a connection, unless it has offline_access', async () => {
  const redirect_uri = 'http://localhost:8787/callback'
  const connections: Record<string, string>[] = []
  for (const scope of [SCOPE, `${SCOPE} offline_access`]) {
    const { client_id = '' } = (await register([redirect_uri])).body
    const code = (await allowed(client_id, redirect_uri, scope)).searchParams.get('code') ?? ''
    const grant = { grant_type: 'authorization_code', client_id, redirect_uri, code }
    const { refresh_token = '' } = await token({ ...grant, code_verifier: verifier })
    connections.push({ grant_type: 'refresh_token', client_id, refresh_token })
  }
  await ann.submit(await ann.open(`${server.issuer}/oauth/logout`))
  expect(await Promise.all(connections.map(token))).toEqual([
    expect.objectContaining({ error: 'invalid_grant' }),
    expect.objectContaining({ scope: `${SCOPE} offline_access` }),
  ])
})

it('Chromium follows the consent to an address with a private-use scheme', async () => {
  const uri = 'cursor://anysphere.cursor-mcp/oauth/callback'
  const { client_id = '' } = (await register([uri])).body
  const page = await browser.newPage()
  const faults = watch(page)
  await page.goto(authorizeUrl(client_id, uri))
  await signIn(page)
  const left = page.waitForEvent('requestfailed')
  await page.getByRole('button', { name: 'Allow' }).click()
  // Cursor is not installed here. A redirect that the page's policy forbids would fail differently.
  expect([(await left).url(), (await left).failure()?.errorText]).toEqual([
    expect.stringMatching(/^cursor:\/\/anysphere\.cursor-mcp\/oauth\/callback\?code=/),
    'net::ERR_ABORTED',
  ])
  expect(faults).toEqual([])
})
