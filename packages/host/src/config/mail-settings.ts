/** The `identity.mail` keys: the mails of a realm. */

import * as z from 'zod'
import { parseMailbox } from '../mail/mailbox.js'

const MAX_PER_HOUR = 100_000
const PER_HOUR = `give a whole number from 1 to ${MAX_PER_HOUR}`

const mailbox = z
  .string()
  .refine(
    (text) => parseMailbox(text) !== null,
    'give one address, such as id@example.com or Example <id@example.com>; write a name with punctuation in double quotes',
  )

export const mailSchema = z
  .strictObject({
    from: mailbox.describe(
      'The sender of mails, such as Example <id@example.com>. Without it, no mail is sent',
    ),
    smtp_url_env: z
      .string()
      .regex(/^[A-Za-z_]\w*$/, 'give the name of an environment variable, and set the URL in that variable')
      .default('SMTP_URL')
      .describe(
        'The environment variable with the URL of the mail server: smtps://user:password@host:465, or smtp://… for STARTTLS',
      ),
    reply_to: mailbox.optional().describe('The address for answers; from when absent'),
    per_hour: z
      .int({ error: PER_HOUR })
      .min(1, { error: PER_HOUR })
      .max(MAX_PER_HOUR, { error: PER_HOUR })
      .default(1000)
      .describe('How many mails the realm sends in an hour at most'),
  })
  .optional()

/** The mails of a realm. */
export interface MailSettings {
  /** A mailbox, with or without a name. */
  from: string
  reply_to?: string | undefined
  per_hour: number
  /** The variable with the URL of the mail server. */
  smtp_url_env: string
  /** The URL, without a fault; null if `readConfig` does not read secrets. */
  smtp_url: string | null
}
