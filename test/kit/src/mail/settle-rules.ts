/** The rules of identity's MailQueue for what follows a claim, and for work on all mails. */

import type { QueuedMail } from '@ostiary/identity/mail'
import { expect, it } from 'vitest'
import { claimed, idsOf, LEASE, NOW, queuedMail, type Tested } from './queued-mail.ts'

export function settleRules({ queue, add, claim, stored }: Tested): void {
  it('settle: null deletes the mail, and no other one', async () => {
    const others = [queuedMail('two'), queuedMail('three', { realm: 'acme' })]
    await add(queuedMail('one'), ...others)
    const [mail] = await claim({ limit: 1, share: 1 })
    const left = (await stored()).filter(({ mail_id }) => mail_id !== mail?.mail_id)
    expect(await queue().settle(mail ?? queuedMail('none'), null)).toBe(true)
    expect(await stored()).toEqual(left)
    expect(left).toHaveLength(2)
    expect(await queue().settle(mail ?? queuedMail('none'), null)).toBe(false)
  })

  it('settle: otherwise the mail has this data, and is due again at this time', async () => {
    const [one, two] = [queuedMail('one'), queuedMail('two')]
    await add(one, two)
    await claim()
    const next = { data: 'the next data', next_attempt_at: NOW + 600 }
    expect(await queue().settle(claimed(one), next)).toBe(true)
    expect(await stored()).toEqual([{ ...claimed(one), ...next }, claimed(two)])
    expect(idsOf(await claim({ now: NOW + 599 }))).toEqual(['two'])
    expect(await claim({ now: NOW + 600 })).toEqual([
      { ...one, data: 'the next data', attempts: 2, next_attempt_at: NOW + 600 + LEASE },
    ])
  })

  it.each([
    ['a deletion', null],
    ['a next attempt', { data: 'too late', next_attempt_at: NOW }],
  ])('settle: false, and nothing happens, when another caller has the mail: %s', async (_, next) => {
    await add(queuedMail('one'))
    const [first] = await claim()
    const [second] = await claim({ now: NOW + LEASE })
    const before = await stored()
    expect(before).toEqual([second])
    for (const attempts of [0, 1, 3])
      expect(await queue().settle({ mail_id: 'one', attempts }, next)).toBe(false)
    expect(await queue().settle(first ?? queuedMail('none'), next)).toBe(false)
    expect(await queue().settle({ mail_id: 'none', attempts: 2 }, next)).toBe(false)
    expect(await stored()).toEqual(before)
    expect(await queue().settle(second ?? queuedMail('none'), next)).toBe(true)
  })

  it('settle: also when the lease is over, as long as no other caller has the mail', async () => {
    await add(queuedMail('one'))
    const [mail] = await claim({ lease: 1 })
    expect(await claim({ now: NOW })).toEqual([])
    expect(await queue().settle(mail ?? queuedMail('none'), null)).toBe(true)
    expect(await claim({ now: NOW + LEASE })).toEqual([])
  })
}

export function walkRules({ queue, add, claim, stored }: Tested): void {
  it('page: each mail of all realms once, in the order of the ids, also while an attempt runs', async () => {
    const names = ['-a', '0a', 'Ba', '_a', 'aB', 'aa', 'ab']
    const mails = names.map((name, n) => queuedMail(name, { realm: `realm-${n % 3}` }))
    await add(...[...mails].reverse())
    await claim({ limit: 2 })
    const all = await stored()
    expect(idsOf(all)).toEqual(names)
    for (const limit of [1, 2, 7, 8]) {
      const found: QueuedMail[] = []
      for (let pages = 0; pages <= names.length; pages += 1) {
        const after = found.at(-1)?.mail_id
        const page = await queue().page({ limit, ...(after !== undefined && { after }) })
        expect(page.length).toBeLessThanOrEqual(limit)
        found.push(...page)
        if (page.length < limit) break
      }
      expect(found).toEqual(all)
    }
  })

  it('page: goes on after a mail that was sent meanwhile', async () => {
    await add(queuedMail('a'), queuedMail('b'), queuedMail('c'))
    expect(await queue().settle(queuedMail('b'), null)).toBe(true)
    expect(idsOf(await queue().page({ after: 'b', limit: 9 }))).toEqual(['c'])
  })

  it('reseal: replaces the data alone, if they are the expected ones', async () => {
    const [one, two] = [
      queuedMail('one', { data: 'same' }),
      queuedMail('two', { data: 'same', realm: 'acme' }),
    ]
    await add(one, two)
    for (const expected of ['other', 'sam', 'SAME', ''])
      expect(await queue().reseal('one', expected, 'next')).toBe(false)
    expect(await queue().reseal('none', 'same', 'next')).toBe(false)
    expect(await stored()).toEqual([one, two])
    expect(await queue().reseal('one', 'same', 'next')).toBe(true)
    expect(await stored()).toEqual([{ ...one, data: 'next' }, two])
    expect(await queue().reseal('one', 'same', 'last')).toBe(false)
  })

  it('reseal: the caller that has the mail can settle it afterwards', async () => {
    const mail = queuedMail('one')
    await add(mail)
    await claim()
    expect(await queue().reseal('one', mail.data, 'next')).toBe(true)
    expect(await stored()).toEqual([{ ...claimed(mail), data: 'next' }])
    expect(await queue().settle(claimed(mail), null)).toBe(true)
  })
}
