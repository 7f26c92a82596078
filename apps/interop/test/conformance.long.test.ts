/** The official conformance tool for MCP, its `authorization` command, against the server as a process. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { launchBrowser, signIn } from '@ostiary/test-kit/chromium'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { freePort } from '@ostiary/test-kit/ports'
import { configFor, DEFAULT_KEYS, IN_MEMORY, type ServerProcess, startServer } from '@ostiary/test-kit/server'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'

const TOOL = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js')

const node = inject('runtimes').node22
let server: ServerProcess
let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
  server = await startServer({
    config(port: number) {
      const config = configFor('http://127.0.0.1/callback', DEFAULT_KEYS)(port)
      return { ...config, oidc: { preset: 'mcp', ...config.oidc } }
    },
    env: IN_MEMORY,
  })
})
afterAll(async () => {
  await browser.close()
  await server.stop()
})

/** Runs the tool to its end; `see` is shown each line that it writes. */
async function authorization(args: string[], see: (line: string) => Promise<void>) {
  const child = spawn(node, [TOOL, 'authorization', ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'close')
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const lines: string[] = []
  try {
    for await (const line of createInterface(child.stdout)) {
      lines.push(line)
      await see(line)
    }
    const [code] = await exited
    return { code, output: lines.join('\n') }
  } finally {
    kill()
    process.off('exit', kill)
  }
}

/** The tool writes one file of checks for each scenario. */
async function checksIn(folder: string): Promise<{ id: string; status: string }[]> {
  const files = await readdir(folder, { recursive: true })
  const checks = files.filter((file) => file.endsWith('checks.json'))
  const lists = await Promise.all(checks.map((file) => readFile(join(folder, file), 'utf8')))
  return lists.flatMap((list) => JSON.parse(list))
}

it('both scenarios of its authorization command pass without a warning, with a token for a resource', async () => {
  const folder = await temporaryFolder()
  const page = await browser.newPage()
  const port = String(await freePort())
  const args = ['--url', server.issuer, '--client-id', 'notes', '--port', port, '--output-dir', folder]
  const result = await authorization([...args, '--resource', `${server.issuer}/api/notes`], async (line) => {
    if (!line.startsWith(`${server.issuer}/oauth/authorize?`)) return
    await page.goto(line)
    await signIn(page)
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(`http://127.0.0.1:${port}/callback?**`)
  })
  expect(result.output).toContain('Total: 3 passed, 0 failed')
  expect(result.code).toBe(0)
  const checks = await checksIn(folder)
  expect(checks.map(({ id }) => id)).toContain('authorization-server-metadata-cimd')
  expect(checks.filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO')).toEqual([])
})
