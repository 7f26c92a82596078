/** The port through which mails leave. */

/** A mail that is ready to be sent. Addresses and headers are single lines of ASCII, or of Unicode where the field allows it. */
export interface OutgoingMail {
  /** The mailbox of the sender, with or without a name (RFC 5322 §3.4): `Example <id@example.com>`. */
  from: string
  /** A mailbox like `from`. */
  reply_to?: string
  /** One address without a name. */
  to: string
  subject: string
  text: string
  html: string
  /** Without angle brackets: `<22 characters>@<host of the issuer>`. The same at each attempt. */
  message_id: string
  /** Further header fields, such as `Auto-Submitted` (RFC 3834). */
  headers: Readonly<Record<string, string>>
}

/** Sends mails. */
export interface Mailer {
  /**
   * Resolves when the mail server has accepted the mail.
   * @throws MailError.
   */
  send(mail: OutgoingMail): Promise<void>
}

/** Why a mail was not accepted, or may not have been. */
export class MailError extends Error {
  /** For logs: a code such as `smtp_550`, `timeout` or `tls`, never the mail server's text. */
  readonly reason: string
  /** True: another attempt would fail too (an SMTP reply of 5xx, RFC 5321 §4.2.1). */
  readonly permanent: boolean

  constructor(reason: string, options: { permanent: boolean; cause?: unknown }) {
    super(`the mail was not sent: ${reason}`, { cause: options.cause })
    this.name = 'MailError'
    this.reason = reason
    this.permanent = options.permanent
  }
}
