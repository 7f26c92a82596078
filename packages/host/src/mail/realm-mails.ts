/** The mails of the realms, as the configuration says. */

import type { MailOptions, MailQueue, RealmMail } from '@ostiary/identity/mail'
import type { HostConfig } from '../config/host-config.js'
import { type SmtpMailer, smtpMailer } from './smtp-mailer.js'

/** What `createIdentity` takes, with the connections to the mail servers. */
export interface RealmMails extends MailOptions {
  /** Ends the connections when what is being sent is sent. */
  close(): void
}

/** Null when no realm mails. Realms with the same mail server share its connections. */
export function realmMails(realms: HostConfig['realms'], queue: MailQueue): RealmMails | null {
  const mailers = new Map<string, SmtpMailer>()
  const mailerOf = (url: string): SmtpMailer => {
    const mailer = mailers.get(url) ?? smtpMailer(url)
    mailers.set(url, mailer)
    return mailer
  }
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
    close() {
      for (const mailer of mailers.values()) mailer.close()
    },
  }
}
