/** Mails that wait to be sent: the rules, two servers of which one is held, the purge, and a restore. */

import type { MailQueue, QueuedMail } from '@ostiary/identity/mail'
import { mailQueueRules } from '@ostiary/test-kit/mail/mail-queue-rules'
import { queuedMail as mail } from '@ostiary/test-kit/mail/queued-mail'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { deleteMails, type Executor, postgresStores } from '../src/index.js'
import { executorIn, type HeldTransaction, hold, untilItWaits } from './_held.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'
import { recorded, unexplained } from './_statements.js'

let texts = new Set<string>()
mailQueueRules('mails in PostgreSQL', async () => {
  const { executor, drop } = await migratedDatabase()
  const recording = recorded(executor)
  texts = recording.texts
  return { ...postgresStores(recording.executor), close: drop }
})

it('plans.long.test.ts explains every statement that the rules for mails cause', async () => {
  expect(texts.size).toBe(6)
  expect(await unexplained(texts)).toEqual([])
})

const NOW = Math.floor(Date.now() / 1000)
const TWO_DAYS = 172_800

describe.each([
  ['one database', false],
  ['a database that is divided by buckets', true],
])('in %s', (_, sharded) => {
  let database: OwnDatabase
  beforeAll(async () => {
    database = await migratedDatabase()
  })
  afterAll(() => database.drop())
  afterEach(() => database.executor.query('delete from oidc_mails'))

  const storesOn = (executor: Executor) => postgresStores(executor, { sharded })
  const own = () => storesOn(database.executor).mails
  const held = <T>(call: (mails: MailQueue) => Promise<T>): Promise<HeldTransaction<T>> =>
    hold(database.executor, (tx) => call(storesOn(executorIn(tx)).mails))
  const claim = (mails: MailQueue, now = NOW): Promise<QueuedMail[]> =>
    mails.claim({ now, lease: 60, limit: 100, share: 100 })
  const ids = (mails: readonly QueuedMail[]) => mails.map(({ mail_id }) => mail_id)
  const stored = () => own().page({ limit: 9 })
  const FIRST = mail('one', { next_attempt_at: NOW - 5 })

  it('a second server gets the other mails at once, while the first one claims', async () => {
    await own().add(FIRST)
    const open = await held((mails) => claim(mails))
    await own().add(mail('two', { realm: 'acme', next_attempt_at: NOW }))
    expect(ids(await claim(own()))).toEqual(['two'])
    await open.commit()
    expect(ids(open.result)).toEqual(['one'])
    expect(await claim(own())).toEqual([])
  })

  it('a mail whose claim has failed goes to the next server', async () => {
    await own().add(FIRST)
    const open = await held((mails) => claim(mails))
    expect(await claim(own())).toEqual([])
    await open.rollback()
    expect(await claim(own())).toMatchObject([{ mail_id: 'one', attempts: 1 }])
  })

  it('a mail that is settled at this moment is not claimed, also when its lease is over', async () => {
    await own().add(FIRST)
    await claim(own())
    const open = await held((mails) => mails.settle({ mail_id: 'one', attempts: 1 }, null))
    expect(await claim(own(), NOW + 60)).toEqual([])
    await open.commit()
    expect([open.result, await stored()]).toEqual([true, []])
  })

  it('who settles a mail that another server is claiming waits, and gets false', async () => {
    await own().add(FIRST)
    const [first] = await claim(own())
    const open = await held((mails) => claim(mails, NOW + 60))
    const late = own().settle(first ?? FIRST, null)
    expect(await untilItWaits(database.executor, late)).toBe(true)
    await open.commit()
    expect(await late).toBe(false)
    expect(await stored()).toEqual(open.result)
  })

  it('data that are sealed anew while the mail is claimed stay, and the claim has them', async () => {
    await own().add(FIRST)
    const open = await held((mails) => mails.reseal('one', FIRST.data, 'sealed'))
    expect(await claim(own())).toEqual([])
    await open.commit()
    expect(await claim(own())).toMatchObject([{ mail_id: 'one', data: 'sealed', attempts: 1 }])
  })

  it('10,000 due mails of a realm, of both kinds, delay no other realm', async () => {
    await database.executor.query(`insert into oidc_mails
      select 'full', 'full-' || i, 'data', i % 2, 1, ${NOW - 20_000} + i, ${NOW + TWO_DAYS}
      from generate_series(1, 10000) as i`)
    await own().add(mail('quiet', { realm: 'quiet', next_attempt_at: NOW }))
    await own().add(mail('quiet again', { realm: 'quiet', attempts: 1, next_attempt_at: NOW }))
    const found = await own().claim({ now: NOW, lease: 60, limit: 10, share: 5 })
    expect(ids(found)).toEqual(['full-2', 'full-4', 'full-6', 'full-8', 'full-10', 'quiet', 'quiet again'])
  })

  it('the purge deletes mails that are two days old, and no others, whatever their attempt', async () => {
    const { background } = storesOn(database.executor).storage
    const due = async () => (await background?.due({ now: NOW, realms: [], keys_before: 0 }))?.expired
    const old = { created_at: NOW - TWO_DAYS, next_attempt_at: NOW + 60 }
    const young = mail('young', { ...old, created_at: NOW - TWO_DAYS + 1 })
    await own().add(young)
    expect(await due()).toBe(false)
    await own().add(mail('first', old))
    await own().add(mail('again', { ...old, attempts: 5, realm: 'acme' }))
    await own().add({ ...young, mail_id: 'new', created_at: NOW })
    expect(await due()).toBe(true)
    expect(await background?.purge(NOW)).toBe(2)
    expect(await due()).toBe(false)
    expect(ids(await stored())).toEqual(['new', 'young'])
  })

  it('what makes a restored database safe deletes every mail, in batches', async () => {
    await database.executor.query(`insert into oidc_mails
      select 'realm-' || i % 9, 'mail-' || i, 'data', i % 2, 1, 1, 1 from generate_series(1, 2001) as i`)
    expect(await deleteMails(database.executor)).toBe(2001)
    expect(await stored()).toEqual([])
    expect(await deleteMails(database.executor)).toBe(0)
  })
})

it('the purge of a realm deletes the old mails of that realm alone', async () => {
  const { executor, drop } = await migratedDatabase()
  const { storage, mails } = postgresStores(executor)
  const old = mail('old', { created_at: NOW - TWO_DAYS })
  await mails.add(old)
  expect(await storage('acme').purge(NOW)).toBe(0)
  expect(await mails.page({ limit: 9 })).toEqual([old])
  expect(await storage('default').purge(NOW)).toBe(1)
  expect(await mails.page({ limit: 9 })).toEqual([])
  await drop()
})
