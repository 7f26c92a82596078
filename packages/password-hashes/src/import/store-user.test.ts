import { memoryStorage } from '@ostiary/core/memory'
import { createUser, memoryUserStores, type UserStore } from '@ostiary/identity'
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
