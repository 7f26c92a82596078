import { describe, expect, it } from 'vitest'
import type { Factor, FactorKind } from '../users/factor-store.js'
import { memoryUserStores } from '../users/memory-users.js'
import type { User } from '../users/user-store.js'
import { type FactorRemovalRequest, planFactorRemoval, removeFactors } from './remove-factors.js'

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
const RP_ID = 'id.example'
const passkey = (factor_id: string, rp_id = RP_ID): Factor => ({
  ...factor(factor_id, 'passkey'),
  data: {
    credential_id: factor_id,
    public_key: 'key',
    algorithm: -7,
    backup_eligible: false,
    transports: [],
    aaguid: '00000000-0000-0000-0000-000000000000',
    rp_id,
    user_handle: 'handle',
  },
})
const KEY = passkey('key')
const SECOND_KEY = passkey('second-key')
/** Made before the realm got another RP ID. */
const OLD_KEY = passkey('old-key', 'old.example')
const APP = factor('app', 'totp')
const CODES = factor('codes', 'recovery')

interface Case {
  what: string
  of?: Partial<User>
  factors: Factor[]
  /** An id, or all. */
  chosen: string
  /** Of the realm. */
  settings?: Partial<FactorRemovalRequest['settings']>
}

const SETTINGS: FactorRemovalRequest['settings'] = { password: true, passkeys: { rp_id: RP_ID } }

const planOf = ({ of, factors, chosen, settings }: Case) =>
  planFactorRemoval(user(of), factors, {
    selection: chosen === 'all' ? 'all' : { factor_id: chosen },
    settings: { ...SETTINGS, ...settings },
  })

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
      what: 'a passkey of another RP ID beside one that works, without a password',
      of: NO_PASSWORD,
      factors: [KEY, OLD_KEY],
      chosen: 'old-key',
      removed: [OLD_KEY],
    },
    {
      what: 'passkeys of another RP ID alone, which are no way in',
      of: NO_PASSWORD,
      factors: [OLD_KEY],
      chosen: 'all',
      removed: [OLD_KEY],
    },
    {
      what: 'the last passkey where passkeys are turned off',
      of: NO_PASSWORD,
      factors: [KEY],
      chosen: 'all',
      settings: { passkeys: null },
      removed: [KEY],
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
    {
      what: 'the last passkey that works, beside one of another RP ID, without a password',
      of: NO_PASSWORD,
      factors: [KEY, OLD_KEY],
      chosen: 'key',
      fault: 'last_way_in',
    },
    {
      what: 'the last passkey, where the realm has no passwords',
      factors: [KEY],
      chosen: 'key',
      settings: { password: false },
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
  const plan = planFactorRemoval(read, await factors.list('ann'), {
    selection: { factor_id: 'app' },
    settings: SETTINGS,
  })
  if (typeof plan === 'string') throw new Error(plan)
  const made = { ...plan, now: now + 5 }
  expect([await removeFactors(factors, read, made), await removeFactors(factors, read, made)]).toEqual([
    true,
    false,
  ])
  expect(await factors.list('ann')).toEqual([])
  expect(await users.find('ann')).toMatchObject({ second_step: false, credential_version: 2 })
})
