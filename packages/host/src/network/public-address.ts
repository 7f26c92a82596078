/** What an IP address is: public, of this machine, or of a private network. */

import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Azure's services for its machines: a public number that is reachable only from inside. */
const AZURE_SERVICES = '168.63.129.16'

/** IANA has assigned no global unicast addresses outside of this range. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * The address, or null. `isIP` decides: ipaddr.js also accepts short, octal and hexadecimal forms of IPv4, such as
 * `127.1` and `0x7f.1`.
 */
export const parseAddress = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | null =>
  isIP(text) === 0 ? null : ipaddr.parse(text)

/**
 * Whether a server may call this address on behalf of a client. An address that embeds another one (IPv4-mapped,
 * NAT64, 6to4, Teredo) is not public.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text)
  if (address === null || address.range() !== 'unicast' || text === AZURE_SERVICES) return false
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST)
}

export const isLoopbackAddress = (text: string): boolean => parseAddress(text)?.range() === 'loopback'

const PRIVATE_RANGES = new Set(['loopback', 'private', 'linkLocal', 'carrierGradeNat', 'uniqueLocal'])

/** Loopback, link-local and private networks (RFC 1918, 6598, 4193). */
export const isPrivateAddress = (text: string): boolean =>
  PRIVATE_RANGES.has(parseAddress(text)?.range() ?? '')
