/** Why a document that a client publishes cannot be used. */

/** The reasons, in events and in the answer at the authorization endpoint (docs/events.md). */
export type DocumentReason =
  // The URL, before any request.
  | 'invalid_url'
  | 'host_not_allowed'
  // The request.
  | 'address_not_public'
  | 'unreachable'
  | 'timeout'
  // The response.
  | 'redirected'
  | 'not_found'
  | 'http_error'
  | 'encoded'
  | 'too_large'
  | 'not_json'
  // The document.
  | 'client_id_differs'
  | 'invalid_metadata'
  | 'invalid_redirect_uri'
  | 'invalid_keys'
  | 'contains_secret'
  | 'unsupported_auth_method'
  | 'unsupported_grant_type'

/** A document that cannot be read, or is refused. The message is for developers, and has no text of the document. */
export class DocumentError extends Error {
  readonly reason: DocumentReason

  constructor(reason: DocumentReason, message: string = reason) {
    super(message)
    this.name = 'DocumentError'
    this.reason = reason
  }
}

/** What the codes of a `FetchDocument` mean; every other code: the host cannot be reached. */
const REASONS: Readonly<Record<string, DocumentReason>> = {
  forbidden_address: 'address_not_public',
  timeout: 'timeout',
  connect_timeout: 'timeout',
  ETIMEDOUT: 'timeout',
  TimeoutError: 'timeout',
  too_large: 'too_large',
  content_encoding: 'encoded',
}

/** The failure of a `FetchDocument` or of its time limit, as a reason. Its message is not repeated: it may have an address. */
export function fetchFailure(cause: unknown): DocumentError {
  const { name, message } = cause instanceof Error ? cause : { name: '', message: '' }
  const code = Object.hasOwn(REASONS, name) ? name : message
  return new DocumentError((Object.hasOwn(REASONS, code) && REASONS[code]) || 'unreachable')
}
