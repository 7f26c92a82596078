/** Events as log lines: only fields that are listed here are written, so an event cannot bring a secret along. */

import type { OidcEvent } from '@ostiary/core'
import type { IdentityEvent } from '@ostiary/identity'
import { errorFields, type Fields, type Level, type Log } from './log.js'

type AnyEvent = OidcEvent | IdentityEvent

const FIELDS: Record<AnyEvent['type'], readonly string[]> = {
  'authorization.requested': ['client_id', 'sub', 'outcome'],
  'authorization.refused': ['client_id', 'error', 'reason'],
  'consent.approved': ['client_id', 'sub', 'scopes', 'resource'],
  'consent.denied': ['client_id', 'sub'],
  'consent.revoked': ['client_id', 'sub', 'resource'],
  'code.issued': ['client_id', 'sub', 'grant_id'],
  'code.replayed': ['client_id', 'sub', 'grant_id'],
  'refresh_token.reused': ['client_id', 'sub', 'grant_id'],
  'token.issued': ['client_id', 'grant_type', 'sub', 'grant_id', 'scopes', 'audience'],
  'token.revoked': ['client_id', 'grant_id'],
  'client.authentication_failed': ['client_id', 'reason'],
  'client.registered': ['client_id', 'client_name'],
  'client.created': ['client_id', 'client_name'],
  'client.revoked': ['client_id'],
  'client.secret_rotated': ['client_id'],
  'bearer.refused': ['error', 'reason'],
  'grant.revoked': ['sub', 'client_id', 'grants'],
  'session.started': ['sub', 'sid', 'amr'],
  'session.ended': ['sub', 'sid', 'reason'],
  'logout.delivered': ['client_id', 'sid', 'attempts'],
  'logout.failed': ['client_id', 'sid', 'attempts', 'reason', 'next_attempt_at'],
  'key.created': ['kid', 'signs_from'],
  'key.retired': ['kid'],
  'key.revoked': ['kid'],
  'login.refused': ['reason', 'client_id', 'sub', 'address'],
  'account.password_changed': ['sub', 'sid', 'address'],
  'account.refused': ['reason', 'action', 'sub', 'address'],
  'request.refused': ['route', 'error', 'reason'],
  'server.error': ['route'],
}

const LEVELS: Partial<Record<AnyEvent['type'], Level>> = {
  'code.replayed': 'warn',
  'refresh_token.reused': 'warn',
  'client.authentication_failed': 'warn',
  'login.refused': 'warn',
  'logout.failed': 'warn',
  'account.refused': 'warn',
  'server.error': 'error',
}

/** Takes the events of core and of identity. */
export function eventLog(log: Log): (event: AnyEvent) => void {
  return (event) => {
    const values = event as AnyEvent & Fields
    const fields: Fields = { event: event.type, realm: event.realm }
    for (const name of FIELDS[event.type] ?? [])
      if (values[name] !== undefined) fields[name] = bounded(values[name])
    if (event.type === 'server.error') Object.assign(fields, errorFields(event.cause))
    log[LEVELS[event.type] ?? 'info'](event.type, fields)
  }
}

/** Some fields are as a client sent them. */
const bounded = (value: unknown): unknown =>
  typeof value === 'string' && value.length > 512 ? `${value.slice(0, 512)}…` : value
