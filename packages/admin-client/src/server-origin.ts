/** The address of a server, as a user gives it. */

import { isLoopbackHost } from '@ostiary/core/common'
import { LoginError } from './login-error.js'

/** The origin of a server. @throws LoginError */
export function serverOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new LoginError(
      `${printable(text)} is no address of a server: give one such as https://id.example.com`,
    )
  if (!isSecure(url))
    throw new LoginError(`${url.origin} is not https, and only a server on this computer may have http`)
  if (url.username !== '' || url.password !== '')
    throw new LoginError(`Give the address of the server without a username and a password: ${url.origin}`)
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw new LoginError(`Give the address of the server without a path: ${url.origin}`)
  return url.origin
}

/** Whether others on the network cannot read requests to this address. */
export const isSecure = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname))

/** Without control characters: no text of a server may control the terminal. */
export const printable = (text: string): string => text.replace(/\p{Cc}/gu, '?')
