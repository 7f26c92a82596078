/** What an operator does with all mails that wait to be sent. They are read in pages: memory does not grow with their number. */

import { createSealer, type Opened, type SealerSecrets } from '../web/sealed.js'
import { contextOf, MAIL_USE } from './mail-content.js'
import type { MailQueue, QueuedMail } from './mail-queue.js'

const PAGE = 100

/** The mails that wait to be sent, in numbers. */
export interface SealedMails {
  pending: number
  /** Those that neither secret of the provider opens. They are not sent. */
  unreadable: number
}

/** What `resealMails` has done. */
export interface MailResealReport extends SealedMails {
  /** Those that are sealed anew. */
  sealed_anew: number
}

/** What waits to be sent. */
export interface MailSurvey extends SealedMails {
  /** The number of mails that the previous secret of the provider has sealed, by realm. */
  sealed_before: ReadonlyMap<string, number>
}

/**
 * Seals the pending mails of all realms that the previous secret of the provider has sealed with the current one. After an interruption,
 * the next call does the rest.
 */
export async function resealMails(queue: MailQueue, secrets: SealerSecrets): Promise<MailResealReport> {
  const sealer = createSealer(secrets, MAIL_USE)
  const report: MailResealReport = { pending: 0, unreadable: 0, sealed_anew: 0 }
  for await (const mail of allMails(queue)) {
    const opened = sealer.open(mail.data, contextOf(mail))
    count(report, opened)
    if (opened === null || opened.is_current) continue
    const data = sealer.seal(opened.value, contextOf(mail))
    // False: the mail was sent meanwhile, or sealed anew by an attempt to send it.
    if (await queue.reseal(mail.mail_id, mail.data, data)) report.sealed_anew += 1
  }
  return report
}

/** Counts the pending mails of all realms. */
export async function surveyMails(queue: MailQueue, secrets: SealerSecrets): Promise<MailSurvey> {
  const sealer = createSealer(secrets, MAIL_USE)
  const mails: SealedMails = { pending: 0, unreadable: 0 }
  const sealed_before = new Map<string, number>()
  for await (const mail of allMails(queue)) {
    const opened = sealer.open(mail.data, contextOf(mail))
    count(mails, opened)
    if (opened?.is_current === false) sealed_before.set(mail.realm, (sealed_before.get(mail.realm) ?? 0) + 1)
  }
  return { ...mails, sealed_before }
}

function count(mails: SealedMails, opened: Opened | null): void {
  mails.pending += 1
  if (opened === null) mails.unreadable += 1
}

async function* allMails(queue: MailQueue): AsyncGenerator<QueuedMail> {
  let after: string | undefined
  while (true) {
    const page = await queue.page({ limit: PAGE, ...(after !== undefined && { after }) })
    yield* page
    if (page.length < PAGE) return
    after = page.at(-1)?.mail_id
  }
}
