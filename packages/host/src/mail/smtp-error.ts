/** Why a mail server did not accept a mail. */

import { MailError } from '@ostiary/identity/mail'
import { singleLine } from '../network/mailbox.js'

/** What an error of nodemailer has. */
interface SmtpFailure {
  code?: string
  /** The code of Node.js, where nodemailer has put its own in place of it. */
  originalCode?: string
  /** The reply, with the mail server's text. */
  response?: string
  responseCode?: number
  /** The command that was refused. */
  command?: string
}

/** A certificate that is not trusted, or a peer that does not speak TLS. */
const TLS_CODE = /CERT|SSL|TLS|EPROTO|UNABLE_TO/
/** The server wants other credentials, or some (RFC 4954 §6): the operator's fault, not the mail's. */
const AUTH_REPLIES = new Set([530, 534, 535, 538])
/** RFC 5321 §4.3.2: what these refuse is the mail. Others refuse the client. */
const COMMANDS_OF_MAIL = new Set(['MAIL FROM', 'RCPT TO', 'DATA'])

/** The error without texts of the mail server, which may name people. */
export function mailError(error: unknown): MailError {
  const failure = error as SmtpFailure
  const { responseCode = 0, command = '' } = failure
  // 503, a bad sequence of commands, is about the connection.
  const permanent = responseCode >= 500 && responseCode !== 503 && COMMANDS_OF_MAIL.has(command)
  const reason = reasonOf(failure)
  return new MailError(reason, { permanent: reason === 'invalid' || (permanent && reason !== 'auth') })
}

function reasonOf({ code = '', originalCode = '', responseCode, command }: SmtpFailure): string {
  if (command === 'STARTTLS' && responseCode !== undefined) return 'starttls'
  const is_transient = responseCode !== undefined && responseCode < 500
  if ((code === 'EAUTH' && !is_transient) || AUTH_REPLIES.has(responseCode ?? 0)) return 'auth'
  if (responseCode !== undefined) return `smtp_${responseCode}`
  if (code === 'ETLS' || TLS_CODE.test(originalCode)) return 'tls'
  if (code === 'EABORT' || code === 'ETIMEDOUT' || originalCode === 'ETIMEDOUT') return 'timeout'
  if (code === 'EENVELOPE' || code === 'EMESSAGE') return 'invalid'
  return 'unreachable'
}

/** The reply of the mail server in one line; null when there was none. */
export function replyOf(error: unknown): string | null {
  const { response } = error as SmtpFailure
  return response === undefined ? null : singleLine(response)
}
