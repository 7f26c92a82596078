/** How a mail server is connected to, and whether it can be. */

import { isIP } from 'node:net'
import { readSmtpUrl, SMTP_URL_FAULT, type SmtpServer } from '../network/smtp-url.js'
import { mailError } from './smtp-error.js'

export const MAX_CONNECTIONS = 2
export const TIMEOUT_MS = 10_000
/** Before the limit of time, or the other side, ends an unused connection. */
const IDLE_MS = 5000

/** The mail server of a URL. @throws TypeError when it is not valid. */
export function smtpServer(url: string): SmtpServer {
  const server = readSmtpUrl(url)
  if (server === null) throw new TypeError(SMTP_URL_FAULT)
  return server
}

/** The options of nodemailer. */
export const connectionOptions = ({ host, servername, port, tls, auth }: SmtpServer, timeout_ms: number) => ({
  host,
  // An IP address is no server name (RFC 6066 §3).
  ...(isIP(servername) === 0 && { servername }),
  port,
  secure: tls === 'implicit',
  requireTLS: tls === 'starttls',
  ignoreTLS: tls === 'none',
  // Without `forceAuth`, mails leave without credentials where the server asks for none.
  ...(auth && { auth, forceAuth: true }),
  idleTimeout: IDLE_MS,
  dnsTimeout: timeout_ms,
  connectionTimeout: timeout_ms,
  greetingTimeout: timeout_ms,
  socketTimeout: timeout_ms,
})

/**
 * Connects and signs in, and sends nothing.
 * @throws MailError.
 */
export async function tryConnection(url: string, timeout_ms = TIMEOUT_MS): Promise<void> {
  const server = smtpServer(url)
  const { default: SmtpConnection } = await import('nodemailer/lib/smtp-connection')
  const connection = new SmtpConnection(connectionOptions(server, timeout_ms))
  let timer: NodeJS.Timeout | undefined
  try {
    await new Promise<void>((resolve, reject) => {
      const settle = (error?: Error | null) => (error ? reject(error) : resolve())
      timer = setTimeout(() => reject(Object.assign(new Error(), { code: 'ETIMEDOUT' })), timeout_ms)
      connection.on('error', reject)
      connection.connect((error) => {
        if (error || server.auth === null) settle(error)
        else connection.login({ user: server.auth.user, pass: server.auth.pass }, settle)
      })
    })
    connection.quit()
  } catch (error) {
    connection.close()
    throw mailError(error)
  } finally {
    clearTimeout(timer)
  }
}
