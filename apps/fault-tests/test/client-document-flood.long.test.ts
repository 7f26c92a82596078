/** A stranger asks for 10,000 client_ids that are URLs, each of another path, from one address. */

import { readFileSync } from 'node:fs'
import { ownDatabase } from '@ostiary/test-kit/database'
import { documentServer } from '@ostiary/test-kit/document-server'
import { freePort } from '@ostiary/test-kit/ports'
import { SECRET, type ServerProcess, startServer } from '@ostiary/test-kit/server'
import { expect, it, onTestFinished } from 'vitest'
import { report } from './report.ts'

const COUNT = 10_000
/** Under way at the same time. */
const CONNECTIONS = 32
/** A server that has just started grows by about 40 with 10,000 requests of any kind; each kept URL would add 5 KiB. */
const MAX_GROWTH_MIB = 80
const CALLBACK = 'https://app.example.com/callback'
const STRANGER = '203.0.113.9'
const HONEST = '198.51.100.7'

function residentMiB({ child }: ServerProcess): number {
  const [, kB = 'NaN'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kB) / 1024)
}

it(`${COUNT} client_ids of one stranger: a bounded number of requests, bounded memory, and clients work`, async () => {
  const documents = await documentServer(['stranger.localhost', 'client.localhost'])
  onTestFinished(() => documents.close())
  const port = await freePort()
  const issuer = `http://localhost:${port}`
  const server = await startServer({
    port,
    config: {
      app: { url: issuer },
      trusted_proxies: ['127.0.0.1'],
      oidc: { preset: 'mcp' },
    },
    env: {
      DATABASE_URL: await ownDatabase(),
      OIDC_SECRET: SECRET,
      NODE_EXTRA_CA_CERTS: documents.ca_file,
    },
  })
  onTestFinished(async () => void (await server.stop()))

  const statusOf = async (client_id: string, address: string): Promise<number> => {
    const query = new URLSearchParams({
      client_id,
      redirect_uri: CALLBACK,
      response_type: 'code',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    })
    const response = await fetch(`${issuer}/oauth/authorize?${query}`, {
      redirect: 'manual',
      headers: { 'x-forwarded-for': address },
    })
    await response.arrayBuffer()
    return response.status
  }

  let fetched = 0
  const urls = Array.from({ length: COUNT }, (_, i) => documents.url('stranger.localhost', `/${i}.json`))
  for (const url of urls)
    documents.put(url, (_, response) => {
      fetched += 1
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ client_id: url, redirect_uris: [CALLBACK] }))
    })
  const before = residentMiB(server)
  const counts: Record<number, number> = {}
  const started = Date.now()
  let next = 0
  const stranger = async () => {
    for (let url = urls[next++]; url !== undefined; url = urls[next++]) {
      const status = await statusOf(url, STRANGER)
      counts[status] = (counts[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, stranger))
  const seconds = (Date.now() - started) / 1000
  const growth = residentMiB(server) - before

  const honest = documents.url('client.localhost', '/client.json')
  documents.put(honest, { client_id: honest, redirect_uris: [CALLBACK] })
  const served = await statusOf(honest, HONEST)
  report(`${COUNT} client_ids of one stranger`, { statuses: counts, fetched, seconds, growth_in_MiB: growth })
  // 12 a minute of one address; the flood may last longer than a minute.
  expect(fetched).toBeLessThanOrEqual(12 * (1 + Math.ceil(seconds / 60)))
  expect(counts).toEqual({ 302: fetched, 429: COUNT - fetched })
  expect(growth).toBeLessThan(MAX_GROWTH_MIB)
  expect(served).toBe(302)
})
