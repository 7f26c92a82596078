/** A flood of requests for documents that users have used, and whose hosts fail: what it costs the other clients. */

import { publishedDocuments } from '@ostiary/test-kit/published-documents'
import { beforeAll, describe, expect, it } from 'vitest'
import { asserted, type ClientKey, clientKey, signed } from './assertions.js'
import { authorizeUrl, REDIRECT_URI, redeem, tokens, type World, world } from './support.js'

const HONEST = 'https://honest.example/client.json'
const brokenUrls = (count: number) =>
  Array.from({ length: count }, (_, index) => `https://host-${index}.example/client.json`)
const BROKEN = brokenUrls(6)
const oidc = { clients: { metadata_documents: { enabled: true }, private_key_jwt: true } }

let old_key: ClientKey
let new_key: ClientKey

beforeAll(async () => {
  old_key = await clientKey('ES256', { kid: 'old' })
  new_key = await clientKey('ES256', { kid: 'new' })
})

const withKey = ({ public_jwk }: ClientKey) => ({
  client_id: HONEST,
  redirect_uris: [REDIRECT_URI],
  token_endpoint_auth_method: 'private_key_jwt',
  jwks: { keys: [public_jwk] },
})

let assertions = 0
async function assertion(w: World, { private_key, public_jwk }: ClientKey, aud = w.issuer) {
  const claims = { iss: HONEST, sub: HONEST, aud, jti: `jti ${++assertions}`, exp: w.clock.now + 60 }
  return asserted(await signed({ key: private_key, header: { kid: public_jwk.kid }, claims }))
}

/** Documents of an attacker and an honest one are in use; then the hosts of the attacker answer 500. */
async function setUp(broken = BROKEN) {
  const documents = publishedDocuments()
  const w = await world({ clients: [], oidc, fetch_document: documents.fetch_document })
  documents.put(withKey(old_key))
  for (const client_id of broken) {
    documents.put({ client_id, redirect_uris: [REDIRECT_URI] })
    await w.browser().code({ client_id }, 'bob')
  }
  const { code } = await w.browser().code({ client_id: HONEST })
  const { body } = await redeem(w, code, { client_id: HONEST, ...(await assertion(w, old_key)) })
  for (const url of broken) documents.serve(url, { status: 500, body: '' })
  w.clock.now += 3600
  documents.requests.length = 0
  const status = async (client_id: string, address: string) => {
    const request = new Request(authorizeUrl(w.issuer, { client_id }))
    return (await w.provider.fetch(request, { address })).status
  }
  /** 120 requests from six addresses, in one minute. */
  const flood = async () => {
    const counts: Record<number, number> = {}
    for (let index = 0; index < 120; index += 1) {
      const answered = await status(BROKEN[index % 6] ?? '', `192.0.2.${Math.floor(index / 20)}`)
      counts[answered] = (counts[answered] ?? 0) + 1
    }
    return counts
  }
  return { w, documents, flood, status, refresh_token: String(body.refresh_token) }
}

describe('a flood of client_ids in use whose hosts fail', () => {
  it('leaves another client in use its sign-in and its refresh, with its new key and not with the old one', async () => {
    const { w, documents, flood, status, refresh_token: first } = await setUp()
    documents.put(withKey(new_key))
    let refresh_token = first
    const refresh = async (key: ClientKey) => {
      const form = { grant_type: 'refresh_token', client_id: HONEST, refresh_token }
      const answered = await tokens(w, { ...form, ...(await assertion(w, key)) })
      refresh_token = answered.body.refresh_token ?? refresh_token
      return answered.status
    }
    for (let minute = 0; minute < 10; minute += 1) {
      await flood()
      expect([minute, await status(HONEST, '198.51.100.1')]).toEqual([minute, 302])
      expect([minute, await refresh(old_key), await refresh(new_key)]).toEqual([minute, 401, 200])
      w.clock.now += 60
    }
  })

  it('causes a request for each document after 30, 60, 120, 240 and again 240 seconds', async () => {
    const { w, documents, flood } = await setUp()
    const start = w.clock.now
    const at: number[] = []
    for (; w.clock.now <= start + 700; w.clock.now += 30) {
      const before = documents.requests.length
      expect(await flood()).toEqual({ 400: 120 })
      if (documents.requests.length > before) at.push(w.clock.now - start)
    }
    expect(at).toEqual([0, 30, 90, 210, 450, 690])
    expect(documents.requests).toHaveLength(36)
  })
})

it('30 documents of one user, the most, each at a host of its own that fails, cause at most half of the requests of a minute', async () => {
  const broken = brokenUrls(30)
  const { w, documents, status } = await setUp(broken)
  const requests: number[] = []
  for (let minute = 0; minute < 8; minute += 1) {
    documents.requests.length = 0
    for (let round = 0; round < 2; round += 1) {
      for (const [index, url] of broken.entries()) await status(url, `192.0.2.${index}`)
      w.clock.now += 30
    }
    requests.push(documents.requests.length)
  }
  expect(requests).toEqual([60, 30, 0, 30, 0, 0, 0, 30])
})
