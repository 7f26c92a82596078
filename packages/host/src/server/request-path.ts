/** The path of a request as it was sent, before a URL is parsed from it. */

/** A dot segment in any of its encodings, or a backslash, which URL parsing (WHATWG) treats as a slash. */
const AMBIGUOUS = /\\|%5c|(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i

/**
 * Whether URL parsing changes the path: a proxy whose rules compare paths then decided about another path than the one
 * that is answered.
 * @param target A request target (RFC 9112 §3.2), or its path.
 */
export function isAmbiguousPath(target: string): boolean {
  const query = target.indexOf('?')
  const path = query === -1 ? target : target.slice(0, query)
  return AMBIGUOUS.test(path)
}
