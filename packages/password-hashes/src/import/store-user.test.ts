import { memoryStorage } from '@ostiary/core/memory'
import { createUser, type FactorStore, memoryUserStores, type UserStore } from '@ostiary/identity'
import { factorRecord } from '@ostiary/test-kit/factors/record'
import { expect, it } from 'vitest'
import { storeUser } from './store-user.js'
import type { UserLine } from './target.js'

const ANN: UserLine = {
  username: 'ann',
  username_key: 'ann',
  sub: null,
  password_hash: null,
  claims: { name: 'Ann Example' },
  attributes: null,
  groups: null,
  disabled: false,
  totp: [],
}

/** Another process changes the user before each of these attempts. */
async function disturbed(attempts: number) {
  const stores = memoryUserStores()
  const stored = stores.users('default')
  await createUser(stored, { username: 'ann' })
  let updates = 0
  const users: UserStore = {
    ...stored,
    async update(user, seen) {
      updates += 1
      const current = await stored.find(user.sub)
      if (updates <= attempts && current !== null)
        await stored.update({ ...current, updated_at: current.updated_at + 1 }, current.updated_at)
      return stored.update(user, seen)
    },
  }
  const { clients } = memoryStorage()('default')
  const refusal = () => null
  const totp = () => {
    throw new Error('There is no app')
  }
  const target = { users, factors: stores.factors('default'), clients, refusal, update: true, totp, now: 1 }
  return { outcome: await storeUser(ANN, target), updates, user: await stored.findByUsername('ann') }
}

it('a user whom another process changes meanwhile is compared again', async () => {
  const { outcome, updates, user } = await disturbed(4)
  expect([outcome, updates]).toEqual(['updated', 5])
  expect(user?.claims).toEqual({ name: 'Ann Example' })
})

it('a user whom another process changes five times is left as it is', async () => {
  const { outcome, updates, user } = await disturbed(5)
  expect(outcome).toEqual({
    reason: 'another process is changing the user at the same time: import the file again',
  })
  expect(updates).toBe(5)
  expect(user?.claims).toEqual({})
})

it('without the apps that are to follow, the password of a new user is not enough', async () => {
  const stores = memoryUserStores()
  const { clients } = memoryStorage()('default')
  const factors: FactorStore = {
    ...stores.factors('default'),
    change: async () => Promise.reject(new Error('the process ends')),
  }
  const target = {
    users: stores.users('default'),
    factors,
    clients,
    refusal: () => null,
    totp: ({ sub }: { sub: string }) => factorRecord('app', sub),
    update: false,
    now: 1,
  }
  const line = { ...ANN, totp: [{ secret: Buffer.alloc(20), label: 'Phone' }] }
  await expect(storeUser(line, target)).rejects.toThrow('the process ends')
  expect(await target.users.findByUsername('ann')).toMatchObject({ second_step: true })
})
