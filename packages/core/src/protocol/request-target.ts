/** The path and the query of a request's URL (RFC 9110 §7.1). */

/** `pathname` and `search` are as those of `URL`. */
export interface RequestTarget {
  pathname: string
  search: string
}

const SERIALIZED_URL = /^https?:\/\/[^/?#]+(\/[^?#]*)(\?[^#]+)?/

/**
 * `Request.url` is a URL that was parsed and written out again (Fetch §5.4), so it is cut, and not parsed once more: that
 * would cost more than to route it.
 * @throws TypeError when it is no URL.
 */
export function requestTarget(url: string): RequestTarget {
  const [, pathname, search = ''] = SERIALIZED_URL.exec(url) ?? []
  return pathname === undefined ? new URL(url) : { pathname, search }
}
