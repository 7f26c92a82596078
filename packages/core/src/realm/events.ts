/** Security events, for logs, audits and alerts. An event never contains a secret, a code or a token. */

import type { FeatureEvent } from '../features/declarations.js'
import type { OAuthErrorCode } from '../http/errors.js'
import type { DocumentReason } from '../refusals/document-error.js'
import type { TokenEndpointAuthMethod } from '../storage/records.js'
import type { DeniedRule } from './access-ports.js'

/**
 * A security event: `type`, `time` in epoch seconds, the id of the `realm`, and fields that depend on the type
 * (docs/events.md).
 */
export type OidcEvent = {
  /** Epoch seconds. */
  time: number
  realm: string
  /** Of the request that caused the event (`RequestInfo.request_id`); absent for background work. */
  request_id?: string
} & (
  | {
      type: 'authorization.requested'
      client_id: string
      sub: string | null
      outcome: 'code' | 'consent' | 'login'
    }
  | ({ type: 'authorization.refused' } & RefusalDetails)
  | { type: 'authorization.cancelled'; client_id: string }
  | {
      /** The user may not use the client. */
      type: 'access.denied'
      client_id: string
      sub: string
      rule: DeniedRule
    }
  | { type: 'consent.approved'; client_id: string; sub: string; scopes: string[]; resource: string | null }
  | { type: 'consent.denied'; client_id: string; sub: string }
  | { type: 'consent.revoked'; client_id: string; sub: string; resource: string | null }
  | { type: 'code.issued'; client_id: string; sub: string; grant_id: string }
  | { type: 'code.replayed'; client_id: string; sub: string; grant_id: string }
  | {
      type: 'refresh_token.reused'
      client_id: string
      sub: string
      grant_id: string
      /** Seconds since the token was spent. */
      spent_seconds: number
      /** The setting with which it would have been accepted; null: it came too late, or its successor was spent. */
      longer_grace: string | null
    }
  | {
      type: 'token.issued'
      client_id: string
      grant_type: string
      sub: string
      grant_id: string | null
      scopes: string[]
      audience: string
      /** The thumbprint of the key that the access token is bound to (RFC 9449); absent for a bearer token. */
      jkt?: string
    }
  | {
      type: 'access_token.too_large'
      client_id: string
      sub: string
      /** The largest of the claims that made the token too large. */
      claim: string
    }
  | { type: 'token.revoked'; client_id: string; grant_id: string | null }
  | {
      type: 'client.authentication_failed'
      client_id: string | null
      reason: string
      /** Null for a malformed Authorization header. */
      used_method: TokenEndpointAuthMethod | null
      /** Null when there is no such client. */
      registered_methods: readonly TokenEndpointAuthMethod[] | null
      sent: string | null
      hint: string | null
    }
  | { type: 'client.created'; client_id: string; client_name: string }
  | { type: 'client.updated'; client_id: string; fields: string[] }
  | { type: 'client.revoked'; client_id: string }
  | { type: 'client.deleted'; client_id: string; grants: number; consents: number }
  | { type: 'client.secret_rotated'; client_id: string }
  | {
      type: 'bearer.refused'
      error: OAuthErrorCode
      reason: string
      sent: string | null
      hint: string | null
    }
  | {
      type: 'grant.revoked'
      sub: string
      /** Null when the grants of all clients were revoked. */
      client_id: string | null
      /** The number of revoked grants. */
      grants: number
    }
  | { type: 'user.deleted'; sub: string; sessions: number; grants: number; consents: number }
  | ({ type: 'session.started'; sub: string; sid: string; amr: string[] } & LoginOrigin)
  | ({ type: 'session.raised'; sub: string; sid: string; amr: string[]; acr: string | null } & LoginOrigin)
  | { type: 'session.ended'; sub: string; sid: string; reason: SessionEndReason }
  | {
      type: 'client_document.fetched'
      client_id: string
      /** It differs from the one that was known, or is the first. */
      changed: boolean
    }
  | {
      type: 'client_document.refused'
      /** Of the client_id, which may contain a secret; null for a URL that is not fetched. */
      host: string | null
      reason: DocumentReason
    }
  | { type: 'client_document.forgotten'; client_id: string }
  | ({ type: 'role.granted' | 'role.revoked' } & RoleDetails)
  | { type: 'realm.created' | 'realm.updated' | 'realm.deleted'; realm_id: string }
  | { type: 'key.retired'; kid: string }
  | { type: 'key.revoked'; kid: string }
  | { type: 'key.created'; kid: string; signs_from: number }
  | ({ type: 'request.refused'; route: string | null } & RefusalDetails)
  | { type: 'server.error'; route: string | null; cause: unknown }
  | FeatureEvent
)

/** Who signed in, at which client, and from where. */
export interface LoginOrigin {
  /** Of the authorization request that the sign-in is for; null when there is none. */
  client_id: string | null
  /** As the application gives it with the login; null without it. */
  username: string | null
  /** Null when the host does not know it, or a peer claims it without being a trusted proxy. */
  address: string | null
  /** The browser's `User-Agent`, at most 255 characters of ASCII; null without one, or when it looks like a secret. */
  user_agent: string | null
}

/** What is known about a refused request. */
export interface RefusalDetails {
  /** Null when no client is known; `sent` has what was sent. */
  client_id: string | null
  /** Of the code or refresh token that was sent; absent where none was, and where it is unknown. */
  sub?: string
  error: OAuthErrorCode
  reason: string
  /** The error_description of the answer, without texts that the client sent. */
  description: string
  /** The redirect_uri as it was sent, without user-info, query and fragment, at most 128 characters; null for none. */
  redirect_uri: string | null
  /** What was sent and refused, as `name=value`: at most 128 characters, never a secret; null where all of it is secret. */
  sent: string | null
  /** What to change, and where (the catalog in refusals/). */
  hint: string | null
}

/** A role of the admin API, and who has it. */
interface RoleDetails {
  /** Null for a client. */
  sub: string | null
  /** Null for a user. */
  client_id: string | null
  role: string
  /** The ids of realms, or `*` alone. */
  realms: readonly string[]
}

/** Why a session ended. */
export type SessionEndReason =
  | 'logout'
  | 'new_login'
  | 'login_required'
  | 'expired'
  | 'administrator'
  // From the user's account page: other sessions were ended, or all others after a change of the password.
  | 'account_page'
  | 'password_changed'

/** Receives each event when it happens. What it throws or rejects with is ignored. */
export type EventSink = (event: OidcEvent) => void | Promise<void>

/** An event without `time`, `realm` and `request_id`, which the realm's emitter adds. */
export type EventDetails = OidcEvent extends infer E
  ? E extends OidcEvent
    ? Omit<E, 'time' | 'realm' | 'request_id'>
    : never
  : never

/** Calls the sink with the event. Errors and rejections of the sink are ignored, so that they cannot fail a request. */
export function deliverEvent<E>(sink: ((event: E) => void | Promise<void>) | undefined, event: E): void {
  if (!sink) return
  try {
    const pending = sink(event)
    if (pending) pending.catch(() => {})
  } catch {
    // The event is lost; the request continues.
  }
}
