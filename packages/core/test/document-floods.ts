/** A flood of client_ids that are URLs: what it costs, and for whom a client still works meanwhile. */

import { memoryStorage } from '@ostiary/core/memory'
import { publishedDocuments } from '@ostiary/test-kit/published-documents'
import { expect, it } from 'vitest'
import type { RealmStorage, Storage } from '../src/index.ts'
import { authorizeUrl, REDIRECT_URI, world } from './support.js'

export const CACHED = 'https://cached.example/client.json'
export const USED = 'https://used.example/client.json'
const NEW = 'https://new.example/client.json'
export const oidc = { clients: { metadata_documents: { enabled: true } } }

/** The operations of the storage that were called, by their names. */
function recorded(storage: Storage) {
  const calls = new Set<string>()
  const observed = (store: object, name: string) =>
    new Proxy(store, {
      get(target, operation) {
        const value = Reflect.get(target, operation)
        if (typeof value !== 'function') return value
        return (...input: unknown[]) => {
          calls.add(`${name}.${String(operation)}`)
          return value.apply(target, input)
        }
      },
    })
  const stores = (realm: string): RealmStorage => {
    const entries = Object.entries(storage(realm)).map(([name, store]) =>
      typeof store === 'object' ? [name, observed(store, name)] : [name, store],
    )
    return Object.fromEntries(entries)
  }
  return { calls, storage: Object.assign(stores, storage) as Storage }
}

export async function setUp() {
  const documents = publishedDocuments()
  for (const client_id of [CACHED, USED, NEW]) documents.put({ client_id, redirect_uris: [REDIRECT_URI] })
  const memory = memoryStorage()
  const { fetch_document } = documents
  const before = await world({ storage: memory, fetch_document, clients: [], oidc })
  await before.browser().code({ client_id: USED })
  // A server that has just started.
  const { storage, calls } = recorded(memory)
  const w = await world({ storage, fetch_document, clients: [], oidc })
  const status = async (client_id: string, address?: string, redirect_uri = REDIRECT_URI) => {
    const request = new Request(authorizeUrl(w.issuer, { client_id, redirect_uri }))
    return (await w.provider.fetch(request, address === undefined ? {} : { address })).status
  }
  expect(await status(CACHED, '198.51.100.1')).toBe(302)
  documents.requests.length = 0
  calls.clear()
  return { w, documents, status, calls }
}

const READS = ['clients.find', 'client_documents.find']

/** How many of the requests got each status. */
async function flood(
  count: number,
  request: (index: number) => Promise<number>,
): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  for (let index = 0; index < count; index += 1) {
    const status = await request(index)
    counts[status] = (counts[status] ?? 0) + 1
  }
  return counts
}

/** Tests with floods of so many client_ids. */
export function documentFloods(count: number): void {
  it(`${count} URLs of one address cause 12 requests a minute, write nothing, and stop no client`, async () => {
    const { documents, status, calls } = await setUp()
    const counts = await flood(count, (index) => status(`https://host-${index}.example/c`, '192.0.2.1'))
    expect(counts).toEqual({ 400: 12, 429: count - 12 })
    expect(documents.requests).toHaveLength(12)
    expect([...calls].sort()).toEqual(READS.toSorted())
    // Every client works meanwhile, also one that is seen for the first time.
    expect(await Promise.all([CACHED, USED, NEW].map((id) => status(id, '198.51.100.1')))).toEqual([
      302, 302, 302,
    ])
    // The attacker's own address cannot cause requests for anything but a client in use.
    expect([await status(USED, '192.0.2.1'), await status(CACHED, '192.0.2.1')]).toEqual([302, 302])
  })

  it(`${count} URLs of as many addresses and hosts cause 120 requests a minute; clients in use work`, async () => {
    const { w, documents, status, calls } = await setUp()
    const address = (index: number) => `10.1.${index >> 8}.${index & 255}`
    const counts = await flood(count, (index) => status(`https://host-${index}.example/c`, address(index)))
    // One of the 120 was that of the client before the flood.
    expect(counts).toEqual({ 400: 119, 429: count - 119 })
    expect(documents.requests).toHaveLength(119)
    expect([...calls].sort()).toEqual(READS.toSorted())
    expect([await status(CACHED, '198.51.100.1'), await status(USED, '198.51.100.1')]).toEqual([302, 302])
    // Only a client that was never used here has to wait, until the next minute in which there is room.
    expect(await status(NEW, '198.51.100.1')).toBe(429)
    w.clock.now += 60
    expect(await status(NEW, '198.51.100.1')).toBe(302)
  })
}
