/** URIs in events: as they were sent, and how they differ from the registered ones. */

import { isLoopbackHost } from './loopback.js'
import { looksSecret, printable } from './shown-value.js'

/**
 * A URI as it was sent, byte for byte, up to its query: user-info, query and fragment may hold a secret. Null for a text that is not a
 * URI with a path, since it may be anything, and for one that looks like a secret.
 */
export function shownUri(uri: string | null): string | null {
  if (uri === null || !/^[A-Za-z][A-Za-z0-9+.-]*:\//.test(uri) || !URL.canParse(uri)) return null
  const end = uri.search(/[?#]/)
  const shown = (end < 0 ? uri : uri.slice(0, end)).replace(/^([A-Za-z][A-Za-z0-9+.-]*:[/\\]*)[^/\\]*@/, '$1')
  return looksSecret(shown) ? null : printable(shown)
}

interface UriParts {
  scheme: string
  host: string
  port: string
  path: string
  query: string
  fragment: string
}

/** The parts of the text: a parser would make different spellings equal. */
function partsOf(uri: string): UriParts {
  const [before = '', fragment = ''] = cut(uri, '#')
  const [address = '', query = ''] = cut(before, '?')
  const [, scheme = '', rest = ''] = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/s.exec(address) ?? [null, '', address]
  const [, authority = '', path = ''] = /^\/\/([^/]*)(.*)$/s.exec(rest) ?? [null, '', rest]
  const [, host = '', port = ''] = /^(.*?)(?::(\d*))?$/s.exec(authority) ?? []
  return { scheme, host, port, path, query, fragment }
}

/** The text before the first mark, and the rest with the mark. */
function cut(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)]
}

/** The names of the parts in which a URI differs from a registered one. */
function differences(sent: string, registered: string, free_port: boolean): string[] {
  const [a, b] = [partsOf(sent), partsOf(registered)]
  const is_free = free_port && a.scheme === 'http' && isLoopbackHost(a.host)
  const found = [
    cased('the scheme', a.scheme, b.scheme),
    cased('the host', a.host, b.host),
    !is_free && a.port !== b.port ? 'the port' : null,
    a.path !== b.path && withoutSlash(a.path) === withoutSlash(b.path)
      ? 'the last slash'
      : cased('the path', a.path, b.path),
    a.query === b.query ? null : 'the query',
    a.fragment === b.fragment ? null : 'the fragment',
  ]
  return found.filter((name) => name !== null)
}

function cased(name: string, a: string, b: string): string | null {
  if (a === b) return null
  return a.toLowerCase() === b.toLowerCase() ? `the case of ${name}` : name
}

const withoutSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path)

/**
 * A sentence that names the nearest registered URI, and the parts in which the sent one differs from it; null where there is none.
 * @param free_port Whether for http on the loopback every port matches (RFC 8252 §7.3).
 */
export function uriDifference(
  sent: string | null,
  registered: readonly string[],
  free_port = false,
): string | null {
  const [nearest] = registered
    .map((uri) => ({ uri, parts: sent === null ? [] : differences(sent, uri, free_port) }))
    .sort((a, b) => a.parts.length - b.parts.length)
  if (nearest === undefined) return null
  const shown = shownUri(nearest.uri) ?? 'one'
  if (sent === null) return `Registered or sent before: ${shown}.`
  if (nearest.parts.length === 0) return null
  return `It differs from the registered ${shown} in ${nearest.parts.join(' and ')}.`
}
