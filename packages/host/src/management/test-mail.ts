/** The mail of `ostiary mail test`. */

import { randomBytes } from 'node:crypto'
import { MailError } from '@ostiary/identity/mail'
import { type Environment, setting } from '../config/environment.js'
import { readConfig } from '../config/read-config.js'
import { realmIds } from '../config/realm-ids.js'
import { hidden } from '../config/redacted.js'
import { smtpUrlFault } from '../config/smtp-variable.js'
import { mailFault } from '../mail/check-mail.js'
import { smtpMailer } from '../mail/smtp-mailer.js'
import { RealmError } from './manage.js'

/** Who gets a test mail, and from which realm. */
interface TestMail {
  /** One address. */
  to: string
  realm: string
}

/** What came of it. */
interface TestMailResult {
  sent: boolean
  /** What to tell the operator. */
  lines: string[]
  /** The last reply of the mail server; absent when there was none. */
  reply?: string
}

/**
 * Sends a mail at once, without the records of the server.
 * @throws ConfigError, RealmError.
 */
export async function sendTestMail(
  env: Environment,
  cwd: string,
  { to, realm }: TestMail,
): Promise<TestMailResult> {
  const config = await readConfig(env, cwd, { entry_secrets: false })
  const { realms, issuer, theme } = config
  if (!realmIds(config).includes(realm)) throw new RealmError(realm, realmIds(config))
  const mail = realms[realm]?.mail
  if (!mail) return { sent: false, lines: [`Realm ${realm} sends no mails: set identity.mail.from`] }
  const { from, reply_to, smtp_url_env: variable } = mail
  const fault = smtpUrlFault(env, variable)
  if (fault !== null) return { sent: false, lines: [`identity.mail.smtp_url_env: ${fault}`] }
  const url = setting(env, variable) ?? ''
  const answer: { reply?: string } = {}
  const mailer = smtpMailer(url, {
    on_reply(reply) {
      answer.reply = reply
    },
  })
  try {
    await mailer.send({
      from,
      ...(reply_to !== undefined && { reply_to }),
      to,
      subject: `Test email of ${theme?.name ?? 'Ostiary'}`,
      text: `The realm ${realm} of ${issuer} can send emails.\n`,
      html: '',
      message_id: `${randomBytes(16).toString('base64url')}@${new URL(issuer).hostname}`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
    return { sent: true, lines: [`${hidden(url)} accepted the mail: ${answer.reply}`], ...answer }
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    const { message, advice } = mailFault(error, { url, variable })
    const lines = [message, answer.reply ?? '', advice].filter((line) => line !== '')
    return { sent: false, lines, ...answer }
  } finally {
    mailer.close()
  }
}
