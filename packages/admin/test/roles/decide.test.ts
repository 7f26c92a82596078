/** The table of rights, in every combination. */

import { describe, expect, it } from 'vitest'
import { AREAS, decide, ROLES, type RoleRow } from '../../src/index.ts'
import { scopeOf } from '../../src/roles/decide.ts'
import type { Access, Area, Role } from '../../src/roles/rights.ts'

/** By role: the areas that it reads, and those that it changes. Written apart from the source. */
const EXPECTED: Record<Role, { reads: readonly Area[]; writes: readonly Area[] }> = {
  auditor: {
    reads: ['clients', 'users', 'consents', 'sessions', 'keys', 'audit', 'realms', 'roles'],
    writes: [],
  },
  support: { reads: ['users', 'consents', 'sessions'], writes: ['users', 'consents', 'sessions'] },
  manager: {
    reads: ['clients', 'users', 'consents', 'sessions'],
    writes: ['clients', 'users', 'consents', 'sessions'],
  },
  owner: {
    reads: ['clients', 'users', 'consents', 'sessions', 'keys', 'audit', 'realms', 'roles'],
    writes: ['clients', 'users', 'consents', 'sessions', 'keys', 'audit', 'realms', 'roles'],
  },
}

const may = (role: Role, area: Area, access: Access) =>
  EXPECTED[role][access === 'read' ? 'reads' : 'writes'].includes(area)
const row = (role: Role, ...realms: string[]): RoleRow => ({ holder: 'sub:ann', role, realms })
const CASES = ROLES.flatMap((role) =>
  AREAS.flatMap((area) => (['read', 'write'] as const).map((access) => [role, area, access] as const)),
)
const ALL_SCOPES = AREAS.flatMap((area) => [scopeOf(area, 'read'), scopeOf(area, 'write')])

describe('decide', () => {
  it.each(CASES)('%s, %s: %s', (role, area, access) => {
    const needed = { area, access, realm: 'one' }
    const allowed = may(role, area, access) ? 'allowed' : 'missing_role'
    for (const realms of [['one'], ['*'], ['one', 'two']])
      expect(decide(needed, { scopes: ALL_SCOPES, roles: [row(role, ...realms)] })).toBe(allowed)
    // A role in another realm, or whose id only begins so.
    for (const realms of [['two'], ['on'], ['one2'], []])
      expect(decide(needed, { scopes: ALL_SCOPES, roles: [row(role, ...realms)] })).toBe('missing_role')
    const without = ALL_SCOPES.filter((scope) => !scope.startsWith(`admin.${area}:`))
    const missing = allowed === 'allowed' ? 'missing_scope' : 'missing_role'
    expect(decide(needed, { scopes: without, roles: [row(role, '*')] })).toBe(missing)
  })

  it.each(AREAS)('in %s, the scope for write implies that for read, and not the other way', (area) => {
    const roles = [row('owner', '*')]
    const decided = (access: Access, scope: Access) =>
      decide({ area, access, realm: 'one' }, { scopes: [scopeOf(area, scope)], roles })
    expect(decided('read', 'read')).toBe('allowed')
    expect(decided('read', 'write')).toBe('allowed')
    expect(decided('write', 'write')).toBe('allowed')
    expect(decided('write', 'read')).toBe('missing_scope')
  })

  it('adds roles up, and nothing without a role', () => {
    const roles = [row('auditor', 'one'), row('support', 'two')]
    const decided = (area: Area, access: Access, realm: string) =>
      decide({ area, access, realm }, { scopes: ALL_SCOPES, roles })
    expect(decided('clients', 'read', 'one')).toBe('allowed')
    expect(decided('users', 'write', 'one')).toBe('missing_role')
    expect(decided('users', 'write', 'two')).toBe('allowed')
    expect(decided('clients', 'read', 'two')).toBe('missing_role')
    expect(decide({ area: 'users', access: 'read', realm: 'one' }, { scopes: ALL_SCOPES, roles: [] })).toBe(
      'missing_role',
    )
  })
})
