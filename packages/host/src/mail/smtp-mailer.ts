/** Sends mails by SMTP, with nodemailer. */

import { MailError, type Mailer, type OutgoingMail } from '@ostiary/identity/mail'
import { isAddress, parseMailbox, singleLine } from '../network/mailbox.js'
import type { SmtpServer } from '../network/smtp-url.js'
import { connectionOptions, MAX_CONNECTIONS, smtpServer, TIMEOUT_MS } from './smtp-connection.js'
import { mailError, replyOf } from './smtp-error.js'

/** Options of `smtpMailer`. */
export interface SmtpMailerOptions {
  /** For one attempt, with connection and sign-in; 10,000 when absent. */
  timeout_ms?: number
  /** Called with the last reply of the mail server to each mail, for an operator: it is no text for a log. */
  on_reply?: (reply: string) => void
}

/** Sends mails to one mail server. */
export interface SmtpMailer extends Mailer {
  /** Ends the connections, and those that are in use when their mail is sent. */
  close(): void
}

/** Loads nodemailer and connects with the first mail. */
export function smtpMailer(
  url: string,
  { timeout_ms = TIMEOUT_MS, on_reply }: SmtpMailerOptions = {},
): SmtpMailer {
  const server = smtpServer(url)
  let pool: ReturnType<typeof openPool> | undefined
  const withConnection = limited(MAX_CONNECTIONS)
  return {
    async send(mail) {
      const message = messageOf(mail)
      pool ??= openPool(server, timeout_ms)
      const transport = await pool
      try {
        const { response } = await withConnection(() =>
          transport.sendMail({ ...message, signal: AbortSignal.timeout(timeout_ms) }),
        )
        on_reply?.(singleLine(response))
      } catch (error) {
        const reply = replyOf(error)
        if (reply !== null) on_reply?.(reply)
        throw mailError(error)
      }
    },
    close: () => void pool?.then((transport) => transport.close()),
  }
}

async function openPool(server: SmtpServer, timeout_ms: number) {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    ...connectionOptions(server, timeout_ms),
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    // Once more where the server has ended a connection before it got the mail.
    maxRequeues: 1,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** @throws MailError when an address is none: a corrected one would be another person's. */
function messageOf({ from, reply_to, to, subject, text, html, message_id, headers }: OutgoingMail) {
  const sender = parseMailbox(from)
  const replyTo = reply_to === undefined ? undefined : parseMailbox(reply_to)
  if (sender === null || replyTo === null || !isAddress(to))
    throw new MailError('invalid', { permanent: true })
  return {
    from: sender,
    ...(replyTo && { replyTo }),
    to: { name: '', address: to },
    envelope: { from: sender.address, to: [to] },
    subject,
    text,
    html,
    messageId: `<${message_id}>`,
    headers: { ...headers },
  }
}

/** Runs so many works at a time that each has a connection: the time of waiting is not part of an attempt. */
function limited(places: number) {
  const waiting: (() => void)[] = []
  let free = places
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve))
    else free -= 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
