/** The rules of identity's MailQueue, as tests. */

import type { MailQueue, QueuedMail } from '@ostiary/identity/mail'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { claimed, idsOf, LEASE, NOW, queuedMail, type Tested } from './queued-mail.ts'
import { settleRules, walkRules } from './settle-rules.ts'

const CALLERS = 20

export interface MailQueuePlace {
  mails: MailQueue
  close(): Promise<void>
}

/** Tests the rules of identity's MailQueue on one implementation, whose queue is empty. */
export function mailQueueRules(name: string, open: () => Promise<MailQueuePlace>): void {
  describe(name, () => {
    let place: MailQueuePlace
    beforeAll(async () => {
      place = await open()
    })
    afterAll(() => place.close())
    const tested: Tested = {
      queue: () => place.mails,
      async add(...mails) {
        for (const mail of mails) await place.mails.add(mail)
      },
      claim: (changes = {}) =>
        place.mails.claim({ now: NOW, lease: LEASE, limit: 1000, share: 1000, ...changes }),
      stored: () => place.mails.page({ limit: 1000 }),
    }
    afterEach(async () => {
      for (const mail of await tested.stored()) await place.mails.settle(mail, null)
    })
    claimRules(tested)
    shareRules(tested)
    settleRules(tested)
    walkRules(tested)
    parallelRules(tested)
  })
}

function claimRules({ add, claim, stored }: Tested): void {
  it('claim: a mail that is due, and not a second before', async () => {
    const mail = queuedMail('one')
    await add(mail)
    expect(await claim({ now: NOW - 1 })).toEqual([])
    expect(await stored()).toEqual([mail])
    expect(await claim({ now: NOW })).toEqual([claimed(mail)])
  })

  it('claim: the mail is stored with the end of the lease and the attempt that begins; others stay', async () => {
    const [due, later] = [
      queuedMail('due', { attempts: 3 }),
      queuedMail('later', { next_attempt_at: NOW + 1 }),
    ]
    await add(due, later)
    expect(await claim()).toEqual([{ ...due, attempts: 4, next_attempt_at: NOW + LEASE }])
    expect(await stored()).toEqual([{ ...due, attempts: 4, next_attempt_at: NOW + LEASE }, later])
  })

  it('claim: no other caller gets the mail until the lease ends', async () => {
    const mail = queuedMail('one')
    await add(mail)
    await claim()
    expect(await claim({ now: NOW + LEASE - 1 })).toEqual([])
    const again = claimed(claimed(mail), NOW + LEASE)
    expect(await claim({ now: NOW + LEASE })).toEqual([again])
    expect(await claim({ now: NOW + LEASE })).toEqual([])
    expect(await stored()).toEqual([again])
  })

  it('claim: the lease is that of the caller', async () => {
    await add(queuedMail('one'))
    expect(await claim({ lease: 5 })).toMatchObject([{ next_attempt_at: NOW + 5 }])
    expect(await claim({ now: NOW + 4 })).toEqual([])
    expect(await claim({ now: NOW + 5 })).toHaveLength(1)
  })

  it('claim: at most as many as the limit says, and the others afterwards', async () => {
    await add(...['a', 'b', 'c', 'd'].map((name, n) => queuedMail(name, { next_attempt_at: NOW - 9 + n })))
    expect(idsOf(await claim({ limit: 3 }))).toEqual(['a', 'b', 'c'])
    expect(idsOf(await claim({ limit: 3 }))).toEqual(['d'])
    expect(await claim({ limit: 3 })).toEqual([])
  })

  it('claim: first attempts before repeated ones, and then the mail that is due longest, over all realms', async () => {
    const mail = (mail_id: string, attempts: number, next_attempt_at: number) =>
      queuedMail(mail_id, { attempts, next_attempt_at, realm: `realm of ${mail_id}` })
    await add(
      mail('a', 1, NOW - 900),
      mail('b', 9, NOW - 800),
      mail('c', 0, NOW),
      mail('d', 0, NOW - 5),
      mail('e', 1, NOW - 850),
    )
    expect(idsOf(await claim({ limit: 1 }))).toEqual(['d'])
    expect(idsOf(await claim({ limit: 3 }))).toEqual(['c', 'a', 'e'])
    expect(idsOf(await claim())).toEqual(['b'])
  })

  it('claim: what is due again is a repeated attempt', async () => {
    await add(queuedMail('old', { next_attempt_at: NOW - 900 }))
    await claim()
    await add(queuedMail('new', { next_attempt_at: NOW + LEASE }))
    expect(idsOf(await claim({ now: NOW + LEASE }))).toEqual(['new', 'old'])
  })

  it('keeps no object of a caller, and each field as it was given', async () => {
    const mail = queuedMail('one', { data: `"\\ é 🙂 ' $1 ${'x'.repeat(20_000)}`, created_at: 2 ** 40 })
    const given = { ...mail }
    await add(given)
    given.data = 'changed'
    for (const read of await stored()) read.realm = 'changed'
    expect(await stored()).toEqual([mail])
    for (const read of await claim()) read.data = 'changed'
    expect(await stored()).toEqual([claimed(mail)])
  })
}

function shareRules({ add, claim }: Tested): void {
  it('share: at most so many of one realm, and the others afterwards', async () => {
    const of = (realm: string, ...names: string[]) =>
      names.map((name, n) => queuedMail(name, { realm, next_attempt_at: NOW - 100 + n }))
    await add(...of('full', 'a', 'b', 'c'), ...of('quiet', 'd', 'e'))
    expect(idsOf(await claim({ share: 2 })).sort()).toEqual(['a', 'b', 'd', 'e'])
    expect(idsOf(await claim({ share: 2 }))).toEqual(['c'])
  })

  it('share: first and repeated attempts count together, first ones before', async () => {
    const mail = (mail_id: string, attempts: number) =>
      queuedMail(mail_id, { attempts, next_attempt_at: NOW - 100 - attempts })
    await add(mail('a', 2), mail('b', 1), mail('c', 0), mail('d', 0))
    expect(idsOf(await claim({ share: 3 })).sort()).toEqual(['a', 'c', 'd'])
    expect(idsOf(await claim({ share: 3 }))).toEqual(['b'])
  })

  it('share: a mail that is not due takes no place of another one', async () => {
    await add(
      queuedMail('due'),
      queuedMail('later', { next_attempt_at: NOW + 1 }),
      queuedMail('again', { attempts: 1 }),
    )
    expect(idsOf(await claim({ limit: 2, share: 2 }))).toEqual(['due', 'again'])
  })

  it('share: a realm with more due mails does not keep those of another one from being claimed', async () => {
    const full = Array.from({ length: 30 }, (_, n) =>
      queuedMail(`full-${n}`, { realm: 'full', next_attempt_at: NOW - 1000 + n }),
    )
    await add(...full, queuedMail('quiet', { realm: 'quiet' }))
    const found = await claim({ limit: 10, share: 9 })
    expect(idsOf(found)).toEqual([...idsOf(full.slice(0, 9)), 'quiet'])
  })
}

const fromCallers = <T>(call: (caller: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: CALLERS }, (_, caller) => call(caller)))

function parallelRules({ queue, add, claim, stored }: Tested): void {
  it(`claim: each mail goes to one of ${CALLERS} parallel callers`, async () => {
    const mails = Array.from({ length: 100 }, (_, n) => queuedMail(`mail-${n}`, { realm: `realm-${n % 4}` }))
    await add(...mails)
    const found: QueuedMail[] = []
    for (let rounds = 0; rounds < mails.length; rounds += 1) {
      const answers = await fromCallers(() => claim({ limit: 7, share: 3 }))
      for (const answer of answers) expect(answer.length).toBeLessThanOrEqual(7)
      found.push(...answers.flat())
      if (answers.flat().length === 0) break
    }
    expect(idsOf(found).sort()).toEqual(idsOf(mails).sort())
    expect(found.every(({ attempts }) => attempts === 1)).toBe(true)
  })

  it(`claim: when a lease ends, one of ${CALLERS} parallel callers gets the mail`, async () => {
    await add(queuedMail('one'))
    await claim()
    const answers = await fromCallers(() => claim({ now: NOW + LEASE }))
    expect(answers.flat()).toMatchObject([{ mail_id: 'one', attempts: 2 }])
    expect(await stored()).toEqual(answers.flat())
  })

  it(`settle: one of ${CALLERS} parallel callers wins`, async () => {
    await add(queuedMail('one'))
    await claim()
    const mail = { mail_id: 'one', attempts: 1 }
    const settled = await fromCallers(() => queue().settle(mail, null))
    expect(settled.filter(Boolean)).toHaveLength(1)
    expect(await stored()).toEqual([])
  })

  it(`reseal: one of ${CALLERS} parallel callers wins`, async () => {
    const mail = queuedMail('one')
    await add(mail)
    const sealed = await fromCallers((caller) => queue().reseal('one', mail.data, `sealed by ${caller}`))
    expect(sealed.filter(Boolean)).toHaveLength(1)
    expect(await stored()).toEqual([{ ...mail, data: `sealed by ${sealed.indexOf(true)}` }])
  })
}
