/** The path and the query of a request's URL (RFC 9110 §7.1). */

/** The same `pathname` and `search` as `URL` gives. */
export interface RequestTarget {
  pathname: string
  search: string
}

const SERIALIZED_URL = /^https?:\/\/[^/?#]+(\/[^?#]*)(\?[^#]+)?/

/**
 * `Request.url` is a serialized URL (Fetch §5.4). A regular expression splits it: parsing it again would take longer
 * than routing.
 * @throws TypeError when the text is not a URL.
 */
export function requestTarget(url: string): RequestTarget {
  const [, pathname, search = ''] = SERIALIZED_URL.exec(url) ?? []
  return pathname === undefined ? new URL(url) : { pathname, search }
}
