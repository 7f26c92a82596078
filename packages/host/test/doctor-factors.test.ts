/** What doctor says about the factors of users. The commands are in apps/server-tests. */

import type { Factor, FactorStore, Factors, User } from '@ostiary/identity'
import { memoryUserStores } from '@ostiary/identity'
import { factorRecord } from '@ostiary/test-kit/factors/record'
import { describe, expect, it } from 'vitest'
import { checkFactors, checkPasskeys, surveyRealm } from '../src/doctor/factors.ts'
import { configure, FILE } from './support.ts'

const SECRETS = { secret: 'a secret of this test, 32 characters' }
const PLACE = { realm: 'default', issuer: 'https://id.example.com' }

/** A realm that has so many sets of recovery codes. */
function factorsWith(count: number): { factors: Factors; pages: () => number } {
  const record = factorRecord('set', 'ann', { kind: 'recovery', state: '[]' })
  let pages = 0
  const page: FactorStore['page'] = async ({ after, limit }) => {
    pages += 1
    const first = after === undefined ? 0 : Number(after) + 1
    const length = Math.min(limit, count - first)
    return Array.from({ length }, (_, index): Factor => ({ ...record, factor_id: String(first + index) }))
  }
  return { factors: () => ({ ...memoryUserStores().factors('default'), page }), pages: () => pages }
}

const findingsOf = async (count: number, secrets: { secret: string; previous_secret?: string }) => {
  const { factors, pages } = factorsWith(count)
  const survey = await surveyRealm(secrets, factors, 'default')
  const found = checkFactors(await configure(FILE), survey, PLACE)
  return { pages: pages(), found: found.map(({ status, message }) => `${status}: ${message}`) }
}

it('at most 100,000 factors of a realm are read, and a note says that there are more', async () => {
  expect(await findingsOf(100_000, SECRETS)).toMatchObject({ found: [] })
  const { pages, found } = await findingsOf(300_000, SECRETS)
  expect(found).toEqual(['note: only the first 100,000 of realm default were checked'])
  expect(pages).toBe(101)
  expect((await findingsOf(100_001, SECRETS)).found).toEqual(found)
})

it('all are read while the secret is being changed', async () => {
  const both = { ...SECRETS, previous_secret: 'the secret before, of 32 characters' }
  expect(await findingsOf(100_001, both)).toEqual({ pages: 101, found: [] })
})

describe('in a realm without passwords, users who have no passkey are counted', () => {
  const alone = { ...FILE, users: [], identity: { password: { enabled: false } } }
  const DATA = {
    credential_id: 'id',
    public_key: 'key',
    algorithm: -7,
    backup_eligible: true,
    transports: [],
    aaguid: '00000000-0000-0000-0000-000000000000',
    user_handle: 'handle',
  }
  const passkey = (sub: string, rp_id: string) =>
    factorRecord(`key of ${sub}`, sub, { kind: 'passkey', state: '0 0', data: { ...DATA, rp_id } })

  async function realmWith(users: readonly Partial<User>[], factors: readonly Factor[] = []) {
    const stores = memoryUserStores()
    for (const user of users) await stores.users('default').create({ ...userRecord(), ...user })
    for (const add of factors)
      await stores
        .factors('default')
        .change({ sub: add.sub, add: [add] }, { credential_version: 0, now: 1_700_000_000 })
    return stores
  }
  const userRecord = (): User => ({
    sub: 'ann',
    username: 'ann',
    username_key: 'ann',
    password_hash: 'hash',
    claims: {},
    attributes: null,
    groups: null,
    created_at: 1_700_000_000,
    updated_at: 1_700_000_000,
    disabled_at: null,
    credential_version: 0,
    second_step: false,
  })
  const named = (name: string, more: Partial<User> = {}) => ({
    sub: name,
    username: name,
    username_key: name,
    ...more,
  })

  const found = async (file: object, stores: Awaited<ReturnType<typeof realmWith>>) =>
    (await checkPasskeys(await configure(file), stores, PLACE)).map(
      ({ status, message, advice }) => `${status}: ${message}. ${advice}`,
    )

  it('without those who are disabled, with those of another relying party ID', async () => {
    const stores = await realmWith(
      [named('ann'), named('bob'), named('cem'), named('dan', { disabled_at: 1 })],
      [passkey('ann', 'id.example.com'), passkey('bob', 'other.example')],
    )
    expect(await found(alone, stores)).toEqual([
      'note: users of realm default who cannot sign in, because they have no passkey: 2. Let them in with ostiary user recovery-link.',
    ])
    expect(await found(FILE, stores)).toEqual([])
  })

  it('there are none: nothing is said', async () => {
    const stores = await realmWith([named('ann')], [passkey('ann', 'id.example.com')])
    expect(await found(alone, stores)).toEqual([])
  })

  it('at most 100,000 users are read', async () => {
    const list =
      (count: number) =>
      async ({ after, limit }: { after?: string; limit: number }) => {
        const first = after === undefined ? 0 : Number(after) + 1
        return Array.from({ length: Math.min(limit, count - first) }, (_, index) => ({
          ...userRecord(),
          sub: String(first + index),
        }))
      }
    const stores = await realmWith([])
    const of = (count: number) => ({
      ...stores,
      users: () => ({ ...stores.users('default'), list: list(count) }),
    })
    expect((await found(alone, of(100_000)))[0]).toContain('no passkey: 100000.')
    expect((await found(alone, of(100_001)))[0]).toContain('no passkey: at least 100000.')
  })

  it('more than 100,000 factors: nothing is said', async () => {
    const { factors } = factorsWith(100_001)
    const stores = await realmWith([named('ann')])
    expect(await found(alone, { ...stores, factors })).toEqual([])
    expect(await found(alone, { ...stores, factors: factorsWith(100_000).factors })).toHaveLength(1)
  })
})
