/** The client's address behind proxies: `X-Forwarded-For` counts only as far as trusted proxies wrote it. */

import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { type AddressForm, loggedAddress } from '../log/addresses.js'
import type { Log } from '../log/log.js'
import { isPrivateAddress, parseAddress } from './public-address.js'

/** Addresses for which the result is remembered: comparing with each range costs more than the rest of the header. */
const MAX_REMEMBERED_ADDRESSES = 1000

export interface Proxies {
  /** Whether the peer of a connection is a trusted proxy, so that its headers count. */
  trusts(peer: string | undefined): boolean
  senderOf(peer: string | undefined, headers: Headers): RequestSender
}

/** Where a request comes from. */
export interface RequestSender {
  /**
   * The nearest address that is not a trusted proxy's; what it claims about others is not believed, except by an unlisted proxy
   * (`isUnlistedProxy`). Undefined when the connection is closed.
   */
  address: string | undefined
  /** The unlisted proxy that claims the address; undefined when the address is certain. */
  peer: string | undefined
}

/**
 * A peer of a private network that sends `X-Forwarded-For` is a proxy that is missing in `trusted_proxies`. Its address
 * is not the client's: the limit of one address on it would lock all users out together. But it may be a client that invents
 * addresses, so the address that it claims is counted, and the peer too, with a higher limit. A client on the internet cannot
 * cause this by sending the header, as its own address is public.
 */
const isUnlistedProxy = (peer: string, forwarded: string | null): boolean =>
  forwarded !== null && isPrivateAddress(peer)

/**
 * @param trusted IP addresses and CIDR ranges of the proxies.
 * @param unlisted Called with the peer's address for each request of a proxy that is probably missing in `trusted`.
 */
export function trustedProxies(
  trusted: readonly string[],
  unlisted: (peer: string) => void = () => {},
): Proxies {
  const ranges = trusted.map(parseRange)
  const remembered = new Map<string, boolean>()
  const isProxy = (address: string): boolean => {
    if (ranges.length === 0) return false
    const known = remembered.get(address)
    if (known !== undefined) return known
    if (remembered.size >= MAX_REMEMBERED_ADDRESSES) remembered.clear()
    const inRanges = isInRanges(address, ranges)
    remembered.set(address, inRanges)
    return inRanges
  }

  return {
    trusts: (peer) => peer !== undefined && isProxy(bareAddress(peer)),
    senderOf(peer, headers) {
      let client = peer === undefined ? undefined : bareAddress(peer)
      const forwarded = headers.get('x-forwarded-for')
      if (forwarded === null || client === undefined) return { address: client, peer: undefined }
      const hops = forwarded.split(',').map((hop) => bareAddress(hop.trim()))
      if (!isProxy(client) && isUnlistedProxy(client, forwarded)) {
        unlisted(client)
        const claimed = hops.pop() ?? ''
        return isIP(claimed) === 0 ? { address: client, peer: undefined } : { address: claimed, peer: client }
      }
      while (client !== undefined && isProxy(client)) {
        const hop = hops.pop()
        if (hop === undefined || isIP(hop) === 0) break
        client = hop
      }
      return { address: client, peer: undefined }
    },
  }
}

type Range = ReturnType<typeof ipaddr.parseCIDR>

function parseRange(text: string): Range {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.parse(text)
  return address instanceof ipaddr.IPv4 ? [address, 32] : [address, 128]
}

function isInRanges(text: string, ranges: readonly Range[]): boolean {
  const address = parseAddress(text)
  if (address === null) return false
  return ranges.some(([network, bits]) => address.kind() === network.kind() && address.match(network, bits))
}

const PLAIN_IPV4 = /^\d+\.\d+\.\d+\.\d+$/

/** Without port, brackets and zone; an IPv4-mapped address as IPv4. */
function bareAddress(hop: string): string {
  // The common form first: this runs for every request.
  if (PLAIN_IPV4.test(hop)) return hop
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1]
  const withoutPort = bracketed ?? (/^[\d.]+:\d+$/.test(hop) ? hop.slice(0, hop.indexOf(':')) : hop)
  const [withoutZone = ''] = withoutPort.split('%', 1)
  return withoutZone.replace(/^::ffff:(\d+\.\d+\.\d+\.\d+)$/i, '$1')
}

/** The warning about the first proxy that is not listed. */
export const warnOfUnlistedProxy = (log: Log, addresses: () => AddressForm) =>
  once((peer) =>
    log.warn(
      'X-Forwarded-For comes from a private address that trusted_proxies does not name, probably a proxy of yours: name it ' +
        'there. Until then the limits per client address count the address that the header claims, and the proxy with ten times ' +
        'the limit of one address',
      { peer: loggedAddress(peer, addresses()) },
    ),
  )

function once(report: (peer: string) => void): (peer: string) => void {
  let done = false
  return (peer) => {
    if (!done) report(peer)
    done = true
  }
}
