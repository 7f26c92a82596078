/** A change of the provider's secret while mails wait to be sent. */

import { queuedMail } from '@ostiary/test-kit/mail/queued-mail'
import { expect, it } from 'vitest'
import { memoryMailQueue, resealMails, surveyMails } from '../src/mail/index.js'
import { MAIL_USE, type MailContent, openMail, sealMail } from '../src/outbox/mail-content.js'
import type { MailQueue, QueuedMail } from '../src/outbox/mail-queue.js'
import { createSealer } from '../src/web/sealed.js'

const OLD = 'the old secret of this test, 32 characters'
const NEW = 'the new secret of this test, 32 characters'
const OTHER = 'a third secret of this test, 32 characters'
const ROTATION = { secret: NEW, previous_secret: OLD }

const CONTENT: MailContent = { kind: 'reset', username: 'Ada', language: 'en', device: '', at: 1 }

const sealedWith = (secret: string, mail_id: string, realm = 'default'): QueuedMail =>
  queuedMail(mail_id, {
    realm,
    data: sealMail(createSealer({ secret }, MAIL_USE), { mail_id, realm }, CONTENT),
  })

async function queueWith(mails: readonly QueuedMail[]): Promise<MailQueue> {
  const queue = memoryMailQueue()
  for (const mail of mails) await queue.add(mail)
  return queue
}

const stored = (queue: MailQueue) => queue.page({ limit: 1000 })

/** The ids of the mails that can be sent with this secret alone. */
async function readableWith(queue: MailQueue, secret: string): Promise<string[]> {
  const sealer = createSealer({ secret }, MAIL_USE)
  const mails = await stored(queue)
  return mails.filter((mail) => openMail(sealer, mail)?.kind === 'reset').map(({ mail_id }) => mail_id)
}

it('pending mails are sealed anew, those of every realm; the others are counted, and stay as they are', async () => {
  const mails = [
    sealedWith(OLD, 'a'),
    sealedWith(OLD, 'b', 'acme'),
    sealedWith(NEW, 'c'),
    sealedWith(OTHER, 'd'),
  ]
  const queue = await queueWith(mails)
  expect(await resealMails(queue, ROTATION)).toEqual({ pending: 4, unreadable: 1, sealed_anew: 2 })
  expect(await readableWith(queue, NEW)).toEqual(['a', 'b', 'c'])
  expect(await readableWith(queue, OLD)).toEqual([])
  const after = await stored(queue)
  expect(after.slice(2)).toEqual(mails.slice(2))
  expect(after.map((mail) => ({ ...mail, data: '' }))).toEqual(mails.map((mail) => ({ ...mail, data: '' })))
  expect(await resealMails(queue, ROTATION)).toEqual({ pending: 4, unreadable: 1, sealed_anew: 0 })
  expect(await stored(queue)).toEqual(after)
})

it('data that were copied to another mail or realm are of no use', async () => {
  const { data } = sealedWith(OLD, 'a')
  const queue = await queueWith([queuedMail('a', { realm: 'acme', data }), queuedMail('b', { data })])
  expect(await resealMails(queue, ROTATION)).toEqual({ pending: 2, unreadable: 2, sealed_anew: 0 })
})

it('more mails than a page has: each is read once', async () => {
  const queue = await queueWith(
    Array.from({ length: 250 }, (_, n) => sealedWith(OLD, `mail-${String(n).padStart(3, '0')}`)),
  )
  const pages: number[] = []
  const watched: MailQueue = {
    ...queue,
    async page(page) {
      const found = await queue.page(page)
      pages.push(found.length)
      return found
    },
  }
  expect(await resealMails(watched, ROTATION)).toEqual({ pending: 250, unreadable: 0, sealed_anew: 250 })
  expect(pages).toEqual([100, 100, 50])
  expect(await readableWith(queue, NEW)).toHaveLength(250)
})

it('a mail that was sent or sealed anew meanwhile is left, and not counted as sealed anew', async () => {
  const mails = [sealedWith(OLD, 'a'), sealedWith(OLD, 'b')]
  const queue = await queueWith(mails)
  const late: MailQueue = {
    ...queue,
    async reseal(mail_id, expected, data) {
      if (mail_id === 'a') await queue.settle({ mail_id, attempts: 0 }, null)
      else await queue.reseal(mail_id, expected, 'sealed by an attempt')
      return queue.reseal(mail_id, expected, data)
    },
  }
  expect(await resealMails(late, ROTATION)).toMatchObject({ sealed_anew: 0 })
  expect(await stored(queue)).toEqual([{ ...mails[1], data: 'sealed by an attempt' }])
})

it('after an interruption, the next call seals the rest', async () => {
  const queue = await queueWith(['a', 'b', 'c'].map((mail_id) => sealedWith(OLD, mail_id)))
  let sealed = 0
  const failing: MailQueue = {
    ...queue,
    async reseal(...mail) {
      if (sealed === 2) throw new Error('The database is gone')
      sealed += 1
      return queue.reseal(...mail)
    },
  }
  await expect(resealMails(failing, ROTATION)).rejects.toThrow('The database is gone')
  const survey = await surveyMails(queue, ROTATION)
  expect(survey).toEqual({ pending: 3, unreadable: 0, sealed_before: new Map([['default', 1]]) })
  expect(await resealMails(queue, ROTATION)).toEqual({ pending: 3, unreadable: 0, sealed_anew: 1 })
})

it('a survey counts by realm what only the previous secret opens, and changes nothing', async () => {
  const mails = [
    sealedWith(OLD, 'a'),
    sealedWith(OLD, 'b', 'acme'),
    sealedWith(OLD, 'c', 'acme'),
    sealedWith(NEW, 'd', 'acme'),
    sealedWith(OTHER, 'e'),
  ]
  const queue = await queueWith(mails)
  expect(await surveyMails(queue, ROTATION)).toEqual({
    pending: 5,
    unreadable: 1,
    sealed_before: new Map([
      ['default', 1],
      ['acme', 2],
    ]),
  })
  expect(await surveyMails(queue, { secret: NEW })).toMatchObject({ unreadable: 4, sealed_before: new Map() })
  expect(await stored(queue)).toEqual(mails)
})
