/** The rules of identity's TicketStore, as tests. */

import { personTag } from '@ostiary/core'
import type { Ticket, TicketStore, Tickets, Users } from '@ostiary/identity'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userRecord as user } from './user-rules.ts'

const NOW = 1_700_000_100
const CALLERS = 20

export interface TicketPlace {
  users: Users
  tickets: Tickets
  close(): Promise<void>
}

export const ticketRecord = (name: string, sub: string, changes: Partial<Ticket> = {}): Ticket => ({
  ticket_hash: `${name}${personTag(sub)}`,
  purpose: 'recover',
  sub,
  credential_version: 3,
  created_at: NOW,
  expires_at: NOW + 3600,
  ...changes,
})

/** Tests the rules of identity's TicketStore on one implementation. */
export function ticketRules(name: string, open: () => Promise<TicketPlace>): void {
  describe(name, () => {
    let place: TicketPlace
    let realms = 0
    beforeAll(async () => {
      place = await open()
    })
    afterAll(() => place.close())
    /** The store of a new realm. */
    const fresh = () => {
      realms += 1
      const realm = `tickets-${realms}`
      return { realm, tickets: place.tickets(realm), users: place.users(realm) }
    }
    rules(fresh, () => place.tickets('another realm'))
  })
}

function rules(
  fresh: () => { tickets: TicketStore; users: ReturnType<Users> },
  elsewhere: () => TicketStore,
): void {
  it('finds a ticket exactly as it was stored, in its realm alone', async () => {
    const { tickets } = fresh()
    const ticket = ticketRecord('one', 'ann')
    await tickets.put(ticket)
    expect(await tickets.find(ticket.ticket_hash)).toEqual(ticket)
    expect(await elsewhere().find(ticket.ticket_hash)).toBeNull()
    expect(await elsewhere().take(ticket.ticket_hash)).toBeNull()
    for (const unknown of [`two${personTag('ann')}`, 'one', ''])
      expect(await tickets.find(unknown)).toBeNull()
    expect(await tickets.find(ticket.ticket_hash)).toEqual(ticket)
  })

  it('a newer ticket ends the older one of its user, and of no other', async () => {
    const { tickets } = fresh()
    const [old, other] = [ticketRecord('old', 'ann'), ticketRecord('other', 'bob')]
    const next = ticketRecord('next', 'ann', {
      credential_version: 4,
      created_at: NOW + 1,
      expires_at: NOW + 3601,
    })
    for (const ticket of [old, other, next]) await tickets.put(ticket)
    expect(await tickets.find(old.ticket_hash)).toBeNull()
    expect(await tickets.take(old.ticket_hash)).toBeNull()
    expect(await tickets.find(next.ticket_hash)).toEqual(next)
    expect(await tickets.find(other.ticket_hash)).toEqual(other)
  })

  it('the tickets of a user for several purposes do not end each other', async () => {
    const { tickets } = fresh()
    const purposes = ['recover', 'reset', 'invite', 'regain', 'wait'] as const
    const all = purposes.map((purpose) => ticketRecord(purpose, 'ann', { purpose }))
    for (const ticket of all) await tickets.put(ticket)
    for (const ticket of all) expect(await tickets.findOf('ann', ticket.purpose)).toEqual(ticket)
    const newer = ticketRecord('newer', 'ann', { purpose: 'wait', expires_at: NOW + 86_400 })
    await tickets.put(newer)
    expect(await tickets.findOf('ann', 'wait')).toEqual(newer)
    expect(await tickets.findOf('ann', 'regain')).toEqual(all[3])
  })

  it('finds the ticket of a user for a purpose', async () => {
    const { tickets } = fresh()
    const [ann, bob] = ['ann', 'bob'].map((sub) => ticketRecord(`i-${sub}`, sub, { purpose: 'invite' }))
    if (!ann || !bob) throw new Error('two tickets')
    const other = ticketRecord('r-ann', 'ann')
    for (const ticket of [ann, bob, other]) await tickets.put(ticket)
    expect(await tickets.findOf('ann', 'invite')).toEqual(ann)
    expect(await tickets.findOf('ann', 'recover')).toEqual(other)
    expect(await tickets.findOf('bob', 'recover')).toBeNull()
    expect(await tickets.findOf('cem', 'invite')).toBeNull()
    expect(await elsewhere().findOf('ann', 'invite')).toBeNull()
    await tickets.take(ann.ticket_hash)
    expect(await tickets.findOf('ann', 'invite')).toBeNull()
  })

  it('lists the tickets for one purpose in pages, each once, as they were stored', async () => {
    const { tickets, users } = fresh()
    const subs = ['ann', 'bob', 'cem', 'dan', 'eve']
    for (const sub of subs) {
      expect(await users.create(user(sub))).toBe(true)
      await tickets.put(ticketRecord(`r-${sub}`, sub))
      await tickets.put(ticketRecord(`i-${sub}`, sub, { purpose: 'invite' }))
    }
    const inOrder = (await users.list({ limit: 9 })).map(({ sub }) => sub)
    const invited = inOrder.map((sub) => ticketRecord(`i-${sub}`, sub, { purpose: 'invite' }))
    const page = (after: string | undefined, limit: number) =>
      tickets.list({ purpose: 'invite', limit, ...(after !== undefined && { after }) })
    expect(await page(undefined, 9)).toEqual(invited)
    expect(await page(undefined, 5)).toEqual(invited)
    expect(await page(undefined, 2)).toEqual(invited.slice(0, 2))
    expect(await page(inOrder[1], 2)).toEqual(invited.slice(2, 4))
    expect(await page(inOrder[3], 2)).toEqual(invited.slice(4))
    expect(await page(inOrder[4], 2)).toEqual([])
    expect(await tickets.list({ purpose: 'reset', limit: 9 })).toEqual([])
    expect(await elsewhere().list({ purpose: 'invite', limit: 9 })).toEqual([])
  })

  it(`of ${CALLERS} callers that take a ticket, one gets it`, async () => {
    const { tickets } = fresh()
    const ticket = ticketRecord('one', 'ann')
    await tickets.put(ticket)
    const taken = await Promise.all(Array.from({ length: CALLERS }, () => tickets.take(ticket.ticket_hash)))
    expect(taken.filter((answer) => answer !== null)).toEqual([ticket])
    expect(await tickets.find(ticket.ticket_hash)).toBeNull()
  })

  it(`of ${CALLERS} tickets of one user that are stored at once, one stays`, async () => {
    const { tickets } = fresh()
    const all = Array.from({ length: CALLERS }, (_, index) => ticketRecord(`t${index}`, 'ann'))
    await Promise.all(all.map((ticket) => tickets.put(ticket)))
    const left = await Promise.all(all.map(({ ticket_hash }) => tickets.find(ticket_hash)))
    expect(left.filter((ticket) => ticket !== null)).toHaveLength(1)
  })

  it('the deletion of a user deletes the tickets of that user alone', async () => {
    const { tickets, users } = fresh()
    for (const sub of ['ann', 'bob']) {
      expect(await users.create(user(sub))).toBe(true)
      await tickets.put(ticketRecord('one', sub))
    }
    expect(await users.delete('ann')).toBe(true)
    expect(await tickets.find(ticketRecord('one', 'ann').ticket_hash)).toBeNull()
    expect(await tickets.find(ticketRecord('one', 'bob').ticket_hash)).not.toBeNull()
  })

  it('keeps no object of a caller', async () => {
    const { tickets } = fresh()
    const ticket = ticketRecord('one', 'ann')
    const given = { ...ticket }
    await tickets.put(given)
    given.sub = 'changed'
    const read = await tickets.find(ticket.ticket_hash)
    if (read) read.expires_at = 0
    expect(await tickets.find(ticket.ticket_hash)).toEqual(ticket)
  })
}
