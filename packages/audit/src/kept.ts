/** Which events are kept, and which of their fields. */

import type { OidcEvent } from '@ostiary/core'
import { isStorableText } from '@ostiary/core/common'
import type { IdentityEvent } from '@ostiary/identity'

/** An event of the provider, or of its pages. */
export type AnyEvent = OidcEvent | IdentityEvent

/** What is kept of a type of event. */
export interface KeptEvent {
  /** `security`: always. `all`: only with `audit.events: "all"`. */
  kept: 'security' | 'all'
  /** Strangers can cause it: those of a minute that are alike are one row with their number. */
  counted?: true
  outcome: 'done' | 'refused'
  /** Beside `sub` and `client_id`, which are columns, and `address`, which is erasable. No text that a client or a browser chose. */
  fields: readonly string[]
}

const done = (...fields: string[]): KeptEvent => ({ kept: 'security', outcome: 'done', fields })
const inAll = (...fields: string[]): KeptEvent => ({ ...done(...fields), kept: 'all' })
const refused = (...fields: string[]): KeptEvent => ({
  kept: 'security',
  counted: true,
  outcome: 'refused',
  fields,
})
const counted = (...fields: string[]): KeptEvent => ({ ...refused(...fields), outcome: 'done' })

/** Every event: a new one does not compile without its row. */
export const KEPT: Readonly<Record<AnyEvent['type'], KeptEvent>> = {
  'authorization.requested': inAll('outcome'),
  'authorization.pushed': { ...counted(), kept: 'all' },
  'authorization.refused': refused('error', 'reason'),
  'authorization.cancelled': done(),
  'access.denied': refused('rule'),
  'device.requested': { ...counted(), kept: 'all' },
  'device.approved': done('grant_id', 'scopes', 'resource'),
  'device.refused': done(),
  'consent.approved': done('scopes', 'resource'),
  'consent.denied': done(),
  'consent.revoked': done('resource'),
  'code.issued': done('grant_id'),
  'code.replayed': refused('grant_id'),
  'refresh_token.reused': refused('grant_id', 'spent_seconds', 'longer_grace'),
  'token.issued': inAll('grant_type', 'grant_id', 'scopes', 'audience'),
  'access_token.too_large': refused('claim'),
  'token.revoked': done('grant_id'),
  'client.authentication_failed': refused('reason', 'used_method', 'registered_methods'),
  'client_document.fetched': inAll('changed'),
  'client_document.forgotten': done(),
  'client_document.refused': refused('host', 'reason'),
  'client.registered': done(),
  'client.registration_reused': counted(),
  'client.created': done(),
  'client.updated': done('fields'),
  'client.revoked': done(),
  'client.deleted': done('grants', 'consents'),
  'client.secret_rotated': done(),
  'bearer.refused': { ...refused('error', 'reason'), kept: 'all' },
  'grant.revoked': done('grants'),
  'user.deleted': done('sessions', 'grants', 'consents'),
  'session.started': done('sid', 'amr'),
  'session.raised': done('sid', 'amr', 'acr'),
  'session.ended': done('sid', 'reason'),
  'logout.redirect_refused': refused('reason'),
  'logout.delivered': inAll('sid', 'attempts'),
  'logout.failed': done('sid', 'attempts', 'reason', 'next_attempt_at'),
  'role.granted': done('role', 'realms'),
  'role.revoked': done('role', 'realms'),
  'realm.created': done('realm_id'),
  'realm.updated': done('realm_id'),
  'realm.deleted': done('realm_id'),
  'key.created': done('kid', 'signs_from'),
  'key.retired': done('kid'),
  'key.revoked': done('kid'),
  'login.refused': refused('reason', 'limit', 'upstream'),
  'account.deletion_requested': done('due_at'),
  'account.deletion_withdrawn': done(),
  'account.password_changed': done('sid'),
  'account.password_set': done('sid'),
  'account.password_removed': done('sid'),
  'factor.added': done('kind'),
  'factor.removed': done('kind'),
  'factor.renamed': done('kind'),
  'link.added': done('upstream'),
  'link.removed': done('upstream'),
  'user.signed_up': done('upstream'),
  'groups.ignored': counted('upstream'),
  'remembered_device.added': done(),
  'remembered_device.removed': done(),
  'remembered_device.copied': counted(),
  'recovery_codes.created': done(),
  'recovery_codes.used': done('left'),
  'passkey.counter': counted(),
  'invitation.created': done('mailed'),
  'invitation.used': done(),
  'recovery.started': done('by'),
  'recovery.password_set': done(),
  'recovery.completed': done(),
  'recovery.refused': refused('reason', 'limit'),
  'recovery.requested': counted('until'),
  'recovery.cancelled': done('reason'),
  'address.requested': done(),
  'address.removed': done(),
  'address.added': done(),
  'address.changed': done(),
  'address.verified': done(),
  'address.undone': done(),
  'address.refused': refused('reason'),
  'signup.started': counted(),
  'signup.completed': done(),
  'abuse.refused': refused('action', 'answer'),
  'terms.accepted': done('version'),
  'account.password_reset': done(),
  'password.refused': refused('reason'),
  'password.unchecked': done(),
  'mail.throttled': refused('mail', 'limit'),
  'mail.sent': inAll('mail', 'attempts'),
  'mail.failed': counted('mail', 'attempts', 'reason'),
  'account.refused': refused('reason', 'limit', 'action'),
  'request.refused': refused('route', 'error', 'reason'),
  'server.error': refused('route'),
}

/** With these reasons, the client_id is what was sent, and no client has it: it may be a secret. */
const OF_NO_CLIENT = new Set(['unknown_client', 'malformed_authorization_header'])

export interface EventParts {
  sub: string | null
  client_id: string | null
  address: string | null
  /** The fields that are kept. */
  data: Record<string, unknown>
}

/** What is kept of an event. */
export function partsOf(event: AnyEvent): EventParts {
  const values = event as unknown as Record<string, unknown>
  const reason = codeOf(values.reason)
  const data: Record<string, unknown> = {}
  for (const name of KEPT[event.type].fields)
    if (values[name] !== undefined) data[name] = name === 'reason' ? reason : values[name]
  const exp = event.type === 'client.authentication_failed' && expOf(event)
  if (exp) data.exp = exp
  return {
    sub: textOf(values.sub),
    client_id: OF_NO_CLIENT.has(`${reason}`) ? null : textOf(values.client_id),
    address: textOf(values.address),
    data,
  }
}

/** Of a client_assertion that had expired: its signature is checked before. */
const SENT_EXP = /^exp=(\d{1,12})(?:\.\d+)?, now=/
const expOf = ({ reason, sent }: { reason: string; sent: string | null }): number | null =>
  reason === 'assertion_expired' ? Number(SENT_EXP.exec(sent ?? '')?.[1] ?? 0) || null : null

const MAX_TEXT = 2048
const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= MAX_TEXT && isStorableText(value)
    ? value
    : null

/** Only codes: a free text may quote the answer of another server. */
const codeOf = (reason: unknown): unknown =>
  typeof reason !== 'string' || /^\w{1,64}$/.test(reason) ? reason : 'other'
