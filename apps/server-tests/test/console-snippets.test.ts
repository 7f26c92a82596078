/** The lines of code that the console shows for a client: each is run as it is, with the library that it names. */

import { person } from '@ostiary/test-kit/person'
import { callbackServer, configFor, PASSWORD, SECRET, startServer, USERNAME } from '@ostiary/test-kit/server'
import * as client from 'openid-client'
import { expect, it, onTestFinished } from 'vitest'
import { type Kind, snippetOf } from '../../../packages/console-clients/src/clients/kinds.ts'

const BACKEND = {
  client_id: 'backend',
  client_secret: 'a-secret-of-this-test-which-is-long-enough',
  grant_types: ['authorization_code', 'client_credentials'],
}

async function place() {
  const callback = await callbackServer()
  onTestFinished(() => callback.close())
  const redirect_uris = [callback.url]
  const clients = [
    { ...BACKEND, redirect_uris },
    { client_id: 'phone', redirect_uris },
  ]
  const server = await startServer({
    config: (port: number) => ({ ...configFor(callback.url)(port), clients }),
    env: { OIDC_SECRET: SECRET, OSTIARY_STORAGE: 'memory' },
  })
  onTestFinished(async () => void (await server.stop()))
  return { server, callback }
}

type Lines = (
  library: typeof client,
  process: { env: Record<string, string> },
  browse: (url: URL) => Promise<{ url: string }>,
) => Promise<unknown>

/** Runs the lines. @param browse What sends the browser to the URL, and gets the request with which it comes back. */
function run(lines: string, browse: Parameters<Lines>[2]): Promise<unknown> {
  const body = lines
    .replace("import * as client from 'openid-client'", '')
    .replace(/^\/\/ Send the browser to url\..*$/m, 'const request = await browse(url)')
  const made = Function(
    'client',
    'process',
    'browse',
    `return (async () => { ${body}\nreturn tokens })()`,
  ) as Lines
  return made(client, { env: { CLIENT_SECRET: BACKEND.client_secret } }, browse)
}

it.each<[Kind, string]>([
  ['web', 'backend'],
  ['native', 'phone'],
])('%s: the user signs in, and the tokens are there', async (kind, client_id) => {
  const { server, callback } = await place()
  const lines = snippetOf(kind, { issuer: server.issuer, client_id, redirect_uri: callback.url })
  const tokens = await run(lines, async (url) => {
    const ann = person(server.issuer)
    let page = await ann.submit(await ann.open(url), { username: USERNAME, password: PASSWORD })
    if (page.url.origin === server.issuer) page = await ann.submit(page)
    return { url: page.url.pathname + page.url.search }
  })
  expect(tokens).toMatchObject({ access_token: expect.any(String), id_token: expect.any(String) })
})

it('machine: it gets a token', async () => {
  const { server, callback } = await place()
  const lines = snippetOf('machine', {
    issuer: server.issuer,
    client_id: 'backend',
    redirect_uri: callback.url,
  })
  const tokens = await run(lines, () => Promise.reject(new Error('there is no browser')))
  expect(tokens).toMatchObject({ access_token: expect.any(String) })
})

it('with https, nothing of development is in the lines', () => {
  for (const kind of ['web', 'native', 'machine'] as const) {
    const issuer = 'https://id.example.com'
    const lines = snippetOf(kind, { issuer, client_id: 'app', redirect_uri: 'https://app.example.com/cb' })
    expect(lines).not.toContain('Insecure')
  }
})
