import { expect, it } from 'vitest'
import { changesIn } from './account-changes.js'

const LINK_ADDED = { type: 'link.added', upstream: 'corp', sub: 'ada' } as const
const PASSWORD = { type: 'account.password_set', sub: 'ada', sid: 's' } as const

it('has the changes of each account, in their order', () => {
  const changes = changesIn([LINK_ADDED, PASSWORD, { ...LINK_ADDED, sub: 'bob' }])
  expect([...changes]).toEqual([
    ['ada', [{ notice: 'link_added' }, { notice: 'password_changed' }]],
    ['bob', [{ notice: 'link_added' }]],
  ])
})

it('is empty for events that change nothing, or no account that is known', () => {
  const refused = { type: 'login.refused', reason: 'wrong_password', client_id: null, sub: 'ada' } as const
  expect(changesIn([refused]).size).toBe(0)
  expect(changesIn([]).size).toBe(0)
})

it('is empty for a new user: the link is how the account was made', () => {
  expect(changesIn([{ type: 'user.signed_up', upstream: 'corp', sub: 'ada' }, LINK_ADDED]).size).toBe(0)
})
