/** The URL of a mail server: `smtps://user:password@host:465`, or `smtp://host:587` with STARTTLS. */

import { isLoopbackHost } from '@ostiary/core'

/** A mail server, as its URL names it. */
export interface SmtpServer {
  /** Where to connect: a name or an IP address. */
  host: string
  /** The name in its certificate. */
  servername: string
  port: number
  /** How the connection is encrypted. `none`: to this machine only. */
  tls: 'implicit' | 'starttls' | 'none'
  /** Null when the server asks for none. */
  auth: { user: string; pass: string } | null
}

/** Does not show the URL, which may hold a password. */
export const SMTP_URL_FAULT =
  'give smtps://user:password@host:465, or smtp:// for STARTTLS, and no path; in the password, write %25 for %, %2F for /, %3F for ? and %23 for #'

/** @returns Null when it is not valid. */
export function readSmtpUrl(text: string): SmtpServer | null {
  if (!URL.canParse(text)) return null
  const { protocol, hostname, port, pathname, search, hash, username, password } = new URL(text)
  const name = hostname.toLowerCase()
  const isServer = /^smtps?:$/.test(protocol) && /^[\w.-]+$|^\[[\da-f:]+\]$/.test(name)
  const isWhole = (username === '') === (password === '') && /^\/?$/.test(pathname + search + hash)
  if (!isServer || !isWhole) return null
  const plain = isLoopbackHost(name) ? 'none' : 'starttls'
  const tls = protocol === 'smtps:' ? 'implicit' : plain
  const servername = name.replace(/[[\]]/g, '')
  try {
    return {
      // A DNS server could give `localhost` another address, to which nothing may go unencrypted.
      host: name === 'localhost' ? '127.0.0.1' : servername,
      servername,
      port: Number(port) || (tls === 'implicit' ? 465 : 587),
      tls,
      auth:
        username === '' ? null : { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }
  } catch {
    // A % that begins no code of a character.
    return null
  }
}
