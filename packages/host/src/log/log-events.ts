/**
 * Events as log lines. Only the fields that are listed here are written. A text that a client chose is in `sent`, `redirect_uri`,
 * `post_logout_redirect_uri` and `user_agent` alone, which core cuts, and leaves out where it looks like a secret; and in the
 * `host` of a client_id that is a URL.
 */

import type { SinkEvent } from '@ostiary/audit-sinks'
import { hintOfEvent, type OidcEvent, referenceOf } from '@ostiary/core'
import type { IdentityEvent } from '@ostiary/identity'
import { type AddressForm, loggedAddress } from './addresses.js'
import { errorFields, type Fields, type Level, type Log } from './log.js'

/** An event of the provider, of its pages, or of a sink of the audit. */
export type AnyEvent = OidcEvent | IdentityEvent | SinkEvent

const OF_USER = ['sub', 'address']

/** By type: the fields that the log has. */
export const LOGGED_FIELDS: Record<AnyEvent['type'], readonly string[]> = {
  'authorization.requested': ['client_id', 'sub', 'outcome'],
  'authorization.pushed': ['client_id'],
  'authorization.refused': ['client_id', 'error', 'reason', 'description', 'redirect_uri', 'sent'],
  'authorization.cancelled': ['client_id'],
  'access.denied': ['client_id', 'sub', 'rule'],
  'device.requested': ['client_id'],
  'device.approved': ['client_id', 'sub', 'grant_id', 'scopes', 'resource'],
  'device.refused': ['client_id', 'sub'],
  'consent.approved': ['client_id', 'sub', 'scopes', 'resource'],
  'consent.denied': ['client_id', 'sub'],
  'consent.revoked': ['client_id', 'sub', 'resource'],
  'code.issued': ['client_id', 'sub', 'grant_id'],
  'code.replayed': ['client_id', 'sub', 'grant_id'],
  'refresh_token.reused': ['client_id', 'sub', 'grant_id', 'spent_seconds', 'longer_grace'],
  'token.issued': ['client_id', 'grant_type', 'sub', 'grant_id', 'scopes', 'audience', 'jkt'],
  'access_token.too_large': ['client_id', 'sub', 'claim'],
  'token.revoked': ['client_id', 'grant_id'],
  'client.authentication_failed': ['client_id', 'reason', 'used_method', 'registered_methods', 'sent'],
  'client_document.fetched': ['client_id', 'changed'],
  'client_document.forgotten': ['client_id'],
  'client_document.refused': ['host', 'reason'],
  'client.registered': ['client_id'],
  'client.registration_reused': ['client_id'],
  'client.created': ['client_id', 'client_name'],
  'client.updated': ['client_id', 'fields'],
  'client.revoked': ['client_id'],
  'client.deleted': ['client_id', 'grants', 'consents'],
  'client.secret_rotated': ['client_id'],
  'bearer.refused': ['error', 'reason', 'sent'],
  'grant.revoked': ['sub', 'client_id', 'grants'],
  'user.deleted': ['sub', 'sessions', 'grants', 'consents'],
  'session.started': ['sub', 'sid', 'amr', 'client_id', 'username', 'address', 'user_agent'],
  'session.raised': ['sub', 'sid', 'amr', 'acr', 'client_id', 'username', 'address', 'user_agent'],
  'session.ended': ['sub', 'sid', 'reason'],
  'logout.redirect_refused': ['client_id', 'reason', 'post_logout_redirect_uri', 'sent'],
  'logout.delivered': ['client_id', 'sid', 'attempts'],
  'logout.failed': ['client_id', 'sid', 'attempts', 'reason', 'next_attempt_at'],
  'role.granted': ['sub', 'client_id', 'role', 'realms'],
  'role.revoked': ['sub', 'client_id', 'role', 'realms'],
  'realm.created': ['realm_id'],
  'realm.updated': ['realm_id'],
  'realm.deleted': ['realm_id'],
  'key.created': ['kid', 'signs_from'],
  'key.retired': ['kid'],
  'key.revoked': ['kid'],
  'login.refused': ['reason', 'limit', 'upstream', 'client_id', 'sub', 'address'],
  'account.deletion_requested': ['sub', 'due_at', 'address'],
  'account.deletion_withdrawn': OF_USER,
  'account.password_changed': ['sub', 'sid', 'address'],
  'account.password_set': ['sub', 'sid', 'address'],
  'account.password_removed': ['sub', 'sid', 'address'],
  'factor.added': ['kind', 'sub', 'address'],
  'factor.removed': ['kind', 'sub', 'address'],
  'factor.renamed': ['kind', 'sub', 'address'],
  'link.added': ['upstream', 'sub', 'address'],
  'link.removed': ['upstream', 'sub', 'address'],
  'user.signed_up': ['upstream', 'sub', 'address'],
  'groups.ignored': ['upstream', 'sub', 'address'],
  'remembered_device.added': OF_USER,
  'remembered_device.removed': OF_USER,
  'remembered_device.copied': OF_USER,
  'recovery_codes.created': OF_USER,
  'recovery_codes.used': ['sub', 'left', 'address'],
  'passkey.counter': OF_USER,
  'invitation.created': ['sub', 'mailed'],
  'invitation.used': OF_USER,
  'recovery.started': ['sub', 'by', 'address'],
  'recovery.password_set': OF_USER,
  'recovery.completed': OF_USER,
  'recovery.refused': ['reason', 'limit', 'sub', 'address'],
  'recovery.requested': ['sub', 'until', 'address'],
  'recovery.cancelled': ['reason', 'sub', 'address'],
  'address.requested': OF_USER,
  'address.removed': OF_USER,
  'address.added': OF_USER,
  'address.changed': OF_USER,
  'address.verified': OF_USER,
  'address.undone': OF_USER,
  'address.refused': ['reason', 'sub', 'address'],
  'signup.started': ['address'],
  'signup.completed': OF_USER,
  'abuse.refused': ['action', 'answer', 'address'],
  'terms.accepted': ['version', 'sub', 'address'],
  'account.password_reset': OF_USER,
  'password.refused': ['reason', 'sub', 'address'],
  'password.unchecked': OF_USER,
  'mail.throttled': ['mail', 'limit', 'sub', 'address'],
  'mail.sent': ['mail', 'sub', 'attempts'],
  'mail.failed': ['mail', 'sub', 'attempts', 'reason', 'next_attempt_at'],
  'account.refused': ['reason', 'limit', 'action', 'sub', 'address'],
  'request.refused': ['route', 'client_id', 'sub', 'error', 'reason', 'description', 'redirect_uri', 'sent'],
  'server.error': ['route'],
  'audit.sink_failed': ['host', 'audit_id', 'attempts', 'reason', 'next_attempt_at'],
  'audit.sink_dropped': ['host', 'reason', 'count'],
}

/** Every type of event. */
export const EVENT_TYPES: readonly string[] = Object.keys(LOGGED_FIELDS)

const LEVELS: Partial<Record<AnyEvent['type'], Level>> = {
  'access_token.too_large': 'warn',
  'code.replayed': 'warn',
  'refresh_token.reused': 'warn',
  'client.authentication_failed': 'warn',
  'login.refused': 'warn',
  'logout.failed': 'warn',
  'logout.redirect_refused': 'warn',
  'account.refused': 'warn',
  'passkey.counter': 'warn',
  'recovery.refused': 'warn',
  'address.refused': 'warn',
  'mail.throttled': 'warn',
  'mail.failed': 'warn',
  'server.error': 'error',
  'audit.sink_failed': 'warn',
  'audit.sink_dropped': 'error',
}

/**
 * A sink for the events of core and of identity.
 * @param addresses How addresses are logged at this moment.
 */
export function eventLog(log: Log, addresses: () => AddressForm): (event: AnyEvent) => void {
  return (event) => {
    const values = event as AnyEvent & Fields
    const fields: Fields = { event: event.type, realm: event.realm, request_id: event.request_id }
    for (const name of LOGGED_FIELDS[event.type] ?? [])
      if (values[name] !== undefined)
        fields[name] = name === 'reason' ? reasonCode(values[name]) : values[name]
    if (typeof fields.address === 'string') fields.address = loggedAddress(fields.address, addresses())
    // The text that was sent as the client_id may be a secret.
    if (event.type === 'client.authentication_failed' && UNKNOWN_CLIENT_REASONS.has(event.reason))
      fields.client_id = null
    if (event.type === 'server.error') Object.assign(fields, errorFields(event.cause))
    else addRemedy(fields, event)
    log[LEVELS[event.type] ?? 'info'](event.type, fields)
  }
}

/** What a refusal says beside its cause: the remedy, and the name of the request on its error page. */
function addRemedy(fields: Fields, event: AnyEvent): void {
  const hint = 'hint' in event ? event.hint : hintOfEvent(event)
  if (hint === null) return
  fields.hint = hint
  if (event.request_id !== undefined) fields.reference = referenceOf(event.request_id)
}

/** With these reasons, the client_id does not belong to an existing client. */
const UNKNOWN_CLIENT_REASONS = new Set(['unknown_client', 'malformed_authorization_header'])

/** Only codes: a free text may quote another server's answer or address. */
const reasonCode = (reason: unknown): string =>
  typeof reason === 'string' && /^\w{1,64}$/.test(reason) ? reason : 'other'
