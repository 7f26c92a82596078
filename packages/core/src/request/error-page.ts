/** Error pages: where a person navigates, a browser gets a page instead of JSON. */

import type { OAuthError } from '../http/errors.js'
import type { ErrorKind, Interactions } from '../realm/ports.js'
import type { Realm } from '../realm/realm.js'
import { referenceByHash } from '../refusals/reference.js'
import { sha256Bytes } from '../util/secret.js'
import { uiLocalesOf } from '../util/ui-locales.js'

/** The kinds of errors, by the reason in their event. */
const KINDS: ReadonlyMap<string, ErrorKind> = new Map([
  ['stale_request', 'expired'],
  ['unknown_request_uri', 'expired'],
  ['foreign_request_uri', 'foreign_request'],
  ['expired_request_uri', 'expired'],
  ['unknown_auth_token', 'answered'],
  ['expired_auth_token', 'expired'],
  ['foreign_auth_token', 'expired'],
  ['reused_auth_token', 'answered'],
  ['answered_request', 'answered'],
  ['bad_confirmation_token', 'expired'],
  ['unknown_client', 'unknown_client'],
  // As on the wire: the page does not tell that the client existed.
  ['revoked_client', 'unknown_client'],
  ['unregistered_redirect_uri', 'unregistered_redirect_uri'],
])

const errorKind = ({ reason }: OAuthError): ErrorKind | null =>
  reason.startsWith('document_') ? 'unknown_client' : (KINDS.get(reason) ?? null)

/** The kinds of errors that were answered with JSON, from which a page may be made. */
const kindOfResponse = new WeakMap<Response, ErrorKind>()

/** Remembers the kind of the error that this response tells. */
export function keepKind(response: Response, error: OAuthError): Response {
  const kind = errorKind(error)
  if (kind !== null) kindOfResponse.set(response, kind)
  return response
}

export interface BrowserAnswer {
  request: Request
  realm: Realm
  interactions: Interactions
  /** Of the request; absent where the host gives none. */
  request_id?: string | undefined
}

/**
 * For an error, the application's error page with the same status and headers; any other response unchanged. Only for a path where a
 * person navigates: a program would lose the code of the error.
 */
export const pageForBrowser = (response: Response, c: BrowserAnswer): Promise<Response> | Response =>
  response.status < 400 ? response : pageOfError(response, c)

async function pageOfError(
  response: Response,
  { request, realm, interactions, request_id }: BrowserAnswer,
): Promise<Response> {
  if (!interactions.error || !isNavigation(request)) return response
  if (response.headers.get('content-type') !== 'application/json' || response.body === null) return response
  const { status } = response
  const body: ErrorBody = await response.json()
  const { error: code, error_description: description } = body
  const kind = kindOfResponse.get(response) ?? null
  const ui_locales = uiLocalesOf(request)
  const reference = request_id === undefined ? null : referenceOf(request_id)
  const prompt = { realm, status, code, description, kind, reference, ui_locales, request }
  const page = await interactions.error(prompt)
  const headers = new Headers(response.headers)
  // On Bun, a page of plain text names no type: that of the JSON must not stay.
  headers.delete('content-type')
  for (const [name, value] of page.headers) headers.set(name, value)
  return new Response(page.body, { status, headers })
}

/** The short name of a request, which error pages show: `7F3A-2C1D`. */
export function referenceOf(request_id: string): string {
  const { buffer, byteOffset } = sha256Bytes(request_id)
  const first = new DataView(buffer, byteOffset).getUint32(0)
  return referenceByHash(first.toString(16).padStart(8, '0'))
}

interface ErrorBody {
  error: string
  error_description: string
}

/**
 * Whether a browser navigates: `Accept` lists HTML, and `Sec-Fetch-Mode` does not say that a script or an element has sent
 * the request.
 */
export function isNavigation(request: Request): boolean {
  const mode = request.headers.get('sec-fetch-mode')
  if (mode !== null && mode !== 'navigate') return false
  const accepted = (request.headers.get('accept') ?? '').split(',')
  return accepted.some((range) => range.split(';', 1)[0]?.trim().toLowerCase() === 'text/html')
}
