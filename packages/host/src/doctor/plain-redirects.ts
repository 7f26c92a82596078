import { isLoopbackHost } from '@ostiary/core'

/** RFC 9700 §2.6: a code that is sent over plain http can be read on the way. @returns What is wrong with a redirect URI, or null. */
export function plainRedirect(uri: string): string | null {
  const { protocol, hostname, host } = new URL(uri)
  return protocol === 'http:' && !isLoopbackHost(hostname)
    ? `codes go to ${host} over plain http, where others can read them`
    : null
}

/** What to do about it. */
export const USE_HTTPS = 'Use https, except on this machine.'
