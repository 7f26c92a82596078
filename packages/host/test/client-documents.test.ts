/** The provider of a server reads metadata documents with the guarded fetch, and the configuration decides about this machine. */

import { documentServer } from '@ostiary/test-kit/document-server'
import { expect, it, onTestFinished } from 'vitest'
import { FILE, startApp } from './support.ts'

const authorize = (client_id: string) => {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: 'http://localhost:8080/callback',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  })
  return `/oauth/authorize?${query}`
}

/** Why the server refuses a document of this machine, which it could only get without a trusted certificate. */
async function refusal(oidc: object, url = FILE.app.url): Promise<unknown> {
  const documents = await documentServer(['client.localhost'])
  onTestFinished(() => documents.close())
  const client_id = documents.url('client.localhost', '/client.json')
  documents.put(client_id, { client_id, client_name: 'Client', redirect_uris: ['http://localhost/callback'] })
  const { get, logged } = await startApp({ app: { url }, oidc })
  expect((await get(authorize(client_id))).status).toBe(400)
  expect(documents.requests(client_id)).toBe(0)
  return logged('client_document.refused').map(({ host, reason }) => [host, reason])
}

it('reaches no document on this machine', async () => {
  const url = 'https://id.example.com'
  expect(await refusal({ preset: 'mcp' }, url)).toEqual([['client.localhost', 'address_not_public']])
})

it('reaches one with an issuer on this machine, and accepts no certificate that is not trusted', async () => {
  expect(await refusal({ preset: 'mcp' })).toEqual([['client.localhost', 'unreachable']])
})

it('a realm without documents reads none', async () => {
  expect(await refusal({ clients: { registration: { enabled: true } } })).toEqual([])
})
