/** The URL of a mail server: `smtps://user:password@host:465`, or `smtp://host:587` with STARTTLS. */

import { isIP } from 'node:net'
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

const PORTS = { implicit: 465, starttls: 587, none: 587 } as const
const EXAMPLE = 'smtps://user:password@smtp.example.com:465'
const ENCODE = '; in the password, write %2F for /, %3F for ? and %23 for #'

/** @returns A fault without the URL, which may hold a password. */
export function readSmtpUrl(text: string): SmtpServer | { fault: string } {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null) return { fault: `give a URL such as ${EXAMPLE}${ENCODE}` }
  const { protocol, port, pathname, search, hash } = url
  if (protocol !== 'smtp:' && protocol !== 'smtps:')
    return { fault: `give smtps://, or smtp:// for STARTTLS, such as ${EXAMPLE}` }
  const servername = hostOf(url)
  if (servername === null) return { fault: `give the host of the mail server, such as ${EXAMPLE}` }
  if ((pathname !== '' && pathname !== '/') || search !== '' || hash !== '')
    return { fault: `end it after the port, such as ${EXAMPLE}${ENCODE}` }
  const auth = credentials(url)
  if (auth !== null && 'fault' in auth) return auth
  const is_local = isLoopbackHost(url.hostname.toLowerCase())
  const plain = is_local ? 'none' : 'starttls'
  const tls = protocol === 'smtps:' ? 'implicit' : plain
  // A DNS server could give `localhost` another address, to which nothing may go unencrypted.
  const host = servername === 'localhost' ? '127.0.0.1' : servername
  return { host, servername, port: Number(port) || PORTS[tls], tls, auth }
}

/** The mail server of a URL without a fault. */
export function smtpServer(url: string): SmtpServer {
  const server = readSmtpUrl(url)
  if ('fault' in server) throw new TypeError(server.fault)
  return server
}

function hostOf({ hostname }: URL): string | null {
  const host = hostname.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  return isIP(host) !== 0 || /^[\w.-]+$/.test(host) ? host : null
}

function credentials({ username, password }: URL): SmtpServer['auth'] | { fault: string } {
  if (username === '' && password === '') return null
  if (username === '' || password === '') return { fault: 'give a user name and a password, or neither' }
  try {
    return { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
  } catch {
    return { fault: 'in the user name and the password, write %25 for %' }
  }
}
