/** `manage(realm).clients.update`: fields of a client change by the rules of a configured one, and no change is lost. */

import { type ClientChanges, ClientConflictError, ClientInputError, type Storage } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { describe, expect, it } from 'vitest'
import { client, REDIRECT_URI, tokens, world } from './support.js'

const OTHER_URI = 'https://client.example.com/other'
const SERVICE = { client_id: 'service', confidential: true, grant_types: ['client_credentials' as const] }

async function start(storage: Storage = memoryStorage()) {
  const w = await world({ storage })
  const { clients } = await w.provider.manage(w.realm)
  const stored = async (client_id = 'app') => {
    const found = await w.storage(w.realm).clients.find(client_id)
    if (found === null) throw new Error('no client')
    return found
  }
  const updates = () => w.events.filter(({ type }) => type === 'client.updated')
  return { w, clients, stored, updates }
}

describe('clients.update', () => {
  it('changes the named fields and no others, and says which', async () => {
    const { w, clients, stored, updates } = await start()
    const before = await stored()
    const updated = await clients.update('app', {
      client_name: ' New name ',
      redirect_uris: [REDIRECT_URI, OTHER_URI],
      consent_required: false,
      access_token_lifetime: 60,
    })
    const after = {
      ...before,
      client_name: 'New name',
      redirect_uris: [REDIRECT_URI, OTHER_URI],
      consent_required: false,
      access_token_lifetime: 60,
    }
    const fields = ['client_name', 'redirect_uris', 'consent_required', 'access_token_lifetime']
    expect(updated).toEqual({ client: after, client_secret: null, changed: expect.arrayContaining(fields) })
    expect(await stored()).toEqual(after)
    expect(updates()).toMatchObject([{ client_id: 'app', fields: updated?.changed }])
    expect((await w.browser().code({ redirect_uri: OTHER_URI })).to).toBe(OTHER_URI)
  })

  it('null sets a field to its default', async () => {
    const { clients, stored } = await start()
    const set = {
      client_name: 'A',
      default_scopes: ['openid'],
      backchannel_logout_uri: 'https://a.example/x',
      require_pkce: true,
    }
    await clients.update('app', { ...set, access_token_lifetime: 60, trusted: true })
    const cleared = {
      client_name: null,
      default_scopes: null,
      backchannel_logout_uri: null,
      access_token_lifetime: null,
      trusted: null,
    }
    await clients.update('app', cleared)
    expect(await stored()).toMatchObject({
      client_name: 'app',
      default_scopes: null,
      backchannel_logout_uri: null,
      access_token_lifetime: null,
      trusted: false,
    })
  })

  it('writes and reports nothing when nothing changes; null for an unknown and for a deleted client', async () => {
    const { clients, stored, updates } = await start()
    const { redirect_uris } = await stored()
    expect(await clients.update('app', { redirect_uris, trusted: false })).toMatchObject({ changed: [] })
    expect(await clients.update('app', {})).toMatchObject({ client: await stored(), changed: [] })
    expect(await clients.update('none', { trusted: true })).toBeNull()
    await clients.delete('app')
    expect(await clients.update('app', { trusted: true })).toBeNull()
    expect(updates()).toEqual([])
  })

  const refused: [ClientChanges, string][] = [
    [{ redirect_uris: [] }, 'redirect_uris: the authorization_code grant needs at least one'],
    [
      { redirect_uris: ['javascript:alert(1)'] },
      'redirect_uris.0: "javascript:alert(1)" uses the scheme javascript, which is never allowed',
    ],
    [{ grant_types: ['client_credentials'] }, 'grant_types: client_credentials needs a client_secret'],
    [
      { require_pkce: false },
      'require_pkce: false needs a client_secret: PKCE alone protects the codes of a public client',
    ],
    [{ optional_scopes: ['nope'] }, 'optional_scopes: there is no scope "nope"'],
    [
      { client_name: 'a\u0007b' },
      'client_name: a name holds a control, format, surrogate or private-use character, or another one that is not drawn',
    ],
    [{ client_id: 'evil', trusted: true } as ClientChanges, 'client_id: it cannot change'],
    [{ origin: 'registered' } as ClientChanges, 'origin: there is no such field'],
    [{ client_secret_hash: 'x' } as ClientChanges, 'client_secret_hash: there is no such field'],
    [{ revoked_at: 1 } as ClientChanges, 'revoked_at: there is no such field'],
    [{ not_before: 1 } as ClientChanges, 'not_before: there is no such field'],
  ]
  it.each(refused)('refuses %j: %s', async (changes, fault) => {
    const { clients, stored, updates } = await start()
    const before = await stored()
    const error = await clients.update('app', changes).catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(ClientInputError)
    expect((error as Error).message).toContain(fault)
    expect([await stored(), updates()]).toEqual([before, []])
  })

  it('a revoked client stays as it is', async () => {
    const { clients, stored } = await start()
    await clients.revoke('app')
    const before = await stored()
    await expect(clients.update('app', { trusted: true })).rejects.toThrow('this client is revoked')
    expect(await stored()).toEqual(before)
  })

  it('a public client that becomes confidential gets a secret, and the reverse loses it', async () => {
    const { w, clients, stored, updates } = await start()
    const made = await clients.update('app', {
      confidential: true,
      grant_types: ['authorization_code', 'client_credentials'],
    })
    const client_secret = made?.client_secret ?? ''
    expect(client_secret).toMatch(/^[\w-]{43}$/)
    expect(await stored()).toMatchObject({
      token_endpoint_auth_method: 'client_secret_post',
      token_endpoint_auth_methods: ['client_secret_basic', 'client_secret_post'],
    })
    expect(JSON.stringify([updates(), await stored()])).not.toContain(client_secret)
    expect(updates()).toMatchObject([{ fields: expect.arrayContaining(['client_secret']) }])
    const form = { grant_type: 'client_credentials', client_id: 'app', client_secret }
    expect((await tokens(w, form)).status).toBe(200)

    await clients.update('app', { token_endpoint_auth_method: 'client_secret_basic' })
    expect(await stored()).toMatchObject({
      token_endpoint_auth_method: 'client_secret_basic',
      token_endpoint_auth_methods: null,
    })
    expect((await tokens(w, form)).status).toBe(401)
    await clients.update('app', { token_endpoint_auth_method: null })
    expect((await tokens(w, form)).status).toBe(200)

    await clients.update('app', { token_endpoint_auth_method: 'none', grant_types: null })
    expect(await stored()).toMatchObject({ client_secret_hash: null, token_endpoint_auth_method: 'none' })
    expect((await tokens(w, form)).status).toBe(401)
  })

  it('a client that registered itself stays marked, and does not lose its time of expiry', async () => {
    const w = await world({ clients: [await client({ origin: 'registered', expires_at: 1_900_000_000 })] })
    const { clients } = await w.provider.manage(w.realm)
    await clients.update('app', { client_name: 'Checked' })
    expect(await clients.find('app')).toMatchObject({
      client_name: 'Checked',
      origin: 'registered',
      expires_at: 1_900_000_000,
    })
  })
})

/** A storage on which `change` runs between the next read of a client and the write that follows it. */
function interrupted(change: (clients: ReturnType<Storage>['clients']) => Promise<unknown>) {
  const inner = memoryStorage()
  let armed = false
  const storage: Storage = (realm) => {
    const stores = inner(realm)
    const find: typeof stores.clients.find = async (client_id) => {
      const found = await stores.clients.find(client_id)
      if (armed) {
        armed = false
        await change(stores.clients)
      }
      return found
    }
    return { ...stores, clients: { ...stores.clients, find } }
  }
  const arm = () => {
    armed = true
  }
  return { storage, arm }
}

describe('two administrators', () => {
  it('a function of the stored record is called again: neither redirect URI is lost', async () => {
    const { storage, arm } = interrupted(async (clients) => {
      const found = await clients.find('app')
      if (found)
        await clients.update({ ...found, redirect_uris: [...found.redirect_uris, 'https://first.example/'] })
    })
    const { clients, stored, updates } = await start(storage)
    arm()
    await clients.update('app', ({ redirect_uris }) => ({ redirect_uris: [...redirect_uris, OTHER_URI] }))
    expect((await stored()).redirect_uris).toEqual([REDIRECT_URI, 'https://first.example/', OTHER_URI])
    expect(updates()).toHaveLength(1)
  })

  it.each([
    [
      'a new secret',
      'setSecret',
      (clients: ReturnType<Storage>['clients']) => clients.setSecret('service', 'new'),
    ],
    ['a revocation', 'revoke', (clients: ReturnType<Storage>['clients']) => clients.revoke('service', 1)],
  ])('%s between read and write is not undone', async (_, operation, change) => {
    const { storage, arm } = interrupted(change)
    const { clients, stored } = await start(storage)
    await clients.create(SERVICE)
    arm()
    const update = clients.update('service', { trusted: true })
    if (operation === 'revoke') await expect(update).rejects.toThrow('this client is revoked')
    else await update
    expect(await stored('service')).toMatchObject(
      operation === 'revoke'
        ? { revoked_at: 1, trusted: false }
        : { client_secret_hash: 'new', trusted: true },
    )
  })

  it('expected: the change of an administrator who has seen an older record is refused', async () => {
    const { clients, stored, updates } = await start()
    const seen = await stored()
    await clients.update('app', { client_name: 'First' }, { expected: seen })
    const late = clients.update('app', { redirect_uris: [OTHER_URI] }, { expected: seen })
    await expect(late).rejects.toThrow(ClientConflictError)
    await expect(late).rejects.toThrow(
      'The client app was changed meanwhile by another administrator; read it again',
    )
    expect((await stored()).redirect_uris).toEqual([REDIRECT_URI])
    expect(updates()).toHaveLength(1)
    await clients.update('app', { redirect_uris: [OTHER_URI] }, { expected: await stored() })
    expect(await stored()).toMatchObject({ client_name: 'First', redirect_uris: [OTHER_URI] })
  })
})
