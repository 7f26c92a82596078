import { ticketRecord, ticketRules } from '@ostiary/test-kit/ticket-rules'
import { expect, it } from 'vitest'
import { memoryUserStores } from '../src/index.js'

ticketRules('tickets in memory', async () => ({ ...memoryUserStores(), close: async () => {} }))

it('memory forgets expired tickets when another one is stored', async () => {
  const tickets = memoryUserStores().tickets('default')
  const old = ticketRecord('old', 'ann')
  await tickets.put(old)
  await tickets.put(ticketRecord('new', 'bob', { created_at: old.expires_at - 1 }))
  expect(await tickets.find(old.ticket_hash)).toEqual(old)
  await tickets.put(ticketRecord('new', 'cem', { created_at: old.expires_at }))
  expect(await tickets.find(old.ticket_hash)).toBeNull()
})
