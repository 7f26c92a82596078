/** Compares the URL of a request with the `htu` of its proof: RFC 9449 §4.3, RFC 3986 §6.2.2 and §6.2.3. */

/** The characters of RFC 3986 §2. A URL parser accepts others and replaces them, for example a backslash by a slash. */
const HTTP_URL = /^https?:\/\/[\w[][\w\-.~:/?#[\]@!$&'()*+,;=%]*$/i

const UNRESERVED = /^[\w\-.~]$/

/**
 * The URL in its normal form, without query and fragment: scheme and host in lower case, no default port, no dot segments, `/`
 * for an empty path, percent-encoding in upper case and only where it is necessary. Null for a text that is not an http or https
 * URL, and for a URL with credentials.
 */
export function normalizedUrl(text: string): string | null {
  if (!HTTP_URL.test(text) || !URL.canParse(text)) return null
  // The parser does what is not about percent-encoding, and takes `%2e` for a dot.
  const { protocol, username, password, host, pathname } = new URL(text)
  if (username !== '' || password !== '') return null
  return `${protocol}//${host}${pathname.replace(/%[0-9a-f]{2}/gi, normalizedOctet)}`
}

function normalizedOctet(encoded: string): string {
  const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16))
  return UNRESERVED.test(character) ? character : encoded.toUpperCase()
}
