/** The official MCP client, bundled for a page in a browser. What it remembers is in the page's `sessionStorage`. */

import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const PROGRAM = `
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'

const stored = (name) => JSON.parse(sessionStorage.getItem(name) ?? 'null') ?? undefined
const store = (name) => (value) => sessionStorage.setItem(name, JSON.stringify(value))
let asked

const authProvider = {
  redirectUrl: location.origin + location.pathname,
  clientMetadata: { client_name: 'Notes page', redirect_uris: [location.origin + location.pathname] },
  clientInformation: () => stored('client'),
  saveClientInformation: store('client'),
  tokens: () => stored('tokens'),
  saveTokens: store('tokens'),
  codeVerifier: () => stored('verifier'),
  saveCodeVerifier: store('verifier'),
  discoveryState: () => stored('discovery'),
  saveDiscoveryState: store('discovery'),
  state: () => 'the state',
  redirectToAuthorization: (url) => { asked = url.href },
}

/** Without tokens: the address of the authorization request. With the answer to it, or with tokens: the names of the tools. */
globalThis.connect = async (server) => {
  const transport = () => new StreamableHTTPClientTransport(new URL(server), { authProvider })
  const client = new Client({ name: 'notes-page', version: '1.0.0' })
  const answer = new URLSearchParams(location.search)
  if (answer.has('code')) await transport().finishAuth(answer)
  try {
    await client.connect(transport())
  } catch (error) {
    if (error instanceof UnauthorizedError) return { asked }
    throw error
  }
  const { tools } = await client.listTools()
  const { content } = await client.callTool({ name: 'whoami', arguments: {} })
  return { tools: tools.map(({ name }) => name), caller: JSON.parse(content[0].text) }
}
`

/** @returns A script that defines \`connect\` in the page. */
export async function mcpClientForPages(): Promise<string> {
  const resolveDir = fileURLToPath(new URL('.', import.meta.url))
  const { outputFiles } = await build({
    stdin: { contents: PROGRAM, resolveDir },
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    logLevel: 'error',
  })
  return outputFiles[0]?.text ?? ''
}
