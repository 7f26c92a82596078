import { copied } from '@ostiary/core/memory'
import { pageOf } from '../web/page-of.js'
import type { MailQueue, QueuedMail } from './mail-queue.js'

/** Mails in the memory of this process, for tests and demos: the reference for adapters. */
export function memoryMailQueue(): MailQueue {
  const mails = new Map<string, QueuedMail>()
  return {
    async add(mail) {
      mails.set(mail.mail_id, copied(mail))
    },
    async claim({ now, lease, limit, share }) {
      const due = [...mails.values()].filter(({ next_attempt_at }) => next_attempt_at <= now)
      const claimed = fairly(due.sort(inTurn), share).slice(0, limit)
      for (const mail of claimed) {
        mail.next_attempt_at = now + lease
        mail.attempts += 1
      }
      return copied(claimed)
    },
    async settle({ mail_id, attempts }, next) {
      const mail = mails.get(mail_id)
      if (mail?.attempts !== attempts) return false
      if (next === null) mails.delete(mail_id)
      else Object.assign(mail, next)
      return true
    },
    page: async (page) => pageOf(mails.values(), 'mail_id', page),
    async reseal(mail_id, expected_data, data) {
      const mail = mails.get(mail_id)
      if (mail?.data !== expected_data) return false
      mail.data = data
      return true
    },
  }
}

const isRepeated = ({ attempts }: QueuedMail): number => Math.min(attempts, 1)

const inTurn = (a: QueuedMail, b: QueuedMail): number =>
  isRepeated(a) - isRepeated(b) || a.next_attempt_at - b.next_attempt_at || (a.mail_id < b.mail_id ? -1 : 1)

/** At most `share` mails of one realm. */
function fairly(mails: readonly QueuedMail[], share: number): QueuedMail[] {
  const taken = new Map<string, number>()
  return mails.filter(({ realm }) => {
    const count = (taken.get(realm) ?? 0) + 1
    taken.set(realm, count)
    return count <= share
  })
}
