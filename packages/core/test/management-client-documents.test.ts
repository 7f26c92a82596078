/** How an operator lists and forgets the stored metadata documents of clients: `manage(realm).clients.documents`. */

import { publishedDocuments } from '@ostiary/test-kit/published-documents'
import { expect, it } from 'vitest'
import { answer, REDIRECT_URI, redeem, tokens, world } from './support.js'

const CLIENT_ID = 'https://client.example.com/metadata.json'
const OTHER_ID = 'https://other.example.com/metadata.json'

async function setUp() {
  const documents = publishedDocuments()
  for (const client_id of [CLIENT_ID, OTHER_ID]) documents.put({ client_id, redirect_uris: [REDIRECT_URI] })
  const oidc = { clients: { metadata_documents: { enabled: true } } }
  const w = await world({ clients: [], fetch_document: documents.fetch_document, oidc })
  return { w, documents, management: (await w.provider.manage()).clients.documents }
}

it('list and find: what users have used, in pages', async () => {
  const { w, management } = await setUp()
  expect(await management.list()).toEqual([])
  await w.browser().code({ client_id: CLIENT_ID })
  await w.browser().code({ client_id: OTHER_ID })
  const listed = await management.list()
  expect(listed).toMatchObject([{ client_id: CLIENT_ID }, { client_id: OTHER_ID }])
  expect(JSON.parse(listed[0]?.document ?? '')).toMatchObject({ client_id: CLIENT_ID })
  expect(await management.list({ limit: 1 })).toEqual(listed.slice(0, 1))
  expect(await management.list({ after: CLIENT_ID })).toEqual(listed.slice(1))
  expect(await management.find(OTHER_ID)).toEqual(listed[1])
})

it('forget: users are asked for consent again, and what they have goes on', async () => {
  const { w, management } = await setUp()
  const browser = w.browser()
  const { code } = await browser.code({ client_id: CLIENT_ID })
  const { body } = await redeem(w, code, { client_id: CLIENT_ID })
  const authorize = () => browser.authorize({ client_id: CLIENT_ID })
  expect(answer(await authorize()).code).toBeDefined()
  w.events.length = 0
  expect(await management.forget(CLIENT_ID)).toBe(true)
  expect(await management.find(CLIENT_ID)).toBeNull()
  expect(await management.forget(CLIENT_ID)).toBe(false)
  expect(await management.forget(OTHER_ID)).toBe(false)
  expect(w.events).toMatchObject([{ type: 'client_document.forgotten', client_id: CLIENT_ID }])
  expect(await management.list()).toEqual([])
  const refreshed = { grant_type: 'refresh_token', client_id: CLIENT_ID, refresh_token: body.refresh_token }
  expect((await tokens(w, refreshed)).status).toBe(200)
  expect((await authorize()).status).toBe(200)
  await browser.code({ client_id: CLIENT_ID })
  expect(answer(await authorize()).code).toBeDefined()
})
