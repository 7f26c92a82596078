/** docs/audit-sinks.md: its receivers acknowledge what a server sends them, and refuse what they should. */

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createAudit, memoryAuditStore } from '@ostiary/audit'
import { createSinks, memorySinkStore, type SinkSettings } from '@ostiary/audit-sinks'
import { createProvider } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { eventually } from '@ostiary/test-kit/eventually'
import { freePort } from '@ostiary/test-kit/ports'
import { expect, it, onTestFinished } from 'vitest'
import { fence } from './fences.ts'

const PAGE = 'docs/audit-sinks.md'
const SECRET = `whsec_${Buffer.from('a secret of more than 24 bytes').toString('base64')}`

/** Below this package, where the names of packages resolve as for a user. */
function ownFolder(): string {
  const folder = mkdtempSync(join(fileURLToPath(new URL('..', import.meta.url)), '.receiver-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The receiver of the page, on a free port. */
async function receiver(block: string, replaced: Record<string, string>, env: Record<string, string> = {}) {
  const port = await freePort()
  let code = block.replace('listen(8080)', `listen(${port}, '127.0.0.1', () => console.log('listening'))`)
  const url = `http://127.0.0.1:${port}/`
  for (const [from, to] of Object.entries({ ...replaced, 'https://risk.example.com/events': url }))
    code = code.replaceAll(from, to)
  const file = join(ownFolder(), 'receiver.mjs')
  await writeFile(file, code)
  const child = spawn(process.execPath, [file], { env: { PATH: process.env.PATH, ...env } })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      output += text
    })
  await eventually(() => expect(output).toContain('listening\n'))
  return { url, lines: () => output.split('\n').slice(1, -1) }
}

/** A provider that serves its JWKS, and a sink of its audit. */
async function place() {
  let now = Math.floor(Date.now() / 1000)
  const port = await freePort()
  const issuer = `http://localhost:${port}`
  const store = memoryAuditStore()
  const audit = createAudit({ store, now: () => now })
  const provider = createProvider({
    oidc: { issuer },
    secret: 'the-secret-of-the-tests-is-long-enough',
    storage: memoryStorage(),
    accounts: { find: async () => null },
    interactions: { login: async () => new Response('') },
    on_event: audit.onEvent,
  })
  const server = createServer(async (request, response) => {
    const answer = await provider.fetch(new Request(new URL(request.url ?? '', issuer)))
    response.writeHead(answer.status).end(await answer.text())
  }).listen(port)
  onTestFinished(() => void server.close())
  const keysOf = async () => (await provider.manage()).keys
  const reasons: string[] = []
  return {
    issuer,
    reasons,
    /** The row of a change, as it is delivered. */
    async delivered(sink: SinkSettings) {
      const sinks = createSinks({
        sinks: [{ ...sink, allow_private: true }],
        audit: store,
        store: memorySinkStore(store),
        fetch: () => fetch,
        keysOf,
        on_event: ({ reason }) => void reasons.push(reason),
      })
      sinks.start(['default'])
      await sinks.settled()
      const change = { realm: 'default', type: 'client.update', client_id: 'notes', ids: {} }
      await audit.change(change, async () => true)
      now += 130
      await audit.tick(['default'], keysOf)
      sinks.start(['default'])
      await sinks.settled()
      await sinks.stop()
      return (await store.page('default', { limit: 1 }))[0]
    },
  }
}

it('the receiver of webhooks acknowledges a row, and refuses another secret', async () => {
  const code = fence(PAGE, '// webhooks.mjs')
  const { delivered, reasons } = await place()
  const { url, lines } = await receiver(code, {}, { SIEM_SECRET: SECRET })
  await delivered({ url, format: 'json', secret: SECRET })
  expect(reasons).toEqual([])
  await eventually(() => expect(lines()).toContain('client.update done system'))
  const other = await place()
  await other.delivered({ url, format: 'json', secret: `whsec_${'A'.repeat(32)}` })
  expect(other.reasons).toEqual(['status_401'])
})

it('the receiver of Security Event Tokens needs the JWKS alone, and refuses those of another issuer', async () => {
  const code = fence(PAGE, '// security-events.mjs')
  const { issuer, delivered, reasons } = await place()
  const { url, lines } = await receiver(code, { 'https://id.example.com': issuer })
  const row = await delivered({ url, format: 'set', events: ['client.update'] })
  expect(reasons).toEqual([])
  await eventually(() => expect(lines()).toEqual([`${row?.audit_id} urn:ostiary:audit:client.update`]))
  const other = await place()
  await other.delivered({ url, format: 'set', events: ['client.update'] })
  expect(other.reasons).toEqual(['err_invalid_key'])
})

it('the row of the page has the members that are sent', async () => {
  const { delivered } = await place()
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    bodies.push(body)
    response.end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await eventually(() => expect(server.listening).toBe(true))
  const { port } = server.address() as { port: number }
  await delivered({
    url: `http://127.0.0.1:${port}/`,
    format: 'json',
    secret: SECRET,
    events: ['client.update'],
  })
  const code = encodeURIComponent(`export ${fence(PAGE, 'const row = {')}`)
  const { row } = await import(/* @vite-ignore */ `data:text/javascript,${code}`)
  expect(Object.keys(JSON.parse(bodies[0] ?? '').data)).toEqual(Object.keys(row))
})
