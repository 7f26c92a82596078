/** What an answer says of a record is what the API does with its changes: the console shows forms by it. */

import { describe, expect, it } from 'vitest'
import type { ConfiguredEntries } from '../../src/api/operation.ts'
import type { Role } from '../../src/roles/rights.ts'
import { adminPlace, RESOURCE } from './_place.ts'

const CONFIGURED: ConfiguredEntries = {
  clients: [{ path: 'oidc.clients[0]', metadata: { client_id: 'fixed' } }],
  users: [{ path: 'users[0]', user: { username: 'fay', sub: 'fay' } }],
}
const CLIENTS = [
  { client_id: 'plain' },
  { client_id: 'fixed' },
  { client_id: 'ostiary-cli' },
  { client_id: 'reader', optional_scopes: [`${RESOURCE} admin.users:read`] },
  { client_id: 'robot' },
]
const HELD: readonly (readonly [`sub:${string}` | `client:${string}`, Role, string])[] = [
  ['sub:top', 'owner', '*'],
  ['sub:near', 'owner', 'acme'],
  ['sub:max', 'manager', '*'],
  ['sub:sam', 'support', 'acme'],
  ['sub:aud', 'auditor', '*'],
  ['client:robot', 'support', 'acme'],
]
const USERS = ['plain', 'fay', 'top', 'near', 'max', 'sam', 'aud']

async function opened(role: Role, realm: string) {
  const place = await adminPlace({ clients: CLIENTS, options: { configured: () => CONFIGURED } })
  for (const sub of USERS) await place.addUser(sub)
  for (const [holder, held, where] of HELD) await place.give(holder, held, where)
  await place.give('sub:ann', role, realm)
  const { access_token } = await place.signIn('ann')
  const send = (line: string, body?: unknown) =>
    place.call(access_token, line, body === undefined ? {} : { body })
  return { send, place }
}

const CALLERS = [
  ['owner', '*'],
  ['owner', 'acme'],
  ['manager', '*'],
  ['manager', 'acme'],
  ['support', 'acme'],
] as const

describe.each(CALLERS)('to a caller with the role %s in %s', (role, realm) => {
  it('a user that is protected says the role that is needed, and where the configuration has it', async () => {
    const { send } = await opened(role, realm)
    for (const sub of USERS) {
      const one = `/realms/acme/users/${sub}`
      const { needs_role, configured } = (await send(`GET ${one}?protection=true`)).body.protection
      const ended = await send(`POST ${one}/end-access?dry_run=true`)
      expect([sub, needs_role === null]).toEqual([sub, ended.status === 200])
      if (needs_role !== null)
        expect(ended.body.detail).toContain(
          `the role ${needs_role.role} in ${needs_role.realms.join(', ')}, which`,
        )
      const changed = await send(`DELETE ${one}?dry_run=true&overwrite=true`)
      expect([sub, needs_role === null && configured === null]).toEqual([sub, changed.status === 200])
      // The configuration does not say whether a user is disabled.
      const disabled = await send(`POST ${one}/disable?dry_run=true`)
      expect([sub, needs_role === null]).toEqual([sub, disabled.status === 200])
      if (needs_role === null && configured !== null) expect(changed.body.detail).toContain(configured)
    }
  })
})

describe.each(CALLERS.filter(([role]) => role !== 'support'))('to the %s in %s', (role, realm) => {
  it('a client that is protected says the same', async () => {
    const { send } = await opened(role, realm)
    for (const { client_id } of CLIENTS) {
      const one = `/realms/acme/clients/${client_id}`
      const { needs_role, configured } = (await send(`GET ${one}?protection=true`)).body.protection
      const changed = await send(`PATCH ${one}?dry_run=true&overwrite=true`, { client_name: 'Other' })
      expect([client_id, needs_role === null && configured === null]).toEqual([
        client_id,
        changed.status === 200,
      ])
      expect([client_id, configured]).toEqual([client_id, client_id === 'fixed' ? 'oidc.clients[0]' : null])
    }
  })
})

describe.each(CALLERS.filter(([role]) => role === 'owner'))('to the %s in %s', (role, realm) => {
  it('a role says why it stays, and the list what may be given', async () => {
    const { send } = await opened(role, realm)
    const { items, grantable } = (await send('GET /realms/acme/roles')).body
    for (const { sub, client_id, role: held, stays } of items) {
      const holder = sub === null ? `clients/${client_id}` : `users/${sub}`
      const taken = await send(`DELETE /realms/acme/roles/${holder}/${held}?dry_run=true`)
      const status = { beyond: 403, last_owner: 409 }[stays as string] ?? 200
      expect([holder, taken.status]).toEqual([holder, status])
    }
    for (const given of ['auditor', 'support', 'manager', 'owner'])
      for (const where of ['*', 'acme', 'other']) {
        const put = await send(`PUT /realms/acme/roles/users/plain/${given}?dry_run=true`, {
          realms: [where],
        })
        const row = grantable.find((each: { role: string }) => each.role === given)
        const may = ['*', where].some((each) => row?.realms.includes(each))
        expect([given, where, may]).toEqual([given, where, put.status === 200])
      }
  })
})

it('the last owner of a realm says so', async () => {
  const place = await adminPlace()
  await place.give('sub:ann', 'owner', '*')
  const { access_token } = await place.signIn('ann')
  const list = async () => (await place.call(access_token, 'GET /realms/acme/roles')).body.items
  expect(await list()).toMatchObject([{ sub: 'ann', stays: 'last_owner' }])
  await place.give('sub:eve', 'owner', '*')
  expect(await list()).toMatchObject([{ stays: null }, { stays: null }])
})

it('only who asks for it gets it, with the ETag of the record', async () => {
  const { send } = await opened('owner', '*')
  for (const one of ['users/plain', 'clients/plain']) {
    const asked = await send(`GET /realms/acme/${one}?protection=true`)
    const plain = await send(`GET /realms/acme/${one}`)
    expect(plain.body).not.toHaveProperty('protection')
    expect(asked.body).toEqual({ ...plain.body, protection: { needs_role: null, configured: null } })
    expect(asked.etag).toBe(plain.etag)
  }
})
