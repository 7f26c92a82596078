/** Client addresses as keys of counters: an IPv6 network counts as one client. */

/** The limit of an IPv6 /48 as a multiple of the limit of a /64. One site usually has a /48. */
const SITE_LIMIT_FACTOR = 4

/** The counter's key for an address. No key of another address begins with it. */
export const counterOf = (name: string, address: string): string => `${name}:${address};`

/** The limit of a peer whose claim about the client's address is not trusted, as a multiple of the limit of an address. */
export const PEER_LIMIT_FACTOR = 10

/** What a request is counted for. */
export interface CountedNetwork {
  key: string
  /** Its limit as a multiple of the limit of one address. */
  factor: number
  /** The part of a limit of the whole realm that it may use. */
  share: number
}

/** Of a limit of the whole realm, for an IPv4 address and for an IPv6 /48. */
const SHARE = 0.05

/** Who sent a request. */
export interface Sender {
  /** The client's address; null when the host does not know it. */
  address: string | null
  /** The peer that claims this address without being a trusted proxy; null when the address is certain. */
  peer: string | null
}

/**
 * The networks that a request is counted for, the widest first: if a request that is refused for one of them is not counted for
 * the next, a network cannot cause a counter for each of its addresses. Requests without an address share one network, which
 * has no share: it may be everyone.
 */
export function networksOf({ address, peer }: Sender): CountedNetwork[] {
  if (address === null) return [{ key: addressKeys(null).address, factor: 1, share: 1 }]
  const keys = addressKeys(address)
  const networks: CountedNetwork[] = []
  if (peer !== null)
    networks.push({
      key: `peer ${addressKeys(peer).address}`,
      factor: PEER_LIMIT_FACTOR,
      share: SHARE * PEER_LIMIT_FACTOR,
    })
  if (keys.site === null) networks.push({ key: keys.address, factor: 1, share: SHARE })
  else
    networks.push(
      { key: keys.site, factor: SITE_LIMIT_FACTOR, share: SHARE },
      { key: keys.address, factor: 1, share: SHARE / SITE_LIMIT_FACTOR },
    )
  return networks
}

/**
 * The keys of an address: an IPv4 address or an IPv6 /64, of which one user can have all, and for IPv6 the /48 that contains
 * it. Requests without an address share one key.
 */
export function addressKeys(address: string | null): { address: string; site: string | null } {
  if (address === null) return { address: 'unknown', site: null }
  const bare = withoutBrackets(address).toLowerCase()
  if (!bare.includes(':')) return { address: bare, site: null }
  const groups = ipv6Groups(bare)
  const mapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:65535'
  const [high = 0, low = 0] = groups.slice(6)
  if (mapped) return { address: [high >> 8, high & 255, low >> 8, low & 255].join('.'), site: null }
  const prefix = (length: number) =>
    groups
      .slice(0, length)
      .map((group) => group.toString(16))
      .join(':')
  return { address: `${prefix(4)}::/64`, site: `${prefix(3)}::/48` }
}

/** Without brackets, and without a zone. */
function withoutBrackets(address: string): string {
  const from = address.startsWith('[') ? 1 : 0
  const end = [...']%'].map((mark) => address.indexOf(mark)).filter((at) => at >= 0)
  return address.slice(from, Math.min(address.length, ...end))
}

/** The eight groups of an IPv6 address; its last 32 bits may be written as IPv4. */
function ipv6Groups(address: string): number[] {
  const hex = address.replace(/:(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number)
    return `:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  })
  const [head = '', tail] = hex.split('::', 2)
  const parse = (part: string) =>
    part.split(':').flatMap((group) => (group === '' ? [] : [Number.parseInt(group, 16)]))
  const left = parse(head)
  const right = parse(tail ?? '')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  return [...left, ...Array<number>(zeros).fill(0), ...right]
}
