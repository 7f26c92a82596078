/**
 * How addresses of clients are logged. An address is personal data: truncated, it still tells one network from another, which
 * is enough to see where an attack comes from. The prefix length says that it was truncated.
 */

import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** `full`; `truncated`: the network, an IPv4 /24 or an IPv6 /48; `none`. */
export const ADDRESS_FORMS = ['full', 'truncated', 'none'] as const
export type AddressForm = (typeof ADDRESS_FORMS)[number]

/** What the log shows of an address; undefined for nothing, also when the text is no address. */
export function loggedAddress(address: string | null | undefined, form: AddressForm): string | undefined {
  if (address == null || form === 'none' || isIP(address) === 0) return undefined
  if (form === 'full') return address
  // The common form first: this runs for every request.
  if (isIP(address) === 4) return networkOfIpv4(address)
  // An IPv4 address that was sent in the form of IPv6 becomes one.
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return networkOfIpv4(parsed.toString())
  const [a = 0, b = 0, c = 0] = parsed.parts
  return `${new ipaddr.IPv6([a, b, c, 0, 0, 0, 0, 0]).toString()}/48`
}

const networkOfIpv4 = (address: string): string => `${address.slice(0, address.lastIndexOf('.'))}.0/24`
