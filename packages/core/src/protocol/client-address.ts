/** Client addresses as keys of counters: an IPv6 network counts as one client. */

/** The limit of an IPv6 /48 as a multiple of the limit of a /64. One site usually has a /48. */
export const SITE_LIMIT_FACTOR = 4

/** The counter's key for an address. No key of another address begins with it. */
export const counterOf = (name: string, address: string): string => `${name}:${address};`

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
