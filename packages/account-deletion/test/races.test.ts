/** The deletion and the user act at the same moment: one side is held open. */

import type { Tickets } from '@ostiary/identity'
import { expect, it } from 'vitest'
import { browserAt, DAY, type Place, pathOf, place, requested, types } from './_place.js'

/** Holds the next call of a function of the tickets: before it reads, or after it has taken. */
function held(name: 'findOf' | 'take') {
  let letGo = () => {}
  let isReached = () => {}
  let next: Promise<void> | null = null
  const wait = async () => {
    const gate = next
    next = null
    if (gate === null) return
    isReached()
    await gate
  }
  const wrap =
    (tickets: Tickets): Tickets =>
    (realm) => {
      const store = tickets(realm)
      if (name === 'findOf')
        return {
          ...store,
          async findOf(...args) {
            await wait()
            return store.findOf(...args)
          },
        }
      return {
        ...store,
        async take(...args) {
          const taken = await store.take(...args)
          await wait()
          return taken
        },
      }
    }
  return {
    wrap,
    letGo: () => letGo(),
    /** @returns Resolves when a call is held. */
    hold(): Promise<void> {
      next = new Promise((resolve) => {
        letGo = resolve
      })
      return new Promise((resolve) => {
        isReached = resolve
      })
    },
  }
}

async function requestOf({ tickets }: Place) {
  const [request] = await tickets.list({ purpose: 'delete', limit: 1 })
  if (request === undefined) throw new Error('There is no request')
  return request
}

it('who has kept the account just before it was disabled has it afterwards', async () => {
  const gate = held('findOf')
  const p = await place({ wrap: gate.wrap })
  await requested(p)
  p.clock.now += 7 * DAY
  const is_held = gate.hold()
  const round = p.round()
  await is_held
  // The deletion has disabled the user, and has not read the request again.
  expect((await p.find('ann'))?.disabled_at).not.toBeNull()
  await p.tickets.take((await requestOf(p)).ticket_hash)
  gate.letGo()
  await round
  expect(await p.find('ann')).toMatchObject({ disabled_at: null })
  expect(pathOf(await browserAt(p).signIn('ann'))).toBe('/account')
})

it('who has kept the account and asked again meanwhile has seven more days', async () => {
  const gate = held('findOf')
  const p = await place({ wrap: gate.wrap })
  await requested(p)
  p.clock.now += 7 * DAY
  const is_held = gate.hold()
  const round = p.round()
  await is_held
  const request = await requestOf(p)
  await p.tickets.put({ ...request, ticket_hash: `another ${request.ticket_hash}`, created_at: p.clock.now })
  gate.letGo()
  await round
  expect(await p.find('ann')).toMatchObject({ disabled_at: null })
  p.clock.now += 7 * DAY
  await p.round()
  expect(await p.find('ann')).toBeNull()
})

it('who is disabled by the operator stays disabled', async () => {
  const gate = held('findOf')
  const p = await place({ wrap: gate.wrap })
  await requested(p)
  p.clock.now += 7 * DAY
  const user = await p.find('ann')
  if (user === null) throw new Error('There is no ann')
  const disabled = { ...user, disabled_at: p.clock.now, updated_at: user.updated_at + 1 }
  await p.users.update(disabled, user.updated_at)
  const is_held = gate.hold()
  const round = p.round()
  await is_held
  await p.tickets.take((await requestOf(p)).ticket_hash)
  gate.letGo()
  await round
  expect((await p.find('ann'))?.disabled_at).not.toBeNull()
})

it('who comes too late is told so, and nothing says that the account is kept', async () => {
  const gate = held('take')
  const p = await place({ wrap: gate.wrap })
  await requested(p)
  p.clock.now += 7 * DAY
  const b = browserAt(p)
  const offered = await b.signIn('ann')
  const is_held = gate.hold()
  const form = b.keeps(offered)
  await is_held
  // The form has taken the request, and has not read the account again.
  const user = await p.find('ann')
  if (user === null) throw new Error('There is no ann')
  const disabled = { ...user, disabled_at: p.clock.now, updated_at: user.updated_at + 1 }
  await p.users.update(disabled, user.updated_at)
  gate.letGo()
  const answer = await form
  expect(answer.status).toBe(409)
  expect(await answer.text()).toContain('It was too late to keep it.')
  expect(types(p)).not.toContain('account.deletion_withdrawn')
})

it('one round runs at a time', async () => {
  const gate = held('findOf')
  let rounds = 0
  const counted: (tickets: Tickets) => Tickets = (tickets) => (realm) => {
    const store = gate.wrap(tickets)(realm)
    const list: typeof store.list = (page) => {
      rounds += 1
      return store.list(page)
    }
    return { ...store, list }
  }
  const p = await place({ wrap: counted })
  await requested(p)
  p.clock.now += 8 * DAY
  const is_held = gate.hold()
  const first = p.round()
  await is_held
  p.clock.now += 3600
  const second = p.round()
  gate.letGo()
  await Promise.all([first, second])
  expect(rounds).toBe(1)
  expect(await p.find('ann')).toBeNull()
  expect(p.failures).toEqual([])
})
