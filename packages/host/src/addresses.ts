/** The client's address behind proxies: `X-Forwarded-For` counts only as far as trusted proxies wrote it. */

import { BlockList, isIP } from 'node:net'

/** Addresses whose answer is remembered: a look-up in the list costs more than most requests. */
const KEEP = 1000

export interface Proxies {
  /** Whether this is one of ours, so that its headers count. */
  trusts(socket: string | undefined): boolean
  /** The first hop, counted from us, that is no proxy of ours. What it claims about others is not believed. */
  clientOf(socket: string | undefined, headers: Headers): string | undefined
}

/** @param trusted IP addresses and CIDR ranges of our own proxies. */
export function trustedProxies(trusted: readonly string[]): Proxies {
  if (trusted.length === 0) return { trusts: () => false, clientOf: (socket) => socket }
  const proxies = new BlockList()
  for (const range of trusted) {
    const [address = '', prefix] = range.split('/')
    const family = familyOf(address)
    if (prefix === undefined) proxies.addAddress(address, family)
    else proxies.addSubnet(address, Number(prefix), family)
  }
  const known = new Map<string, boolean>()
  const isProxy = (address: string) => {
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
      if (forwarded === null) return client
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
