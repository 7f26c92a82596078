/** mcp-remote between a client that speaks stdio and the example MCP server: registers, signs in, refreshes, stays after a sign-out. */

import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { launchBrowser, signIn } from '@ostiary/test-kit/chromium'
import { type DocumentServer, documentServer } from '@ostiary/test-kit/document-server'
import { eventually } from '@ostiary/test-kit/eventually'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { freePort } from '@ostiary/test-kit/ports'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Examples, startExamples } from './examples.ts'
import type { STORAGES, StartedStorage } from './storages.ts'

const PROGRAM = createRequire(import.meta.url).resolve('mcp-remote/dist/proxy.js')

/** A request of the client waits for a sign-in: only the clock of the test ends it. */
const NO_LIMIT = { timeout: 300_000 }

let examples: Examples
let browser: Browser
let documents: DocumentServer

interface Proxy {
  client: Client
  /** Resolves once the client is connected. */
  connected: Promise<void>
  /** The addresses that the proxy has printed for the user. */
  asked: string[]
  /** How often it has begun to listen for the browser's return. */
  listened: number
  /** All that it has printed: what a failed test shows. */
  printed: string[]
}

/** What the proxy keeps from one start to the next: its folder, and the port of its redirect URI, which its registration names. */
interface Installed {
  folder: string
  port: number
}

async function install(): Promise<Installed> {
  return { folder: await temporaryFolder(), port: await freePort() }
}

/**
 * The port is given: by default it follows from the server's address, and the proxy ends when another program has it.
 * @param options More of its command line.
 */
function startProxy({ folder, port }: Installed, ...options: string[]): Proxy {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, examples.get('mcp-server').url, String(port), ...options],
    // The test opens the address itself.
    env: { PATH: process.env.PATH ?? '', HOME: folder, MCP_REMOTE_CONFIG_DIR: folder, BROWSER: 'true' },
    stderr: 'pipe',
  })
  const lines = createInterface(transport.stderr as Readable)
  const client = new Client({ name: 'desktop', version: '1.0.0' })
  const connected = client.connect(transport, NO_LIMIT)
  const proxy: Proxy = { client, connected, asked: [], listened: 0, printed: [] }
  lines.on('line', (line) => {
    proxy.printed.push(line)
    if (line.includes('/oauth/authorize?')) proxy.asked.push(line.trim())
    if (line.includes('OAuth callback server running')) proxy.listened += 1
  })
  return proxy
}

const addNote = ({ client }: Proxy) =>
  client.callTool({ name: 'add_note', arguments: { note: 'remote' } }, undefined, NO_LIMIT)
/** The preset advertises `offline_access`, and the proxy asks for what it sees there. */
const FIRST_SCOPES = ['notes.read', 'offline_access']
const NOTED = expect.objectContaining({ content: [{ type: 'text', text: 'Noted' }] })

async function whoami({ client }: Proxy): Promise<Record<string, unknown>> {
  const { content } = (await client.callTool({ name: 'whoami' }, undefined, NO_LIMIT)) as {
    content: { text: string }[]
  }
  return JSON.parse(content[0]?.text ?? '')
}

/** Replaces the stored access token by an invalid one: the server refuses it as after its expiry. */
async function loseAccessToken(folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true })
  const name = files.find((file) => file.endsWith('_tokens.json'))
  const path = join(folder, name ?? 'no tokens are stored')
  const tokens = JSON.parse(await readFile(path, 'utf8'))
  await writeFile(path, JSON.stringify({ ...tokens, access_token: 'expired' }))
}

/**
 * Waits until the proxy has asked so many times, and listens: it prints the address of a later sign-in before it opens the port
 * to which the browser returns. @returns The last address.
 */
async function question(proxy: Proxy, count: number): Promise<string> {
  await eventually(() => {
    expect(proxy.asked.length, proxy.printed.join('\n')).toBe(count)
    expect(proxy.listened, proxy.printed.join('\n')).toBe(count)
  })
  return proxy.asked.at(-1) ?? ''
}

async function allow(page: Page, url: string): Promise<void> {
  await page.goto(url)
  // The user signs in once.
  if (await page.getByLabel('Password').isVisible()) await signIn(page)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL('**/oauth/callback?**')
}

/** Its tests, on each of these storages. */
export function mcpRemote(storages: typeof STORAGES): void {
  beforeAll(async () => {
    browser = await launchBrowser()
    documents = await documentServer(['proxy.localhost'])
  })
  afterAll(async () => {
    await browser.close()
    await documents.close()
  })

  describe.each(storages)('on %s:', (_, startStorage) => {
    let storage: StartedStorage
    beforeAll(async () => {
      storage = await startStorage()
      examples = await startExamples(['mcp-server'], { env: storage.env, documents_of: documents })
    })
    afterAll(async () => {
      await examples?.stop()
      await storage?.stop?.()
    })

    it('publishes its metadata, signs in and asks for more scopes, without a registration', async () => {
      const client_id = documents.url('proxy.localhost', '/client.json')
      const redirect_uris = ['http://localhost/oauth/callback']
      documents.put(client_id, { client_id, client_name: 'The proxy', redirect_uris })
      const page = await (await browser.newContext()).newPage()
      const proxy = startProxy(await install(), '--client-metadata-url', client_id)
      await allow(page, await question(proxy, 1))
      await proxy.connected
      expect(await whoami(proxy)).toMatchObject({ client: client_id, scopes: FIRST_SCOPES })
      const adding = addNote(proxy)
      await allow(page, await question(proxy, 2))
      expect(await adding).toEqual(NOTED)
      expect(examples.provider.logged('client.registered')).toEqual([])
      await proxy.client.close()
    })

    it('registers, signs in, asks for more scopes; refreshes after a restart and a sign-out; asks again after the withdrawal', async () => {
      const installed = await install()
      const page = await browser.newPage()
      const first = startProxy(installed)
      await allow(page, await question(first, 1))
      await first.connected
      expect(await whoami(first)).toMatchObject({ scopes: FIRST_SCOPES })
      const adding = addNote(first)
      await allow(page, await question(first, 2))
      expect(await adding).toEqual(NOTED)
      await first.client.close()

      await loseAccessToken(installed.folder)
      const second = startProxy(installed)
      await second.connected
      expect(await addNote(second)).toEqual(NOTED)
      await second.client.close()
      await eventually(() =>
        expect(
          examples.provider
            .logged('token.issued')
            .map(({ grant_type }) => grant_type)
            .slice(-3),
        ).toEqual(['authorization_code', 'authorization_code', 'refresh_token']),
      )

      await page.goto(`${examples.provider.issuer}/oauth/logout`)
      await page.getByRole('button', { name: 'Sign out' }).click()
      await eventually(() => expect(examples.provider.logged('session.ended')).toHaveLength(1))
      await loseAccessToken(installed.folder)
      const third = startProxy(installed)
      await third.connected
      expect(await addNote(third)).toEqual(NOTED)
      await third.client.close()

      await page.goto(`${examples.provider.issuer}/account`)
      await signIn(page)
      await page.getByRole('button', { name: 'Withdraw', description: '“MCP CLI Proxy”' }).click()
      await eventually(() => expect(examples.provider.logged('consent.revoked')).toHaveLength(1))
      await loseAccessToken(installed.folder)
      const fourth = startProxy(installed)
      fourth.connected.catch(() => {})
      expect(await question(fourth, 1)).toContain(`${examples.provider.issuer}/oauth/authorize?`)
      await fourth.client.close()
    })
  })
}
