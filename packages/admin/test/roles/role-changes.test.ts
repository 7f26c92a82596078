/** Giving and taking roles: what is refused, the rows of the audit, and two callers at once. */

import { createAudit, memoryAuditStore } from '@ostiary/audit'
import { type Executor, postgresExecutor } from '@ostiary/storage-postgres'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { executorIn, hold, untilItWaits } from '@ostiary/test-kit/database/held'
import { migratedDatabase } from '@ostiary/test-kit/migrated-database'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  grantRole,
  openRoleStore,
  type RolePlace,
  type RoleRow,
  type RoleStore,
  revokeRole,
} from '../../src/index.ts'
import type { Role } from '../../src/roles/rights.ts'
import { checkedRole } from '../../src/roles/role-changes.ts'

const REALM = 'default'
const row = (holder: string, role: Role, ...realms: string[]): RoleRow => ({
  holder: `sub:${holder}`,
  role,
  realms,
})
const OWNER = row('ann', 'owner', '*')

const place = (store: RoleStore, more: Partial<RolePlace> = {}): RolePlace => ({
  store,
  realm: REALM,
  realms: ['default', 'one', 'two'],
  audit: null,
  by: null,
  ...more,
})

async function database(): Promise<Executor> {
  const executor = postgresExecutor(await migratedDatabase(), UNLIMITED)
  onTestFinished(() => executor.close())
  return executor
}

const STORES: readonly [string, () => Promise<RoleStore>][] = [
  ['in memory', async () => openRoleStore({})],
  ['in PostgreSQL', async () => openRoleStore({ records: await database() })],
]

describe.each(STORES)('%s', (_, open) => {
  it('a role is given, found, given in other realms, and taken', async () => {
    const store = await open()
    expect(await grantRole(place(store), OWNER)).toBe(true)
    expect(await grantRole(place(store), OWNER)).toBe(false)
    await grantRole(place(store), { holder: 'client:deploy', role: 'manager', realms: ['two', 'one', 'two'] })
    await grantRole(place(store), row('ann', 'auditor', 'one'))
    const deploy = { holder: 'client:deploy', role: 'manager', realms: ['one', 'two'] }
    expect(await store.list(REALM)).toEqual([deploy, row('ann', 'auditor', 'one'), OWNER])
    expect(await store.of(REALM, 'sub:ann')).toEqual([row('ann', 'auditor', 'one'), OWNER])
    expect(await store.of(REALM, 'sub:an')).toEqual([])
    expect(await store.of('another', 'sub:ann')).toEqual([])
    expect(
      await grantRole(place(store), { ...deploy, holder: 'client:deploy', role: 'manager', realms: ['one'] }),
    ).toBe(true)
    expect(await store.of(REALM, 'client:deploy')).toEqual([{ ...deploy, realms: ['one'] }])
    expect(await revokeRole(place(store), row('ann', 'auditor'))).toBe(true)
    expect(await revokeRole(place(store), row('ann', 'auditor'))).toBe(false)
    expect(await store.of(REALM, 'sub:ann')).toEqual([OWNER])
  })

  it('the last owner of a realm stays', async () => {
    const store = await open()
    await grantRole(place(store), OWNER)
    await expect(revokeRole(place(store), OWNER)).rejects.toMatchObject({ fault: 'last_owner' })
    // Neither by other realms, nor by an owner of some realms.
    await grantRole(place(store), row('eve', 'owner', 'one'))
    await expect(grantRole(place(store), row('ann', 'owner', 'one'))).rejects.toMatchObject({
      fault: 'last_owner',
    })
    await expect(revokeRole(place(store), OWNER)).rejects.toMatchObject({ fault: 'last_owner' })
    expect(await revokeRole(place(store), row('eve', 'owner'))).toBe(true)
    await grantRole(place(store), row('eve', 'owner', '*'))
    expect(await revokeRole(place(store), OWNER)).toBe(true)
    await grantRole(place(store), row('bob', 'owner', 'two'))
    expect(await store.list(REALM)).toEqual([row('bob', 'owner', 'two'), row('eve', 'owner', '*')])
  })

  it('an administrator gives and takes only roles of their own', async () => {
    const store = await open()
    await grantRole(place(store), OWNER)
    await grantRole(place(store), row('bob', 'owner', 'one'))
    await grantRole(place(store), row('sue', 'support', '*'))
    const by = (holder: string) => place(store, { by: `sub:${holder}` })
    const attacks: [string, RoleRow][] = [
      ['sue', row('sue', 'owner', 'one')],
      ['sue', row('sue', 'manager', 'one')],
      ['sue', row('eve', 'auditor', 'one')],
      ['bob', row('bob', 'owner', '*')],
      ['bob', row('bob', 'owner', 'one', 'two')],
      ['bob', row('eve', 'support', 'two')],
      ['eve', row('eve', 'auditor', 'one')],
      // It would take realms from the other.
      ['bob', row('sue', 'support', 'one')],
      ['bob', row('ann', 'owner', 'one')],
    ]
    for (const [caller, wanted] of attacks)
      await expect(grantRole(by(caller), wanted)).rejects.toMatchObject({ fault: 'beyond' })
    await expect(revokeRole(by('bob'), row('sue', 'support'))).rejects.toMatchObject({ fault: 'beyond' })
    await expect(revokeRole(by('sue'), row('bob', 'owner'))).rejects.toMatchObject({ fault: 'beyond' })
    expect(await grantRole(by('bob'), row('eve', 'auditor', 'one'))).toBe(true)
    expect(await grantRole(by('ann'), row('bob', 'owner', 'one', 'two'))).toBe(true)
  })

  it('has at most 1000 roles, and 100 realms in one', async () => {
    const store = await open()
    for (let n = 0; n < 1000; n += 1)
      await store.change(REALM, () => ({ put: row(`user-${n}`, 'support', 'one') }))
    await expect(grantRole(place(store), OWNER)).rejects.toMatchObject({ fault: 'too_many' })
    expect(await grantRole(place(store), row('user-1', 'support', 'two'))).toBe(true)
    await revokeRole(place(store), row('user-1', 'support'))
    const realms = Array.from({ length: 101 }, (_, index) => `r-${index}`)
    const wide = place(store, { realms })
    await expect(grantRole(wide, row('ann', 'support', ...realms))).rejects.toMatchObject({
      fault: 'invalid',
    })
    expect(await grantRole(wide, row('ann', 'support', ...realms.slice(1)))).toBe(true)
  })
})

it.each([
  ['two owners who take each other’s role', { first: 'sub:eve', second: 'sub:ann' }, 'beyond'],
  ['two commands that take the last two owners', { first: null, second: null }, 'last_owner'],
] as const)('%s at the same time: one stays', async (_, by, fault) => {
  const executor = await database()
  const store = openRoleStore({ records: executor })
  await grantRole(place(store), OWNER)
  await grantRole(place(store), row('eve', 'owner', '*'))
  // The first one has deleted its row, and has not committed.
  const first = await hold(executor, (tx) =>
    revokeRole(place(openRoleStore({ records: executorIn(tx) }), { by: by.first }), OWNER),
  )
  const second = revokeRole(place(store, { by: by.second }), row('eve', 'owner')).then(
    () => 'done',
    (error: { fault?: string }) => error.fault,
  )
  expect(await untilItWaits(executor, second)).toBe(true)
  await first.commit()
  expect([first.result, await second]).toEqual([true, fault])
  expect(await store.list(REALM)).toEqual([row('eve', 'owner', '*')])
})

describe('the audit', () => {
  const audited = () => {
    const rows = memoryAuditStore()
    const audit = createAudit({ store: rows, actor: 'cli:ann@host' })
    const outcomes: string[] = []
    const { put } = rows
    rows.put = async (added) => {
      outcomes.push(...added.map(({ outcome }) => outcome))
      await put(added)
    }
    return { rows, audit, outcomes }
  }

  it('has a row of each change, begun before it', async () => {
    const { rows, audit, outcomes } = audited()
    const store = openRoleStore({})
    const seen: string[] = []
    const { change } = store
    store.change = (...args) => {
      seen.push(outcomes.at(-1) ?? 'none')
      return change(...args)
    }
    const at = place(store, { audit })
    await grantRole(at, OWNER)
    await grantRole(at, OWNER)
    await grantRole(at, { holder: 'client:deploy', role: 'support', realms: ['one'] })
    await revokeRole(at, { holder: 'client:deploy', role: 'support' })
    await expect(revokeRole(at, OWNER)).rejects.toThrow()
    const kept = await rows.page(REALM, { limit: 100 })
    expect(
      kept.map(({ type, outcome, sub, client_id, data }) => [
        type,
        outcome,
        sub,
        client_id,
        JSON.parse(data),
      ]),
    ).toEqual([
      ['role.grant', 'done', 'ann', null, { role: 'owner', realms: ['*'] }],
      ['role.grant', 'done', null, 'deploy', { role: 'support', realms: ['one'] }],
      ['role.revoke', 'done', null, 'deploy', { role: 'support' }],
    ])
    expect(seen).toEqual(['begun', 'begun', 'begun'])
  })

  it('without a row, nothing is changed', async () => {
    const { rows, audit } = audited()
    rows.put = async () => {
      throw new Error('no database')
    }
    const store = openRoleStore({})
    await expect(grantRole(place(store, { audit }), OWNER)).rejects.toMatchObject({ name: 'AuditError' })
    expect(await store.list(REALM)).toEqual([])
  })
})

it('an unknown role, an unknown realm and no realm are refused', async () => {
  expect(() => checkedRole('admin')).toThrow('give auditor, support, manager, owner')
  for (const realms of [['three'], ['one', 'three'], []])
    await expect(grantRole(place(openRoleStore({})), row('ann', 'owner', ...realms))).rejects.toMatchObject({
      fault: 'invalid',
    })
})
