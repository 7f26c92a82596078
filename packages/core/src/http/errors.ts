/** The errors of the provider that a request can lead to; program-errors.ts has those of its caller. */

import type { RefusalReason } from '../refusals/hints.js'
import type { TokenEndpointAuthMethod } from '../storage/records.js'
import type { OAuthErrorCode } from './error-codes.js'

export type { OAuthErrorCode } from './error-codes.js'

const STATUS: Partial<Record<OAuthErrorCode, number>> = {
  invalid_client: 401,
  invalid_token: 401,
  access_denied: 403,
  insufficient_scope: 403,
  insufficient_user_authentication: 401,
  server_error: 500,
  temporarily_unavailable: 503,
}

export interface OAuthErrorOptions {
  /** The exact reason, for the event; never on the wire. Each has an entry in refusals/. */
  reason?: RefusalReason
  /** The description for the event, where the description for the client repeats what the client sent: that may be a secret. */
  event_description?: string
  cause?: unknown
  /** What was sent, for the event, where it is not a parameter; without a secret, at most 128 characters. */
  sent?: string
  /** Which one of several values is refused, for the hint of the event: a scope. The event shows no secret. */
  refused_value?: string
  /** Of a failed client authentication, for its event. */
  authentication?: Authentication
  /** Overrides the status that follows from the code: OAuth has no code for 413 and 429. */
  status?: number
  headers?: Record<string, string>
}

/** How a client has tried to authenticate. */
interface Authentication {
  used_method: TokenEndpointAuthMethod | null
  registered_methods: readonly TokenEndpointAuthMethod[] | null
}

/** A refusal that is sent to the client: as JSON, as a redirect or as a challenge, which the catching code decides. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode
  readonly reason: RefusalReason
  readonly status: number
  readonly headers: Record<string, string>
  /** As `description`, without texts that the client sent. */
  readonly event_description: string
  readonly sent: string | null
  readonly refused_value: string | null
  readonly authentication: Authentication | null

  constructor(code: OAuthErrorCode, description: string, given: OAuthErrorOptions | RefusalReason = {}) {
    const options = typeof given === 'string' ? { reason: given } : given
    super(description, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'OAuthError'
    this.code = code
    this.reason = options.reason ?? code
    this.status = options.status ?? STATUS[code] ?? 400
    this.headers = options.headers ?? {}
    this.sent = options.sent ?? null
    this.refused_value = options.refused_value ?? null
    this.authentication = options.authentication ?? null
    this.event_description = options.event_description ?? this.description
  }

  /** As RFC 6749 §5.2 allows it: printable ASCII without quotes and backslashes. Bounded, since it may repeat a parameter. */
  get description(): string {
    return this.message
      .slice(0, 500)
      .replace(/["\\]/g, "'")
      .replace(/[^\x20-\x7e]/g, '?')
  }
}

/** A stored signing key was encrypted with another secret than the provider's. The message says how to go on. */
export class SealedKeyError extends Error {
  /** The key. */
  readonly kid: string
  /** The message without the advice. */
  readonly fault: string

  constructor({ kid, realm, cause }: { kid: string; realm: string; cause: unknown }) {
    const fault = `The signing key ${kid} of realm ${realm} cannot be decrypted: it was encrypted with another secret than OIDC_SECRET`
    super(
      `${fault}. Start with that secret as the option secret, or as previous_secret while you change it. If it is lost, withdraw the key: (await provider.manage()).keys.revoke(${JSON.stringify(kid)}) makes a new one, and ends every token that the old one has signed`,
      { cause },
    )
    this.name = 'SealedKeyError'
    this.kid = kid
    this.fault = fault
  }
}

/** A grant type's refusal (RFC 6749 §5.2). The client gets the same text for every reason; the event has the reason. */
export const invalidGrant = (reason: RefusalReason): OAuthError =>
  new OAuthError('invalid_grant', 'The grant is invalid, expired, revoked, or was issued to another client', {
    reason,
  })

/** 429 with `Retry-After` (RFC 6585 §4). @param seconds Until the next counting window begins. */
export const tooManyRequests = (seconds: number): OAuthError =>
  new OAuthError('temporarily_unavailable', 'Too many requests from this address', {
    reason: 'throttled',
    status: 429,
    headers: { 'retry-after': String(seconds) },
  })

/** A service that the provider depends on is not available: the same request may succeed later. */
export const unavailable = (): OAuthError =>
  new OAuthError(
    'temporarily_unavailable',
    'The service is not available right now. Try again in a few seconds.',
    {
      headers: { 'retry-after': '5' },
    },
  )

/** The answer to an unexpected failure. Only the event has the cause. */
export const serverError = (): OAuthError =>
  new OAuthError('server_error', 'Something went wrong on our side. Try again later.')
