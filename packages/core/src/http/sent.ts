/** What was sent and refused, for the events of refusals: never a secret, and at most 128 characters. */

import { base64url } from 'jose'
import { sentNames } from '../refusals/hints.js'
import { utf8Text } from '../util/base64url.js'
import { shownUri } from '../util/shown-uri.js'
import { looksSecret, printable, shownValue } from '../util/shown-value.js'
import type { Params } from './params.js'

/** A refused request, as far as it was read. */
export interface SentRequest {
  request: Request
  /** Null where no parameters were read. */
  params: Params | null
  /** Epoch seconds. */
  now: number
}

/** The values that the catalog names for this reason, as `name=value`; null for none. */
export function sentOf(sent: SentRequest, reason: string): string | null {
  const names = sentNames(reason)
  const shown = names.flatMap((name) => {
    const value = shownField(sent, name)
    return value === null ? [] : [`${labelOf(name)}=${value}`]
  })
  const [first] = names
  if (first !== undefined && shown.every((each) => each.startsWith('now=')))
    shown.unshift(`no ${labelOf(first)}`)
  return shown.length === 0 ? null : printable(shown.join(', '))
}

/** The name of the client that the request claims to come from, for a refusal before the client is known. */
export const claimedClient = (sent: SentRequest): string | null => shownField(sent, 'client_id')

const labelOf = (name: string): string => name.slice(name.indexOf('.') + 1)

/** Parameters of which nothing but the length is shown. */
const SECRET_FIELDS = new Set(['client_secret', 'code_verifier'])
const URI_FIELDS = new Set(['redirect_uri', 'post_logout_redirect_uri'])

function shownField(sent: SentRequest, name: string): string | null {
  const { request, params, now } = sent
  if (name === 'now') return String(now)
  if (name === 'method') return printable(request.method)
  if (name === 'origin' || name === 'content-type') return maybeShown(request.headers.get(name))
  if (name === 'repeated')
    return maybeShown([...(params?.repeated ?? []), ...(params?.malformed ?? [])].join(' ') || null)
  if (name.includes('.')) return shownClaim(sent, name)
  const value = params?.get(name) ?? null
  if (name === 'client_id') return maybeShown(value ?? basicName(request) ?? claimOf(sent, 'assertion.sub'))
  if (name === 'client_secret') return lengthOf(value ?? basicSecret(request))
  if (SECRET_FIELDS.has(name)) return lengthOf(value)
  if (URI_FIELDS.has(name)) return value === null ? null : (shownUri(value) ?? shownText(value))
  return maybeShown(value)
}

/** A URI without its user-info, query and fragment; any other text as it is. */
const withoutQuery = (value: string): string =>
  /^[A-Za-z][A-Za-z0-9+.-]*:\//.test(value)
    ? (value.split(/[?#]/, 1)[0] ?? '').replace(/^([^:]*:[/\\]*)[^/\\]*@/, '$1')
    : value

const maybeShown = (value: string | null): string | null =>
  value === null ? null : shownValue(withoutQuery(value))
const lengthOf = (value: string | null): string | null =>
  value === null ? null : `(${value.length} characters)`
/** A text in the place of a URI: one with a query may hold a secret there. */
const shownText = (value: string): string => shownValue(value.split(/[?#@]/, 1)[0] ?? '')

/** Both parts of Basic credentials, form-decoded; null for a header of another form. */
function basicParts({ headers }: Request): [string, string] | null {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(headers.get('authorization')?.trim() ?? '')?.[1]
  if (encoded === undefined) return null
  try {
    const text = utf8Text(base64url.decode(encoded))
    const colon = text.indexOf(':')
    if (colon < 1) return null
    return [decodeURIComponent(text.slice(0, colon)), decodeURIComponent(text.slice(colon + 1))]
  } catch {
    return null
  }
}

const basicName = (request: Request): string | null => basicParts(request)?.[0] ?? null
const basicSecret = (request: Request): string | null => basicParts(request)?.[1] ?? null

const HEADER_MEMBERS = new Set(['alg', 'kid', 'typ'])
/** Characters of an identifier that looks like a secret, such as a thumbprint: enough to compare it with the registered one. */
const SHOWN_ID_CHARACTERS = 8

/** A member of the JWT that the request has: `assertion.aud`, `proof.htu`, `token.exp`. Nothing of it is verified. */
function shownClaim(sent: SentRequest, name: string): string | null {
  const value = claimOf(sent, name)
  if (value === null || !looksSecret(value)) return value === null ? null : printable(withoutQuery(value))
  const is_id = name.endsWith('.kid') || name.endsWith('.jti')
  return is_id ? `${printable(value.slice(0, SHOWN_ID_CHARACTERS))}...` : shownValue(value)
}

function claimOf(sent: SentRequest, name: string): string | null {
  const [source, member = ''] = name.split('.')
  const [header, claims] = tokenOf(sent, source ?? '')
    .split('.')
    .slice(0, 2)
    .map(jsonObject)
  const value = (HEADER_MEMBERS.has(member) ? header : claims)?.[member]
  if (value === undefined) return null
  if (Array.isArray(value)) return value.join(' ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Longer tokens are refused unread. */
const MAX_TOKEN_CHARACTERS = 16_384

function tokenOf({ request, params }: SentRequest, source: string): string {
  const texts: Record<string, string | null | undefined> = {
    assertion: params?.get('client_assertion'),
    proof: request.headers.get('dpop'),
    token: /^\w+ +(\S+)$/.exec(request.headers.get('authorization') ?? '')?.[1],
  }
  return (texts[source] ?? '').slice(0, MAX_TOKEN_CHARACTERS)
}

function jsonObject(part: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(utf8Text(base64url.decode(part)))
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch {
    return null
  }
}
