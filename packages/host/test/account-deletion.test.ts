/** The key `identity.account_deletion`, and the work in the background. */

import { personTag } from '@ostiary/core'
import { upsertUser } from '@ostiary/identity'
import { eventually } from '@ostiary/test-kit/eventually'
import { describe, expect, it } from 'vitest'
import { configure, FILE, faults, inMemory, startApp } from './support.ts'

const ON = { ...FILE, identity: { account_deletion: true } }
const DAY = 86_400

describe('identity.account_deletion', () => {
  it('is off without the key, and when it is false', async () => {
    for (const identity of [{}, { account_deletion: false }])
      expect(await configure({ ...FILE, identity })).not.toHaveProperty('account_deletion')
  })

  it('of the first realm and of another one', async () => {
    const realms = {
      oidc: { routes: { realms: 'path' }, realms: { default: {}, acme: {}, other: {} } },
      realms: { acme: { identity: { account_deletion: true } } },
    }
    expect((await configure({ ...ON, ...realms })).account_deletion).toEqual(['default', 'acme'])
  })

  it('without the account page is a fault with its path', async () => {
    expect(await faults({ ...ON, account: false })).toEqual([
      expect.stringContaining('identity.account_deletion: it needs account true'),
    ])
  })

  it('a server has the page where it is on alone', async () => {
    const statuses = []
    for (const file of [FILE, ON]) {
      const { get } = await startApp(file)
      statuses.push((await get('/login/delete')).status)
    }
    expect(statuses).toEqual([404, 303])
  })
})

it('a server deletes the accounts that are due, and none that the configuration names', async () => {
  const configured = FILE.users?.[0]?.username ?? ''
  const storage = inMemory()
  const users = storage.users('default')
  const tickets = storage.tickets('default')
  const now = Math.floor(Date.now() / 1000)
  await upsertUser(users, { username: configured })
  await upsertUser(users, { username: 'due' })
  await upsertUser(users, { username: 'waiting' })
  const ask = async (username: string, created_at: number) => {
    const user = await users.findByUsername(username)
    if (user === null) throw new Error(`There is no ${username}`)
    const { sub, credential_version } = user
    await tickets.put({
      ticket_hash: `of ${username}${personTag(sub)}`,
      purpose: 'delete',
      sub,
      credential_version,
      created_at,
      expires_at: created_at + 97 * DAY,
    })
  }
  await ask(configured, now - 8 * DAY)
  await ask('waiting', now - 6 * DAY)
  await ask('due', now - 8 * DAY)
  const { logged } = await startApp(ON, {}, { storage, tick_every: 5 })
  await eventually(async () => expect(await users.findByUsername('due')).toBeNull())
  expect(logged('user.deleted')).toHaveLength(1)
  expect(await users.findByUsername('waiting')).toMatchObject({ disabled_at: null })
  expect(await users.findByUsername(configured)).toMatchObject({ disabled_at: null })
})
