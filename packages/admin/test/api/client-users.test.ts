/** The users of a client, page by page, and a document that is forgotten. */

import { personTag } from '@ostiary/core'
import { describe, expect, it } from 'vitest'
import type { Place } from './_place.ts'
import { problem, rowsOf, STORAGES } from './_storages.ts'
import { DOCUMENT, withDocument } from './_ways.ts'

const APP = { redirect_uris: ['https://a.example.com/'] }
const USERS = '/realms/acme/clients/app/users'

/** A consent of a user, and grants. */
async function using(place: Place, sub: string, { client_id = 'app', grants = 0, consented = true } = {}) {
  const { w } = place
  const stores = w.storage('acme')
  if (consented) {
    const approved = [{ resource: w.issuer, scopes: ['openid'] }]
    await stores.consents.merge({ sub, client_id, approved }, w.clock.now)
  }
  for (let n = 0; n < grants; n += 1) {
    const grant = {
      grant_id: `${client_id}-${sub}-${n}${personTag(sub)}`,
      client_id,
      sub,
      sid: `sid-${sub}`,
      offline: true,
      scopes: ['openid'],
      resource: null,
      auth_time: 1,
      amr: ['pwd'],
      acr: '1',
      created_at: w.clock.now,
      expires_at: w.clock.now + 600,
      revoked_at: null,
      client_auth: null,
      jkt: null,
    }
    const code = {
      code_hash: `code-${grant.grant_id}`,
      grant_id: grant.grant_id,
      redirect_uri: 'https://a.example.com/',
      redirect_uri_sent: true,
      code_challenge: null,
      nonce: null,
      dpop_jkt: null,
      expires_at: w.clock.now + 60,
      redeemed_at: null,
    }
    await stores.grants.create(grant, code)
  }
}

describe.each(STORAGES)('%s', (_, open) => {
  it('are those with a consent or a grant that counts', async () => {
    const place = await open()
    const { ann, w, addUser } = place
    const { clients } = await w.provider.manage('acme')
    await clients.create({ client_id: 'app', ...APP })
    for (const sub of ['bea', 'bob', 'eve', 'ida', 'kim', 'zoe']) await addUser(sub)
    await using(place, 'bea')
    await using(place, 'bob', { consented: false, grants: 2 })
    await using(place, 'eve', { client_id: 'other', grants: 1 })
    await using(place, 'ida')
    await using(place, 'kim', { grants: 1 })
    await w.storage('acme').consents.revoke({ sub: 'ida', client_id: 'app' }, w.clock.now)
    const seen = { consented_at: w.clock.now, grants: 0 }
    const read = await ann(`GET ${USERS}`)
    expect(read).toMatchObject({ status: 200 })
    expect(read.body).toEqual({
      items: [
        { ...seen, sub: 'bea' },
        { sub: 'bob', consented_at: null, grants: 2 },
        { ...seen, sub: 'kim', grants: 1 },
      ],
      next: null,
    })
    w.clock.now += 601
    expect((await ann(`GET ${USERS}`)).body.items.map(({ sub }: { sub: string }) => sub)).toEqual([
      'bea',
      'kim',
    ])
    expect(await ann('GET /realms/acme/clients/none/users')).toMatchObject(problem('not_found', 404))
    // Of another realm, there is nothing.
    const other = await w.provider.manage('other')
    await other.clients.create({ client_id: 'app', ...APP })
    expect((await ann('GET /realms/other/clients/app/users')).body).toEqual({ items: [], next: null })
  })

  it('come in pages whose work is bounded, so that one may be short; no user is missing, and none is there twice', async () => {
    const place = await open()
    const { ann, w, people } = place
    const { clients } = await w.provider.manage('acme')
    await clients.create({ client_id: 'app', ...APP })
    const users = people.users('acme')
    const ids = Array.from({ length: 2100 }, (_user, n) => `u-${String(n).padStart(4, '0')}`)
    for (const sub of ids) await place.addUser(sub)
    expect(await users.find('u-2099')).not.toBeNull()
    const wanted = ids.filter((_sub, n) => [0, 98, 99, 100, 101, 997, 998, 999, 1000, 1500, 2099].includes(n))
    for (const sub of wanted) await using(place, sub)
    for (const limit of [1, 2, 200]) {
      const found: string[] = []
      let requests = 0
      for (let cursor = ''; ; requests += 1) {
        const { body } = await ann(`GET ${USERS}?limit=${limit}${cursor && `&cursor=${cursor}`}`)
        expect(body.items.length).toBeLessThanOrEqual(limit)
        found.push(...body.items.map(({ sub }: { sub: string }) => sub))
        if (body.next === null) break
        cursor = body.next
      }
      expect(found).toEqual(wanted)
      expect(requests).toBeGreaterThan(1)
    }
    const { body: first } = await ann(`GET ${USERS}?limit=1`)
    await clients.create({ client_id: 'app-2', ...APP })
    // The cursor is of this client alone.
    for (const path of ['/realms/acme/clients/app-2/users', '/realms/acme/mail', '/realms/acme/users'])
      expect(await ann(`GET ${path}?cursor=${first.next}`)).toMatchObject(problem('invalid_cursor', 400))
  })

  it('documents are listed in pages, each with its text, and those of another realm are not there', async () => {
    const place = await open()
    const { ann, w } = place
    await withDocument(place, 'acme')
    const stored = await w.storage('acme').client_documents.find(DOCUMENT)
    const later = 'https://app.example.com/later.json'
    if (stored) await w.storage('acme').client_documents.put({ ...stored, client_id: later })
    await withDocument(place, 'other')
    const list = (query = '') => ann(`GET /realms/acme/client-documents${query}`)
    const { body } = await list()
    expect(body).toEqual({ items: [stored, { ...stored, client_id: later }], next: null })
    const { body: first } = await list('?limit=1')
    expect(first.items).toEqual([stored])
    expect((await list(`?limit=1&cursor=${first.next}`)).body).toEqual({ items: [body.items[1]], next: null })
    expect((await list(`?after=${encodeURIComponent(DOCUMENT)}`)).body.items).toEqual([body.items[1]])
    for (const path of ['/realms/acme/clients', '/realms/acme/invitations', '/realms/other/client-documents'])
      expect(await ann(`GET ${path}?cursor=${first.next}`)).toMatchObject(problem('invalid_cursor', 400))
    const one = (id: string) => ann(`GET /realms/acme/clients/${encodeURIComponent(id)}/document`)
    expect((await one(DOCUMENT)).body).toEqual(stored)
    expect(await one('ops')).toMatchObject(problem('not_found', 404))
    expect(await rowsOf(place)).toEqual([])
  })

  it('a document is forgotten with a row, and is not there twice', async () => {
    const place = await open()
    const { ann, sue, w } = place
    await withDocument(place, 'acme')
    const path = `/realms/acme/clients/${encodeURIComponent(DOCUMENT)}/document`
    expect(await sue(`DELETE ${path}`)).toMatchObject(problem('not_found', 404))
    expect(await w.storage('acme').client_documents.find(DOCUMENT)).not.toBeNull()
    expect((await ann(`DELETE ${path}`)).body).toEqual({ client_id: DOCUMENT, forgotten: true })
    expect(await w.storage('acme').client_documents.find(DOCUMENT)).toBeNull()
    expect(await ann(`DELETE ${path}`)).toMatchObject(problem('not_found', 404))
    expect(await ann('DELETE /realms/acme/clients/ops/document')).toMatchObject(problem('not_found', 404))
    expect(await rowsOf(place)).toEqual(['client_document.forget done sub:ann -'])
    expect(w.events.filter(({ type }) => type === 'client_document.forgotten')).toHaveLength(1)
  })
})

it('a document of a client that holds a role is forgotten by an owner alone', async () => {
  const place = await STORAGES[0][1]()
  await withDocument(place, 'acme')
  await place.give('sub:sue', 'manager', '*')
  await place.give(`client:${DOCUMENT}`, 'auditor', '*')
  const path = `/realms/acme/clients/${encodeURIComponent(DOCUMENT)}/document`
  expect(await place.sue(`DELETE ${path}`)).toMatchObject(problem('forbidden', 403))
  expect(await place.ann(`DELETE ${path}`)).toMatchObject({ status: 200 })
})

it('who reads the users of a client reads grants too', async () => {
  const place = await STORAGES[0][1]()
  const { access_token } = await place.signInAgain('ann', { scope: 'admin.consents:read' })
  const { status, headers } = await place.call(access_token, 'GET /realms/acme/clients/ops/users')
  expect([status, headers.get('www-authenticate')]).toEqual([
    403,
    expect.stringContaining('admin.sessions:read'),
  ])
})
