/** The `identity.mail` keys: the mails of a realm. */

import * as z from 'zod'
import { parseMailbox } from '../network/mailbox.js'

const MAX_PER_HOUR = 100_000
const PER_HOUR = `give a whole number from 1 to ${MAX_PER_HOUR}`

const mailbox = z
  .string()
  .refine(
    (text) => parseMailbox(text) !== null,
    'give one address, such as Example <id@example.com>; put a name with punctuation in double quotes',
  )

export const mailSchema = z
  .strictObject({
    from: mailbox.describe('The sender of mails, such as Example <id@example.com>'),
    smtp_url_env: z
      .string()
      .refine((name) => /^\w+$/.test(name), 'name an environment variable, and set the URL there')
      .default('SMTP_URL')
      .describe('The variable with the URL of the mail server, smtps://user:password@host:465'),
    reply_to: mailbox.optional().describe('The address for answers; from when absent'),
    per_hour: z
      .int({ error: PER_HOUR })
      .min(1, { error: PER_HOUR })
      .max(MAX_PER_HOUR, { error: PER_HOUR })
      .default(1000)
      .describe('The most mails in an hour'),
  })
  // One definition in the JSON Schema for all realms.
  .meta({ id: 'mail' })
  .optional()

/** The mails of a realm. */
export interface MailSettings {
  /** With or without a name. */
  from: string
  reply_to?: string | undefined
  per_hour: number
  /** The variable with the URL of the mail server. */
  smtp_url_env: string
  /** Null if `readConfig` reads no secrets. */
  smtp_url: string | null
}
