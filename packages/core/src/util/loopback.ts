/** The names of this machine: RFC 8252 §7.3, §8.3. */

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Whether this is `localhost`, `127.0.0.1` or `[::1]`.
 * @param hostname As `URL.hostname` has it: an IPv6 address in brackets.
 */
export const isLoopbackHost = (hostname: string): boolean => LOOPBACK_HOSTS.has(hostname)
