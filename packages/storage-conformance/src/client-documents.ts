import type { ClientDocumentStore } from '@ostiary/core'
import { expect } from 'vitest'
import { clientDocument, LATER, LONG_AGO, LONG_TEXT, NOW, ODD_LIST, ODD_TEXT } from './records.js'
import { drain, parallel, type Rules, winnersOf } from './rule.js'

export function clientDocumentRules({ rule, realmsRule }: Rules): void {
  rule('put: a document is found exactly as it was stored', async ({ store, key }) => {
    const documents = store.client_documents
    const records = [
      clientDocument(key('full')),
      clientDocument(key('bare'), { document: '', etag: null, last_modified: null }),
      clientDocument(key('long'), { document: LONG_TEXT.slice(0, 5120), etag: LONG_TEXT }),
      clientDocument(key('odd'), { document: ODD_TEXT, last_modified: ODD_TEXT, changed_at: 2 ** 40 }),
      clientDocument(key('https://a.example/{b}[c]*?d\\%2F:e')),
    ]
    for (const record of records) await documents.put(record)
    for (const record of records) expect(await documents.find(record.client_id)).toEqual(record)
  })

  rule('find: null for an unknown id with any text', async ({ store, key }) => {
    await store.client_documents.put(clientDocument(key('a')))
    for (const unknown of [key('b'), key('A'), `${key('a')} `, ...ODD_LIST])
      expect(await store.client_documents.find(unknown)).toBeNull()
  })

  rule('put: replaces a document that was fetched earlier, or at the same time', async ({ store, key }) => {
    const documents = store.client_documents
    const bystander = clientDocument(key('b'))
    const next = clientDocument(key('a'), { document: '{}', etag: null, expires_at: LATER + 9 })
    await documents.put(bystander)
    await documents.put(clientDocument(key('a')))
    await documents.put(next)
    expect(await documents.find(key('a'))).toEqual(next)
    const later = clientDocument(key('a'), { fetched_at: NOW + 1 })
    await documents.put(later)
    expect(await documents.find(key('a'))).toEqual(later)
    expect(await documents.find(key('b'))).toEqual(bystander)
  })

  rule('put: keeps a document that was fetched later', async ({ store, key }) => {
    const stored = clientDocument(key('a'), { fetched_at: NOW + 1 })
    await store.client_documents.put(stored)
    await store.client_documents.put(clientDocument(key('a'), { document: '{}', expires_at: LATER + 9 }))
    expect(await store.client_documents.find(key('a'))).toEqual(stored)
  })

  rule('put: of 50 parallel callers, the document that was fetched last stays', async ({ store, key }) => {
    const fetched = (n: number) => clientDocument(key('a'), { fetched_at: NOW + ((n * 7) % 50) })
    await parallel(50, (n) => store.client_documents.put(fetched(n)))
    expect(await store.client_documents.find(key('a'))).toEqual(
      clientDocument(key('a'), { fetched_at: NOW + 49 }),
    )
  })

  rule('list: in the order of client_id, after the given one', async ({ store, key }) => {
    const documents = store.client_documents
    expect(await documents.list({ limit: 10 })).toEqual([])
    for (const name of ['c', 'a', 'b']) await documents.put(clientDocument(key(name)))
    const [a, b, c] = ['a', 'b', 'c'].map((name) => clientDocument(key(name)))
    expect(await documents.list({ limit: 10 })).toEqual([a, b, c])
    expect(await documents.list({ limit: 2 })).toEqual([a, b])
    expect(await documents.list({ after: key('b'), limit: 2 })).toEqual([c])
    expect(await documents.list({ after: key('aa'), limit: 1 })).toEqual([b])
    expect(await documents.list({ after: key('c'), limit: 2 })).toEqual([])
  })

  rule('list: page by page, each document is listed exactly once', async ({ store, key }) => {
    const ids = ['A', 'a', 'a-b', 'a_b', 'a.b', 'ab', 'a/b', 'a%2Fb', 'Z', '1', '10', '2', '~'].map((name) =>
      key(name),
    )
    for (const client_id of ids) await store.client_documents.put(clientDocument(client_id))
    expect((await walk(store.client_documents, 3)).sort()).toEqual(ids.sort())
  })

  rule('delete: true once, for one of 50 parallel callers', async ({ store, key }) => {
    const documents = store.client_documents
    for (const name of ['a', 'b']) await documents.put(clientDocument(key(name)))
    const results = await parallel(50, () => documents.delete(key('a')))
    expect(winnersOf(results)).toHaveLength(1)
    expect(await documents.delete(key('none'))).toBe(false)
    expect(await documents.find(key('a'))).toBeNull()
    expect(await documents.list({ limit: 10 })).toEqual([clientDocument(key('b'))])
  })

  rule('delete: a document that was fetched earlier may be stored afterwards', async ({ store, key }) => {
    await store.client_documents.put(clientDocument(key('a'), { fetched_at: NOW + 9 }))
    await store.client_documents.delete(key('a'))
    await store.client_documents.put(clientDocument(key('a')))
    expect(await store.client_documents.find(key('a'))).toEqual(clientDocument(key('a')))
  })

  rule('purge: deletes documents that have expired, and no others', async ({ store, key }) => {
    const documents = store.client_documents
    await documents.put(clientDocument(key('old'), { expires_at: NOW }))
    await documents.put(clientDocument(key('new'), { expires_at: NOW + 1 }))
    await documents.put(clientDocument(key('renewed'), { fetched_at: LONG_AGO, expires_at: NOW }))
    await documents.put(clientDocument(key('renewed')))
    await drain(store, NOW)
    expect(await documents.find(key('old'))).toBeNull()
    expect(await walk(documents, 10)).toEqual([key('new'), key('renewed')])
    await drain(store, NOW)
    expect(await documents.find(key('new'))).toEqual(clientDocument(key('new'), { expires_at: NOW + 1 }))
  })

  realmsRule('unknown in the other realm', async ({ store, other, key }) => {
    const record = clientDocument(key('a'))
    await store.client_documents.put(record)
    expect(await other.client_documents.find(key('a'))).toBeNull()
    expect(await other.client_documents.list({ limit: 10 })).toEqual([])
    expect(await other.client_documents.delete(key('a'))).toBe(false)
    await other.client_documents.put(clientDocument(key('a'), { fetched_at: LONG_AGO, expires_at: LONG_AGO }))
    await drain(other, NOW)
    expect(await other.client_documents.find(key('a'))).toBeNull()
    expect(await store.client_documents.find(key('a'))).toEqual(record)
  })
}

async function walk(documents: ClientDocumentStore, limit: number): Promise<string[]> {
  const seen: string[] = []
  for (let pages = 0; pages < 100; pages += 1) {
    const after = seen.at(-1)
    const page = await documents.list(after === undefined ? { limit } : { after, limit })
    if (page.length === 0) break
    seen.push(...page.map(({ client_id }) => client_id))
  }
  return seen
}
