/** `manage(realm).clients.ensure`: a program names its client at each start, and several processes may do so at once. */

import { createHash } from 'node:crypto'
import { ClientConflictError, type NewClient, type Storage } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { expect, it } from 'vitest'
import { REDIRECT_URI, tokens, world } from './support.js'

const APP = { client_id: 'notes', client_name: 'Notes', redirect_uris: [REDIRECT_URI] }
const SERVICE: NewClient & { client_id: string } = {
  client_id: 'service',
  confidential: true,
  grant_types: ['client_credentials'],
}
const SECRET = 'a-client-secret-that-is-long-enough-for-anyone'

async function start(storage: Storage = memoryStorage()) {
  const w = await world({ storage, clients: [] })
  const { clients } = await w.provider.manage(w.realm)
  const events = () => w.events.filter(({ type }) => /^client\.(?:created|updated)$/.test(type))
  const isIssued = async (client_secret: string | null) => {
    const request = { grant_type: 'client_credentials', client_id: 'service' }
    return (await tokens(w, { ...request, client_secret: client_secret ?? '' })).status === 200
  }
  return { w, clients, events, isIssued }
}

it('creates the client once, and is the same as create then', async () => {
  const { clients, events } = await start()
  const made = await clients.ensure(APP)
  expect(made.client).toEqual(await clients.find('notes'))
  expect(await clients.ensure(APP)).toEqual(made)
  expect(events()).toMatchObject([{ type: 'client.created', client_id: 'notes', client_name: 'Notes' }])
  const other = await start()
  expect((await other.clients.create(APP)).client).toEqual({
    ...made.client,
    client_id_issued_at: expect.any(Number),
  })
})

it('changes the stored client to the input: what it no longer names has its default', async () => {
  const { w, clients, events } = await start()
  const { client } = await clients.ensure({ ...APP, consent_required: false, access_token_lifetime: 60 })
  w.clock.now += 1
  const redirect_uris = [REDIRECT_URI, 'https://client.example.com/other']
  const changed = await clients.ensure({ ...APP, redirect_uris })
  expect(changed.client).toEqual({
    ...client,
    redirect_uris,
    consent_required: true,
    access_token_lifetime: null,
  })
  expect(await clients.find('notes')).toEqual(changed.client)
  const [, updated] = events()
  expect(updated).toMatchObject({ type: 'client.updated', client_id: 'notes' })
  expect(updated).toHaveProperty(
    'fields',
    expect.arrayContaining(['redirect_uris', 'consent_required', 'access_token_lifetime']),
  )
})

it('keeps a secret that was made, and one that was rotated meanwhile', async () => {
  const { clients, isIssued } = await start()
  const { client_secret } = await clients.ensure(SERVICE)
  expect(await isIssued(client_secret)).toBe(true)
  expect(await clients.ensure(SERVICE)).toMatchObject({ client_secret: null })
  expect(await isIssued(client_secret)).toBe(true)
  const rotated = await clients.rotateSecret('service')
  expect(await clients.ensure({ ...SERVICE, trusted: true })).toMatchObject({ client_secret: null })
  expect(await isIssued(rotated?.client_secret ?? null)).toBe(true)
  expect(await isIssued(client_secret)).toBe(false)
})

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

it('takes the hash of a secret that the caller alone knows', async () => {
  const { w, clients, events, isIssued } = await start()
  const given = { ...SERVICE, client_secret_hash: hashOf(SECRET) }
  expect(await clients.create(given)).toMatchObject({ client_secret: null })
  expect(await isIssued(SECRET)).toBe(true)
  expect(await clients.ensure(given)).toMatchObject({ client_secret: null })
  expect(events()).toHaveLength(1)
  const other = `${SECRET}-2`
  expect(await clients.ensure({ ...given, client_secret_hash: hashOf(other) })).toMatchObject({
    client_secret: null,
  })
  expect([await isIssued(other), await isIssued(SECRET)]).toEqual([true, false])
  // No event says it.
  expect(JSON.stringify(w.events)).not.toContain(hashOf(other))
})

it.each([
  ['a secret and its hash', { client_secret: SECRET, client_secret_hash: hashOf(SECRET) }, 'not both'],
  ['in hexadecimal', { client_secret_hash: createHash('sha256').update(SECRET).digest('hex') }, '43 char'],
  ['with padding', { client_secret_hash: `${hashOf(SECRET)}=` }, '43 char'],
  ['too short', { client_secret_hash: hashOf(SECRET).slice(1) }, '43 char'],
  // What a missing hash is compared with: no SHA-256 ends so.
  ['that no secret has', { client_secret_hash: '-'.repeat(43) }, '43 char'],
  ['a line break', { client_secret_hash: `${hashOf(SECRET)}\n` }, '43 char'],
  ['no text', { client_secret_hash: 1 as unknown as string }, 'give a string'],
  ['of a public client', { client_secret_hash: hashOf(SECRET), confidential: false }, 'not confidential'],
] as const)('refuses a hash: %s', async (_, given, fault) => {
  const { clients } = await start()
  for (const change of [clients.create, clients.ensure])
    await expect(change({ ...SERVICE, ...given })).rejects.toThrow(
      expect.objectContaining({
        faults: expect.arrayContaining([
          { field: 'client_secret_hash', fault: expect.stringContaining(fault) },
        ]),
      }),
    )
  expect(await clients.find('service')).toBeNull()
})

it('takes a secret that is given, which is no change when it is the stored one', async () => {
  const { clients, events, isIssued } = await start()
  const { client_secret } = await clients.ensure(SERVICE)
  const given = { ...SERVICE, client_secret: SECRET }
  expect(await clients.ensure(given)).toMatchObject({ client_secret: SECRET })
  expect([await isIssued(SECRET), await isIssued(client_secret)]).toEqual([true, false])
  expect(await clients.ensure(given)).toMatchObject({ client_secret: null })
  expect(events()).toHaveLength(2)
})

it('a client becomes confidential, and public again', async () => {
  const { clients, isIssued } = await start()
  await clients.ensure({ client_id: 'service', redirect_uris: [REDIRECT_URI] })
  const { client_secret } = await clients.ensure(SERVICE)
  expect(await isIssued(client_secret)).toBe(true)
  await clients.ensure({ client_id: 'service', redirect_uris: [REDIRECT_URI] })
  expect(await clients.find('service')).toMatchObject({
    client_secret_hash: null,
    token_endpoint_auth_method: 'none',
  })
  expect(await isIssued(client_secret)).toBe(false)
})

it('a revoked client stays revoked', async () => {
  const { clients, isIssued } = await start()
  const { client_secret } = await clients.ensure(SERVICE)
  await clients.revoke('service')
  const { client } = await clients.ensure({ ...SERVICE, trusted: true })
  expect(client.revoked_at).not.toBeNull()
  expect(await isIssued(client_secret)).toBe(false)
})

it('a deleted client does not come back while its tokens may live', async () => {
  const { clients } = await start()
  await clients.ensure(SERVICE)
  await clients.delete('service')
  await expect(clients.ensure(SERVICE)).rejects.toThrow('a client with this id was deleted')
  expect(await clients.find('service')).toBeNull()
})

it('refuses what create refuses, and changes nothing then', async () => {
  const { clients } = await start()
  const { client } = await clients.ensure(APP)
  await expect(clients.ensure({ ...APP, redirect_uris: ['javascript://x/'] })).rejects.toThrow(
    'redirect_uris',
  )
  await expect(clients.ensure({ ...APP, client_id: 'alice' })).rejects.toThrow('it is the sub of a user')
  expect(await clients.find('notes')).toEqual(client)
})

it('several processes at once: one creates it, and each ends with the same client', async () => {
  const { clients, events } = await start()
  const all = await Promise.all(Array.from({ length: 8 }, () => clients.ensure(APP)))
  expect(new Set(all.map(({ client }) => JSON.stringify(client))).size).toBe(1)
  expect(events()).toHaveLength(1)
})

it('another writer between its read and its write is not overwritten', async () => {
  const memory = memoryStorage()
  let interrupt = false
  const storage: Storage = (realm) => {
    const stores = memory(realm)
    const { clients } = stores
    const update: typeof clients.update = async (client, expected) => {
      if (interrupt) await clients.setSecret(client.client_id, 'of-another')
      return clients.update(client, expected)
    }
    return { ...stores, clients: { ...clients, update } }
  }
  const { clients } = await start(storage)
  await clients.ensure(SERVICE)
  interrupt = true
  await clients.ensure({ ...SERVICE, trusted: true })
  expect(await clients.find('service')).toMatchObject({ trusted: true, client_secret_hash: 'of-another' })
})

it('gives up when the client is changed again and again', async () => {
  const memory = memoryStorage()
  const storage: Storage = (realm) => {
    const stores = memory(realm)
    return { ...stores, clients: { ...stores.clients, update: async () => false } }
  }
  const { clients } = await start(storage)
  await clients.ensure(APP)
  await expect(clients.ensure({ ...APP, trusted: true })).rejects.toThrow(ClientConflictError)
})

it('with plan, nothing is stored, and the result is what would be', async () => {
  const { clients, events } = await start()
  const made = await clients.ensure(APP, { plan: true })
  expect(made.client).toMatchObject({ client_id: 'notes', client_name: 'Notes' })
  expect(await clients.find('notes')).toBeNull()
  const { client } = await clients.ensure(APP)
  const planned = await clients.ensure({ ...APP, client_name: 'Other' }, { plan: true })
  expect(planned.client).toEqual({ ...client, client_name: 'Other' })
  expect((await clients.update('notes', { client_name: 'Other' }, { plan: true }))?.changed).toEqual([
    'client_name',
  ])
  expect(await clients.find('notes')).toEqual(client)
  expect(events()).toHaveLength(1)
})

it('with the record that was seen, another one stays', async () => {
  const { clients } = await start()
  const { client } = await clients.ensure(APP)
  const seen = { expected: client }
  const second = await clients.ensure({ ...APP, client_name: 'Second' }, seen)
  await expect(clients.ensure({ ...APP, client_name: 'Third' }, seen)).rejects.toThrow(ClientConflictError)
  expect(await clients.find('notes')).toEqual(second.client)
  await clients.delete('notes')
  await expect(clients.ensure(APP, { expected: second.client })).rejects.toThrow(ClientConflictError)
})
