/** The mails of the realms, as the configuration says. What sends them is loaded with the first one. */

import type { Mailer, MailOptions, MailQueue, RealmMail } from '@ostiary/identity/mail'
import type { HostConfig } from '../config/host-config.js'
import type { SmtpMailers } from './smtp-mailers.js'

/** What `createIdentity` takes, with the connections to the mail servers. */
export interface RealmMails extends MailOptions {
  /** Ends the connections when what is being sent is sent. */
  close(): Promise<void>
}

/** Null when no realm mails. */
export function realmMails(realms: HostConfig['realms'], queue: MailQueue): RealmMails | null {
  let mailers: Promise<SmtpMailers> | null = null
  const mailerOf = (url: string): Mailer => ({
    async send(mail) {
      mailers ??= import('./index.js').then(({ smtpMailers }) => smtpMailers())
      return (await mailers).to(url).send(mail)
    },
  })
  const mails = new Map<string, RealmMail>()
  for (const [realm, { mail }] of Object.entries(realms)) {
    if (mail === null || mail.smtp_url === null) continue
    const { from, reply_to, per_hour, smtp_url } = mail
    mails.set(realm, {
      mailer: mailerOf(smtp_url),
      from,
      per_hour,
      ...(reply_to !== undefined && { reply_to }),
    })
  }
  if (mails.size === 0) return null
  return {
    queue,
    of: (realm) => mails.get(realm) ?? null,
    async close() {
      ;(await mailers)?.close()
    },
  }
}
