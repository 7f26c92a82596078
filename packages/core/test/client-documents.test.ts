/** Clients whose client_id is the URL of their metadata: from the first request to the tokens. */

import type { OidcConfig } from '@ostiary/core'
import { type PublishedDocuments, publishedDocuments } from '@ostiary/test-kit/published-documents'
import { describe, expect, it } from 'vitest'
import {
  type Browser,
  REDIRECT_URI,
  redeem,
  tokens,
  type World,
  type WorldOptions,
  world,
} from './support.js'

const CLIENT_ID = 'https://client.example.com/metadata.json'

const DOCUMENT = {
  client_id: CLIENT_ID,
  client_name: 'The Client',
  redirect_uris: [REDIRECT_URI],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'none',
}

interface Setup extends WorldOptions {
  documents?: PublishedDocuments
  metadata?: NonNullable<NonNullable<OidcConfig['clients']>['metadata_documents']>
}

async function setUp(options: Setup = {}): Promise<World & { documents: PublishedDocuments }> {
  const { documents = publishedDocuments(), metadata, oidc = {}, ...rest } = options
  documents.put(DOCUMENT)
  const clients = { ...oidc.clients, metadata_documents: { enabled: true, ...metadata } }
  const w = await world({
    clients: [],
    fetch_document: documents.fetch_document,
    ...rest,
    oidc: { ...oidc, clients },
  })
  return { ...w, documents }
}

const authorize = (browser: Browser, changes: Record<string, string | null> = {}): Promise<Response> =>
  browser.authorize({ client_id: CLIENT_ID, ...changes })

/** Signs in, approves and redeems. */
async function obtainTokens(w: World, changes: Record<string, string | null> = {}) {
  const browser = w.browser()
  const { code } = await browser.code({ client_id: CLIENT_ID, ...changes })
  const { redirect_uri } = { redirect_uri: REDIRECT_URI, ...changes }
  return { browser, ...(await redeem(w, code, { client_id: CLIENT_ID, redirect_uri: redirect_uri ?? '' })) }
}

const refresh = (w: World, refresh_token: string, client_id = CLIENT_ID) =>
  tokens(w, { grant_type: 'refresh_token', client_id, refresh_token })

describe('a client with a metadata document', () => {
  it('gets a code after the user has consented, and tokens', async () => {
    const w = await setUp()
    const { status, body } = await obtainTokens(w)
    expect([status, body.scope]).toEqual([200, 'openid profile email'])
    expect(w.consents).toHaveLength(1)
    expect(w.consents[0]).toMatchObject({
      client: {
        client_id: CLIENT_ID,
        client_name: 'The Client',
        origin: 'metadata_document',
        trusted: false,
      },
      client_host: 'client.example.com',
      client_origin: 'metadata_document',
      loopback_only: false,
      redirect_host: 'client.example.com',
    })
    expect((await refresh(w, body.refresh_token)).status).toBe(200)
    expect(w.documents.requests).toEqual([
      { url: CLIENT_ID, options: { max_bytes: 5120, accept: 'application/json', headers: {} } },
    ])
    const fetched = w.events.filter(({ type }) => type.startsWith('client_document'))
    expect(fetched).toMatchObject([{ type: 'client_document.fetched', client_id: CLIENT_ID, changed: true }])
  })

  it('is an unknown client while the switch is off', async () => {
    const w = await setUp({ metadata: { enabled: false } })
    const off = await authorize(w.browser())
    const unknown = await w.browser().authorize({ client_id: 'nothing' })
    expect([off.status, await off.text()]).toEqual([400, await unknown.text()])
    const token = await redeem(w, 'code', { client_id: CLIENT_ID })
    expect([token.status, token.body]).toEqual([
      401,
      (await redeem(w, 'code', { client_id: 'nothing' })).body,
    ])
    expect(w.documents.requests).toEqual([])
  })
})
