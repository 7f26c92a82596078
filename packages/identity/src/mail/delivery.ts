/** Sends queued mails in the background, a few at a time. */

import type { Provider } from '@ostiary/core'
import type { QueuedMail } from '../outbox/mail-queue.js'
import { attemptMail, type DeliveryParts, LEASE_SECONDS } from './attempt.js'

/** Mails that one process sends at a time. */
const MAX_MAILS = 8
/** Of these, mails of one realm: a mail server that does not answer delays the others less. */
const MAX_MAILS_OF_REALM = 4

export interface MailSender {
  /** Sends what is due, and what becomes due while it sends. */
  start(provider: Provider): void
  settled(): Promise<void>
  stop(): Promise<void>
}

export function createMailSender(parts: DeliveryParts): MailSender {
  let running: Promise<void> | null = null
  let is_asked = false
  let is_stopped = false

  async function run(provider: Provider): Promise<void> {
    while (is_asked && !is_stopped) {
      is_asked = false
      const claim = {
        now: parts.now(),
        lease: LEASE_SECONDS,
        limit: MAX_MAILS,
        share: MAX_MAILS_OF_REALM,
      }
      const claimed = await parts.mail.queue.claim(claim)
      await Promise.all(claimed.map((mail) => attempt(provider, mail)))
      if (claimed.length > 0) is_asked = true
    }
  }

  /** When the queue or a store fails, the mail is due again after its lease. */
  const attempt = (provider: Provider, mail: QueuedMail): Promise<void> =>
    attemptMail(parts, provider, mail).catch((cause: unknown) =>
      parts.emit(mail.realm, { type: 'server.error', cause }),
    )

  function start(provider: Provider): void {
    is_asked = true
    running ??= run(provider)
      .catch((cause: unknown) => parts.emit('default', { type: 'server.error', cause }))
      .finally(() => {
        running = null
        // It was asked for between the last look and now.
        if (is_asked && !is_stopped) start(provider)
      })
  }

  return {
    start,
    async settled() {
      while (running !== null) await running
    },
    async stop() {
      is_stopped = true
      await running
    },
  }
}
