/** What happened, of a row, as a sentence. */

import type { AuditRow } from '@ostiary/audit'
import { dataOf, privateOf } from '@ostiary/audit/rows'

// Each has an event, and the change of a command.
const CONSENT_WITHDRAWN = 'The consent was withdrawn'
const KEY_WITHDRAWN = 'A signing key was withdrawn'

/** Of a change of `disabled_at`, as far as the row has not been erased. */
function stateOf(row: AuditRow): string | null {
  const { before, after } = privateOf(row)
  if (row.type !== 'user.update') return null
  if (after?.disabled_at !== undefined) return 'The user was disabled'
  return before?.disabled_at === undefined ? null : 'The user was enabled again'
}

// By the API or a command, by the configuration, by a program.
const CLIENT_CHANGED = 'A change of the client'

const SENTENCES: Readonly<Record<string, string>> = {
  'user.update': 'A change of the user',
  'client.update': CLIENT_CHANGED,
  'client.store': CLIENT_CHANGED,
  'client.ensure': CLIENT_CHANGED,
  'client.rotate_secret': 'The client got another secret',
  'authorization.requested': 'The application asked for access',
  'authorization.refused': 'The request of the application was refused',
  'access.denied': 'The user may not use the application',
  'client.authentication_failed': 'The application did not authenticate',
  'session.started': 'The user signed in',
  'session.raised': 'The user signed in again, or more strongly',
  'session.ended': 'The session ended',
  'login.refused': 'A sign-in was refused',
  'consent.approved': 'The user allowed access',
  'consent.denied': 'The user denied access',
  'consent.revoked': CONSENT_WITHDRAWN,
  'consent.revoke': CONSENT_WITHDRAWN,
  'code.issued': 'The application got a code',
  'code.replayed': 'A used code was sent again: its tokens are revoked',
  'token.issued': 'The application got tokens',
  'token.revoked': 'The application revoked a token',
  'refresh_token.reused': 'A used refresh token was sent again: the grant is revoked',
  'grant.revoked': 'What the application had got was revoked',
  'key.revoked': KEY_WITHDRAWN,
  'key.revoke': KEY_WITHDRAWN,
  'request.refused': 'The request was refused',
  'bearer.refused': 'An access token was refused',
  'account.refused': 'An account form was refused',
  'server.error': 'The server failed: see its log, by the id of the request',
  'audit.dropped': 'More refusals of this minute were only counted',
}

/** A type without a sentence is its own one. @param repeats Whether the row before has told the reason. */
export function sentenceOf(row: AuditRow, repeats = false): string {
  const { type, outcome, count } = row
  const { reason, route, fields, limit, used_method, kid } = dataOf(row)
  const state = repeats ? 'For that reason the same request was refused' : stateOf(row)
  const others = Array.isArray(fields) ? fields.filter((name) => !state || name !== 'disabled_at') : []
  const ends = {
    done: '',
    begun: ', and it is not known whether that was done',
    failed: ', and was not done',
    refused: '',
  }
  const from = privateOf(row).address === undefined ? '' : ', from one address'
  return [
    state ?? SENTENCES[type] ?? type,
    ends[outcome],
    ...(others.length > 0 ? [`: ${others.join(', ')}`] : []),
    ...(typeof kid === 'string' ? [` (kid ${kid})`] : []),
    ...(reason === undefined || repeats
      ? []
      : [` (${reason}${typeof limit === 'string' ? `, limit ${limit}` : ''})`]),
    ...(typeof used_method === 'string' ? [`, with ${used_method}`] : []),
    ...(typeof route === 'string' ? [` at ${route}`] : []),
    ...(count > 1 ? [`, ${count} times in that minute${from}`] : []),
  ].join('')
}
