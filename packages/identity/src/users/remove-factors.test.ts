import { describe, expect, it } from 'vitest'
import type { Factor, FactorKind } from './factor-store.js'
import { memoryUserStores } from './memory-users.js'
import { planFactorRemoval, removeFactors } from './remove-factors.js'
import type { User } from './user-store.js'

const now = 1_700_000_000
const user = (changes: Partial<User> = {}): User => ({
  sub: 'ann',
  username: 'ann',
  username_key: 'ann',
  password_hash: 'hash',
  claims: {},
  attributes: null,
  groups: null,
  created_at: now,
  updated_at: now,
  disabled_at: null,
  credential_version: 0,
  second_step: false,
  ...changes,
})
const factor = (factor_id: string, kind: FactorKind): Factor => ({
  factor_id,
  sub: 'ann',
  kind,
  label: '',
  created_at: now,
  last_used_at: null,
  state: '[]',
  data: {},
})
const KEY = factor('key', 'passkey')
const SECOND_KEY = factor('second-key', 'passkey')
const APP = factor('app', 'totp')
const CODES = factor('codes', 'recovery')

interface Case {
  what: string
  of?: Partial<User>
  factors: Factor[]
  /** An id, or all. */
  chosen: string
}

const planOf = ({ of, factors, chosen }: Case) =>
  planFactorRemoval(user(of), factors, chosen === 'all' ? 'all' : { factor_id: chosen })

const SWITCHED_ON = { second_step: true }
const NO_PASSWORD = { password_hash: null }
const ALL = [KEY, APP, CODES]

describe('the plan of a removal', () => {
  it.each<Case & { removed: Factor[]; second_step?: boolean }>([
    { what: 'one of two', of: SWITCHED_ON, factors: ALL, chosen: 'app', removed: [APP], second_step: true },
    {
      what: 'the last: codes and switch end',
      of: SWITCHED_ON,
      factors: [APP, CODES],
      chosen: 'app',
      removed: [APP, CODES],
    },
    { what: 'all', of: SWITCHED_ON, factors: ALL, chosen: 'all', removed: ALL },
    { what: 'all, of codes alone', factors: [CODES], chosen: 'all', removed: [CODES] },
    { what: 'the switch alone', of: SWITCHED_ON, factors: [], chosen: 'all', removed: [] },
    {
      what: 'one passkey of two, without a password',
      of: NO_PASSWORD,
      factors: [KEY, SECOND_KEY],
      chosen: 'key',
      removed: [KEY],
    },
    {
      what: 'the app beside a passkey, without a password',
      of: NO_PASSWORD,
      factors: ALL,
      chosen: 'app',
      removed: [APP],
    },
    {
      what: 'the app of a user who cannot sign in',
      of: NO_PASSWORD,
      factors: [APP],
      chosen: 'all',
      removed: [APP],
    },
  ])('$what', ({ removed, second_step = false, ...row }) => {
    expect(planOf(row)).toEqual({ removed, second_step })
  })

  it.each<Case & { fault: string }>([
    {
      what: 'the last passkey, without a password',
      of: NO_PASSWORD,
      factors: ALL,
      chosen: 'key',
      fault: 'last_way_in',
    },
    {
      what: 'all, without a password',
      of: NO_PASSWORD,
      factors: [KEY, SECOND_KEY],
      chosen: 'all',
      fault: 'last_way_in',
    },
    { what: 'another id', factors: [KEY], chosen: 'app', fault: 'no_factor' },
    { what: 'the recovery codes by their id', factors: [KEY, CODES], chosen: 'codes', fault: 'no_factor' },
    { what: 'all of none', factors: [], chosen: 'all', fault: 'no_factor' },
  ])('nothing: $what', ({ fault, ...row }) => {
    expect(planOf(row)).toBe(fault)
  })
})

it('the plan is carried out once, for the user as it was read', async () => {
  const stores = memoryUserStores()
  const [users, factors] = [stores.users('default'), stores.factors('default')]
  await users.create(user())
  await factors.change({ sub: 'ann', add: [APP, CODES], second_step: true }, { credential_version: 0, now })
  const read = (await users.find('ann')) as User
  const plan = planFactorRemoval(read, await factors.list('ann'), { factor_id: 'app' })
  if (typeof plan === 'string') throw new Error(plan)
  const made = { ...plan, now: now + 5 }
  expect([await removeFactors(factors, read, made), await removeFactors(factors, read, made)]).toEqual([
    true,
    false,
  ])
  expect(await factors.list('ann')).toEqual([])
  expect(await users.find('ann')).toMatchObject({ second_step: false, credential_version: 2 })
})
