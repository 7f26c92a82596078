/** What a flood of client_ids that are URLs costs, and for whom a client still works meanwhile; the long run has a larger one. */

import { expect, it } from 'vitest'
import { parseConfig } from '../src/config/parse.ts'
import { fetchBudgets } from '../src/documents/fetch-budgets.ts'
import { metadataDocuments } from '../src/features/client-documents/documents.ts'
import { createRealm } from '../src/realm/create-realm.ts'
import { CACHED, documentFloods, oidc, setUp, USED } from './document-floods.ts'
import { REDIRECT_URI } from './support.js'

documentFloods(500)

it('URLs of the host of a client in use do not keep its document from being read again', async () => {
  const { w, documents, status } = await setUp()
  w.clock.now += 3600
  for (let index = 0; index < 200; index += 1)
    await status(`https://used.example/${index}`, `10.1.0.${index}`)
  expect(documents.requests).toHaveLength(30)
  expect(await status(USED, '198.51.100.1')).toBe(302)
  expect(documents.requests.at(-1)?.url).toBe(USED)
})

it('valid documents of an attacker fill the memory up to 1,000, and displace none that is used', async () => {
  const clock = { now: 1_800_000_000 }
  const budgets = fetchBudgets(() => clock.now)
  const { settings } = parseConfig({ issuer: 'https://id.example.com', ...oidc })
  const documents = metadataDocuments(createRealm('default', settings), {
    budgets,
    now: () => clock.now,
    async fetch_document(url) {
      const body = new TextEncoder().encode(JSON.stringify({ client_id: url, redirect_uris: [REDIRECT_URI] }))
      const headers = { 'content-type': 'application/json', 'cache-control': 'max-age=86400' }
      return { status: 200, headers: new Headers(headers), body }
    },
  })
  const read = (url: string, address: string | null) => documents.read(url, { address, used_by: 'none' })
  const first = await read(CACHED, null)
  let refused = 0
  for (let index = 0; index < 1300; index += 1) {
    clock.now += index % 130 === 0 ? 60 : 0
    const url = `https://host-${index % 130}.example/${index}`
    await read(url, `10.0.${index >> 8}.${index & 255}`).catch(() => (refused += 1))
    if (index % 100 === 0) expect(await read(CACHED, null)).toBe(first)
  }
  expect(refused).toBe(10 * 10)
  expect(documents.size()).toBe(1000)
  expect(budgets.size()).toBeLessThan(300)
})
