/** The cache of client records: what it keeps, and for how long. */

import type { ClientStore, Storage } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { describe, expect, it } from 'vitest'
import { CLIENT_SECRET, client, tokens, type WorldOptions, world } from './support.js'

/** Counts the reads that reach the storage; each one waits for `gate`. */
function counted(gate: { open: Promise<unknown> } = { open: Promise.resolve() }) {
  const inner = memoryStorage()
  const reads: string[] = []
  const storage: Storage = (realm) => {
    const stores = inner(realm)
    const find: ClientStore['find'] = async (client_id) => {
      reads.push(client_id)
      const found = await stores.clients.find(client_id)
      await gate.open
      return found
    }
    return { ...stores, clients: { ...stores.clients, find } }
  }
  return { inner, reads, storage }
}

const service = (client_id: string) =>
  client({ client_id, client_secret: CLIENT_SECRET, grant_types: ['client_credentials'] })

async function start(options: WorldOptions = {}, at = counted()) {
  const w = await world({ clients: [await service('service')], storage: at.storage, ...options })
  const status = async (client_id = 'service') => {
    const form = { grant_type: 'client_credentials', client_id, client_secret: CLIENT_SECRET }
    return (await tokens(w, form)).status
  }
  return { ...at, w, status }
}

describe('A client that was read', () => {
  it('is not read again for five seconds', async () => {
    const { w, reads, status } = await start()
    for (const now of [0, 0, 1, 4]) {
      w.clock.now = 1_800_000_000 + now
      expect(await status()).toBe(200)
    }
    expect(reads).toEqual(['service'])
    w.clock.now = 1_800_000_005
    expect(await status()).toBe(200)
    expect(reads).toEqual(['service', 'service'])
  })

  it('is read once by requests that come at once', async () => {
    const { reads, status } = await start()
    expect(new Set(await Promise.all(Array.from({ length: 20 }, () => status())))).toEqual(new Set([200]))
    expect(reads).toEqual(['service'])
  })

  it('is refused within five seconds after another server has revoked it', async () => {
    const { w, inner, status } = await start()
    expect(await status()).toBe(200)
    await inner('default').clients.revoke('service', w.clock.now)
    w.clock.now += 5
    expect(await status()).toBe(401)
  })

  it('is read again when the clock was set back', async () => {
    const { w, inner, status } = await start()
    expect(await status()).toBe(200)
    await inner('default').clients.revoke('service', w.clock.now)
    w.clock.now -= 1000
    expect(await status()).toBe(401)
  })

  it('is read each time with client_cache: 0', async () => {
    const { w, inner, status } = await start({ client_cache: 0 })
    expect(await status()).toBe(200)
    await inner('default').clients.revoke('service', w.clock.now)
    expect(await status()).toBe(401)
  })
})

describe('An id that names no client', () => {
  it('is not read again for five seconds either, so that its answer takes no longer', async () => {
    const { w, inner, reads, status } = await start()
    expect(await status('new')).toBe(401)
    await inner('default').clients.create(await service('new'))
    expect(await status('new')).toBe(401)
    expect(reads).toEqual(['new'])
    w.clock.now += 5
    expect(await status('new')).toBe(200)
  })

  it('is found at once when this provider creates the client', async () => {
    const { w, status } = await start()
    expect(await status('new')).toBe(401)
    const { clients } = await w.provider.manage()
    const made = await clients.create({
      client_id: 'new',
      grant_types: ['client_credentials'],
      confidential: true,
    })
    const form = {
      grant_type: 'client_credentials',
      client_id: 'new',
      client_secret: made.client_secret ?? '',
    }
    expect((await tokens(w, form)).status).toBe(200)
  })

  it('does not displace the records of clients, however many ids there are', async () => {
    const { w, reads, status } = await start()
    await status()
    for (let n = 0; n < 1001; n += 1)
      await w.post('/oauth/revoke', { client_id: `none-${n}`, client_secret: CLIENT_SECRET, token: 'x' })
    reads.length = 0
    await status()
    expect(reads).toEqual([])
  })
})

describe('The cache does not keep', () => {
  it('a client that was not looked up: a new registration is found by all servers at once', async () => {
    const { inner, status } = await start()
    await inner('default').clients.create(await service('new'))
    expect(await status('new')).toBe(200)
  })

  it('a failure of the storage', async () => {
    const gate = { open: Promise.reject(new Error('unavailable')) as Promise<unknown> }
    gate.open.catch(() => {})
    const { status } = await start({}, counted(gate))
    expect(await status()).toBe(500)
    gate.open = Promise.resolve()
    expect(await status()).toBe(200)
  })

  it('more than a thousand clients: the oldest record is deleted first', async () => {
    const { reads, inner, status, w } = await start()
    const ids = Array.from({ length: 1000 }, (_, n) => `client-${n}`)
    for (const id of ids) await inner('default').clients.create(await service(id))
    await status()
    for (const id of ids)
      await w.post('/oauth/revoke', { client_id: id, client_secret: CLIENT_SECRET, token: 'x' })
    reads.length = 0
    await status('client-999')
    await status('client-0')
    expect(reads).toEqual([])
    await status('service')
    expect(reads).toEqual(['service'])
  })
})
