/** How many clients with a metadata document one user brings into use: their documents have budgets that others need too. */

import { publishedDocuments } from '@ostiary/test-kit/published-documents'
import { expect, it } from 'vitest'
import { REDIRECT_URI, world } from './support.js'

const RESOURCES = { one: { scopes: [] }, two: { scopes: [] } }
const DAY = 86_400

const urlOf = (index: number) => `https://host-${index}.example/client.json`

async function setUp() {
  const documents = publishedDocuments()
  const w = await world({
    clients: [],
    oidc: { clients: { metadata_documents: { enabled: true } }, resources: RESOURCES },
    fetch_document: documents.fetch_document,
  })
  const ask = async (index: number, sub: string, resource = 'one') => {
    const client_id = urlOf(index)
    documents.put({ client_id, redirect_uris: [REDIRECT_URI] })
    // Each document is read in a minute of its own, below the limits of requests.
    w.clock.now += 60
    const { code, error } = await w.browser().code({ client_id, resource: `${w.issuer}/${resource}` }, sub)
    return code === undefined ? error : 'code'
  }
  const first = async (count: number, sub: string) => {
    const answers = []
    for (let index = 0; index < count; index += 1) answers.push(await ask(index, sub))
    return answers
  }
  return { w, ask, first }
}

const THIRTY = Array(30).fill('code')

it('30 in 90 days, and the next one is refused; another user has 30 of their own', async () => {
  const { first } = await setUp()
  expect(await first(31, 'bob')).toEqual([...THIRTY, 'temporarily_unavailable'])
  expect(await first(31, 'alice')).toEqual([...THIRTY, 'temporarily_unavailable'])
})

it('a client that the user has approved before does not count again, for another resource or after a change', async () => {
  const { w, ask, first } = await setUp()
  expect(await first(30, 'bob')).toEqual(THIRTY)
  expect(await ask(29, 'bob', 'two')).toBe('code')
  await w.storage('default').client_documents.delete(urlOf(3))
  expect(await ask(3, 'bob')).toBe('code')
  expect(await ask(30, 'bob')).toBe('temporarily_unavailable')
})

it('after 90 days the user may approve others', async () => {
  const { w, ask, first } = await setUp()
  expect(await first(31, 'bob')).toEqual([...THIRTY, 'temporarily_unavailable'])
  w.clock.now += 90 * DAY
  expect(await ask(31, 'bob')).toBe('code')
})

it('a refused approval stores neither a consent nor the document', async () => {
  const { w, first } = await setUp()
  await first(31, 'bob')
  const stored = w.storage('default')
  expect((await stored.consents.list('bob')).map(({ client_id }) => client_id)).not.toContain(urlOf(30))
  expect(await stored.client_documents.find(urlOf(30))).toBeNull()
})
