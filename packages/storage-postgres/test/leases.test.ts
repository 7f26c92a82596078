/** The lease of the background work, taken by two servers: one transaction stays open, and the other server waits for it. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { postgresLease } from '../src/index.js'
import { hold, untilItWaits } from './_held.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'

let database: OwnDatabase
beforeAll(async () => {
  database = await migratedDatabase()
})
afterAll(() => database.drop())

const SECONDS = 60
const lease = (name: string) => postgresLease(database.executor, name)
const taken = (name: string, holder: string) =>
  hold(database.executor, (tx) => postgresLease(tx, name).take(holder, SECONDS))

it('is one of two that take a lease which is free: the second one waits, and does not get it', async () => {
  const first = await taken('new', 'first')
  expect(first.result).toMatchObject({ held: true })
  const second = lease('new').take('second', SECONDS)
  expect(await untilItWaits(database.executor, second)).toBe(true)
  await first.commit()
  expect(await second).toMatchObject({ held: false })
  expect(await lease('new').take('first', SECONDS)).toMatchObject({ held: true })
})

it('is one of two that take a lease which has ended', async () => {
  await lease('ended').take('before', -1)
  const first = await taken('ended', 'first')
  expect(first.result).toMatchObject({ held: true })
  const second = lease('ended').take('second', SECONDS)
  expect(await untilItWaits(database.executor, second)).toBe(true)
  await first.commit()
  expect(await second).toMatchObject({ held: false })
})

it('is that of the second one when the first one is rolled back', async () => {
  const first = await taken('back', 'first')
  const second = lease('back').take('second', SECONDS)
  expect(await untilItWaits(database.executor, second)).toBe(true)
  await first.rollback()
  expect(await second).toMatchObject({ held: true })
})

it('is renewed by its holder, and left to its holder', async () => {
  expect(await lease('mine').take('first', SECONDS)).toMatchObject({ held: true })
  expect(await lease('mine').take('first', SECONDS)).toMatchObject({ held: true })
  const other = await lease('mine').take('second', SECONDS)
  expect(other.held).toBe(false)
  expect(other.ends_in).toBeGreaterThan(SECONDS - 10)
})

it('is given back by its holder alone', async () => {
  await lease('given').take('first', SECONDS)
  await lease('given').giveBack('second')
  expect(await lease('given').take('second', SECONDS)).toMatchObject({ held: false })
  await lease('given').giveBack('first')
  expect(await lease('given').take('second', SECONDS)).toMatchObject({ held: true })
})

it('is one of several with names of their own: giving one back ends no other', async () => {
  await lease('here').take('first', SECONDS)
  await lease('there').take('first', SECONDS)
  await lease('there').giveBack('first')
  expect(await lease('here').take('second', SECONDS)).toMatchObject({ held: false })
})
