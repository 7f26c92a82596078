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
 * NAT64, 6to4, Teredo) is not public; one of ISATAP is as public as the IPv4 address in it, to which its packets go.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text)
  if (address === null || address.range() !== 'unicast' || text === AZURE_SERVICES) return false
  if (address instanceof ipaddr.IPv4) return true
  const embedded = isatapAddress(address)
  return address.match(GLOBAL_UNICAST) && (embedded === null || isPublicAddress(embedded))
}

/** The IPv4 address in an interface identifier of ISATAP (RFC 5214 §6.1): 0:5efe or 200:5efe, and 32 bits. */
function isatapAddress({ parts }: ipaddr.IPv6): string | null {
  const [universal = 0, marker = 0, high = 0, low = 0] = parts.slice(4)
  if ((universal !== 0 && universal !== 0x200) || marker !== 0x5efe) return null
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

export const isLoopbackAddress = (text: string): boolean => parseAddress(text)?.range() === 'loopback'

/** Where clouds tell their machines' secrets: addresses within the ranges of private networks. */
const METADATA_SERVICES: ReadonlySet<string> = new Set([
  '100.100.100.200', // Alibaba Cloud
  'fd00:ec2::254', // AWS
  'fd20:ce::254', // Google Cloud
  'fd00:42::42', // Scaleway
])
const RECEIVER_RANGES = new Set(['private', 'carrierGradeNat', 'uniqueLocal'])

/** RFC 1918, RFC 6598 and fc00::/7, where a receiver that the operator has listed may be. Not of this machine, and no metadata. */
export function isPrivateReceiver(text: string): boolean {
  const address = parseAddress(text)
  return (
    address !== null && RECEIVER_RANGES.has(address.range()) && !METADATA_SERVICES.has(address.toString())
  )
}

const PRIVATE_RANGES = new Set(['loopback', 'private', 'linkLocal', 'carrierGradeNat', 'uniqueLocal'])

/** Loopback, link-local and private networks (RFC 1918, 6598, 4193). */
export const isPrivateAddress = (text: string): boolean =>
  PRIVATE_RANGES.has(parseAddress(text)?.range() ?? '')
