/** The attacks of an administrator who wants a higher role, or a client that reaches the admin API. */

import { describe, expect, it } from 'vitest'
import type { RoleRow } from '../../src/index.ts'
import { includesRow, roleBeyond } from '../../src/roles/climbing.ts'
import { type ClientPlace, clientFault, type GuardedClient } from '../../src/roles/protected-clients.ts'
import type { Role } from '../../src/roles/rights.ts'

const row = (role: Role, ...realms: string[]): RoleRow => ({ holder: 'sub:ann', role, realms })

describe('a role includes', () => {
  it.each<[own: RoleRow[], other: RoleRow, included: boolean]>([
    [[row('owner', '*')], row('owner', '*'), true],
    [[row('owner', '*')], row('auditor', 'one'), true],
    [[row('owner', 'one')], row('owner', '*'), false],
    [[row('owner', 'one')], row('owner', 'one', 'two'), false],
    [[row('owner', 'one'), row('owner', 'two')], row('owner', 'one', 'two'), true],
    [[row('owner', 'one'), row('owner', 'two')], row('support', '*'), false],
    [[row('manager', '*')], row('support', 'one'), true],
    [[row('manager', '*')], row('owner', 'one'), false],
    [[row('manager', '*')], row('auditor', 'one'), false],
    [[row('support', '*')], row('manager', 'one'), false],
    [[row('auditor', '*')], row('support', 'one'), false],
    // Not what two roles have together: each role is held or not.
    [[row('auditor', '*'), row('manager', '*')], row('owner', 'one'), false],
    [[], row('auditor', 'one'), false],
  ])('%j, %j: %s', (own, other, included) => {
    expect(includesRow(own, other)).toBe(included)
  })

  it('names the first role of an account that is beyond', () => {
    const held = [row('support', 'one'), row('owner', 'two')]
    expect(roleBeyond([row('manager', '*')], held)).toEqual(row('owner', 'two'))
    expect(roleBeyond([row('support', '*')], [row('support', 'one')])).toBeNull()
    expect(roleBeyond([row('support', '*')], [])).toBeNull()
  })
})

const RESOURCE = 'https://id.example.com/admin/api/v1'
const place = (more: Partial<ClientPlace> = {}): ClientPlace => ({
  realm: 'default',
  admin_realm: 'default',
  resource: [RESOURCE],
  roles: [row('manager', '*')],
  held: [],
  ...more,
})
const client = (more: Partial<GuardedClient> = {}): GuardedClient => ({ client_id: 'notes', ...more })
const TO_ADMIN = { optional_scopes: [`${RESOURCE} admin.users:write`] }

describe('a manager', () => {
  const refused = (
    before: GuardedClient | null,
    after: GuardedClient | null,
    more: Partial<ClientPlace> = {},
  ) => clientFault(place(more), { before, after })

  it('changes, creates and deletes clients that have nothing to do with it', () => {
    const other = client({ optional_scopes: ['*', 'https://api.example.com notes.read', 'openid'] })
    expect(refused(null, other)).toBeNull()
    expect(refused(client(), client({ optional_scopes: [] }))).toBeNull()
    expect(refused(other, null)).toBeNull()
  })

  it.each<[string, Partial<GuardedClient>]>([
    ['an entry', TO_ADMIN],
    ['a default entry', { default_scopes: [`${RESOURCE} admin.clients:read`] }],
    ['an entry with more spaces', { optional_scopes: [`  ${RESOURCE}   admin.clients:read`] }],
    ['the resource as the default one', { default_resource: RESOURCE }],
  ])('cannot create a client with %s of the admin API, change one, or give it one', (_, entries) => {
    const member = Object.keys(entries)[0]
    expect(refused(null, client(entries))).toMatchObject({ member })
    expect(refused(client(), client(entries))).toMatchObject({ member })
    // Redirect URI and name of the console's client, its secret, its end.
    expect(refused(client(entries), client(entries))).toMatchObject({ member: null })
    expect(refused(client(entries), client())).toMatchObject({ member: null })
    expect(refused(client(entries), null)).toMatchObject({ member: null })
  })

  it.each(['ostiary-console', 'ostiary-cli'])('cannot change or take %s', (client_id) => {
    expect(refused(client({ client_id }), client({ client_id }))).not.toBeNull()
    expect(refused(null, client({ client_id }))).not.toBeNull()
  })

  it('cannot change a client that has a role, or create one under an id that still has one', () => {
    const held = [{ ...row('support', 'one'), holder: 'client:notes' as const }]
    expect(refused(client(), client(), { held })).not.toBeNull()
    expect(refused(client(), null, { held })).not.toBeNull()
    expect(refused(null, client(), { held })).not.toBeNull()
  })

  it.each<[string, Partial<GuardedClient>]>([
    ['allowed_exchange_audiences', { allowed_exchange_audiences: [RESOURCE] }],
    ['allowed_exchange_audiences', { allowed_exchange_audiences: ['https://api.example.com'] }],
    ['trusted', { trusted: true }],
  ])('cannot set %s to %j', (member, more) => {
    expect(refused(null, client(more))).toMatchObject({ member })
    expect(refused(client(), client(more))).toMatchObject({ member })
    // As it is, it stays.
    expect(refused(client(more), client(more))).toBeNull()
    // Taking it away is a change too.
    expect(refused(client(more), client())).toMatchObject({ member })
  })

  it('may leave these members as if they were absent', () => {
    expect(refused(null, client({ allowed_exchange_audiences: [], trusted: false }))).toBeNull()
    expect(refused(client({ trusted: null }), client({ trusted: false }))).toBeNull()
  })

  it('in another realm, entries of the same text reach nothing, and the other members are as protected', () => {
    const other = { realm: 'two' }
    expect(refused(null, client(TO_ADMIN), other)).toBeNull()
    expect(refused(null, client({ trusted: true }), other)).not.toBeNull()
  })
})

describe('an owner', () => {
  it('of the realm changes them', () => {
    for (const roles of [[row('owner', '*')], [row('owner', 'default')]]) {
      expect(clientFault(place({ roles }), { before: null, after: client(TO_ADMIN) })).toBeNull()
      expect(clientFault(place({ roles }), { before: client(TO_ADMIN), after: null })).toBeNull()
    }
  })

  it('of another realm does not', () => {
    const roles = [row('owner', 'two'), row('manager', 'default')]
    expect(clientFault(place({ roles }), { before: null, after: client(TO_ADMIN) })).not.toBeNull()
  })

  it('of one realm does not change a client that owns all of them', () => {
    const held = [{ ...row('owner', '*'), holder: 'client:notes' as const }]
    const change = { before: client(), after: client() }
    expect(clientFault(place({ roles: [row('owner', 'default')], held }), change)).not.toBeNull()
    expect(clientFault(place({ roles: [row('owner', '*')], held }), change)).toBeNull()
  })
})
