/** The client's address behind proxies: `X-Forwarded-For` counts only as far as trusted proxies wrote it. */

import { BlockList, isIP } from 'node:net'

/** Addresses whose answer is remembered: a look-up in the list costs more than most requests. */
const KEEP = 1000

export interface Proxies {
  /** Whether this is one of ours, so that its headers count. */
  trusts(socket: string | undefined): boolean
  /**
   * The first hop, counted from us, that is no proxy of ours. What it claims about others is not believed. Undefined where
   * that is not known: see `isUnnamedProxy`.
   */
  clientOf(socket: string | undefined, headers: Headers): string | undefined
}

/** Loopback, link-local and private networks (RFC 1918, 6598, 4193). */
const INSIDE = new BlockList()
for (const [net, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const)
  INSIDE.addSubnet(net, prefix, 'ipv4')
INSIDE.addAddress('::1', 'ipv6')
INSIDE.addSubnet('fc00::', 7, 'ipv6')
INSIDE.addSubnet('fe80::', 10, 'ipv6')

/**
 * A peer of a private network that forwards for others is a proxy that is missing in `trusted_proxies`. Its address is not the client's:
 * a limit on it would lock all people out together. From the internet a client cannot get here by sending the header, as
 * its own address is public.
 */
const isUnnamedProxy = (peer: string, forwarded: string | null): boolean =>
  forwarded !== null && isIP(peer) !== 0 && INSIDE.check(peer, familyOf(peer))

/**
 * @param trusted IP addresses and CIDR ranges of our own proxies.
 * @param unnamed Told of each request of a proxy that is probably missing there, with its address.
 */
export function trustedProxies(
  trusted: readonly string[],
  unnamed: (address: string) => void = () => {},
): Proxies {
  const proxies = new BlockList()
  for (const range of trusted) {
    const [address = '', prefix] = range.split('/')
    const family = familyOf(address)
    if (prefix === undefined) proxies.addAddress(address, family)
    else proxies.addSubnet(address, Number(prefix), family)
  }
  const known = new Map<string, boolean>()
  const isProxy = (address: string) => {
    if (trusted.length === 0) return false
    const found = known.get(address) ?? proxies.check(address, familyOf(address))
    if (known.size >= KEEP) known.clear()
    known.set(address, found)
    return found
  }

  return {
    trusts: (socket) => socket !== undefined && isProxy(plain(socket)),
    clientOf(socket, headers) {
      let client = socket === undefined ? undefined : plain(socket)
      const forwarded = headers.get('x-forwarded-for')
      if (forwarded === null || client === undefined) return client
      if (!isProxy(client) && isUnnamedProxy(client, forwarded)) {
        unnamed(client)
        return undefined
      }
      const hops = forwarded.split(',').map((hop) => plain(hop.trim()))
      while (client !== undefined && isProxy(client)) {
        const hop = hops.pop()
        if (hop === undefined || isIP(hop) === 0) break
        client = hop
      }
      return client
    },
  }
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

const PLAIN_IPV4 = /^\d+\.\d+\.\d+\.\d+$/

/** Without port, brackets and zone, and an IPv4 address as such. */
function plain(hop: string): string {
  // As nearly all are written.
  if (PLAIN_IPV4.test(hop)) return hop
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(hop) ?? []
  const bare = bracketed ?? (/^[\d.]+:\d+$/.test(hop) ? hop.slice(0, hop.indexOf(':')) : hop)
  const [withoutZone = ''] = bare.split('%', 1)
  return withoutZone.replace(/^::ffff:(\d+\.\d+\.\d+\.\d+)$/i, '$1')
}
