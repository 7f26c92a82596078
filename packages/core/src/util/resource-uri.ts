/** Resource indicators: RFC 8707 §2. */

/** An absolute URI without fragment. */
export function isResourceUri(value: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]*:[^\s#]+$/.test(value) && URL.canParse(value)
}

/** The normal form of a resource's URI: scheme and host in lower case, and no path instead of `/`. */
export function normalizeResource(value: string): string {
  return value
    .replace(/^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#]*)/, (_, scheme: string, authority: string) => {
      const at = authority.lastIndexOf('@') + 1
      return `${scheme.toLowerCase()}://${authority.slice(0, at)}${authority.slice(at).toLowerCase()}`
    })
    .replace(/^([^/?#]+:\/\/[^/?#]+)\/($|\?)/, '$1$2')
}
