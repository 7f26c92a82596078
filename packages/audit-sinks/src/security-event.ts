/** Security Event Tokens (RFC 8417), pushed as RFC 8935 says. */

import type { AuditRow } from '@ostiary/audit'
import type { SecurityEvent } from '@ostiary/core'
import { payloadOf } from './payload.js'
import type { OutboundMessage } from './webhook.js'

/** What a type of row begins with as the URI of an event. */
const EVENT_URI = 'urn:ostiary:audit:'

/** The keys of a realm: `manage(realm).keys`. */
export interface EventKeys {
  signEvent(event: SecurityEvent): Promise<string>
}

export async function securityEventOf(
  row: AuditRow,
  { url, keys }: { url: string; keys: EventKeys },
): Promise<OutboundMessage> {
  const payload = payloadOf(row)
  const { request_id } = payload.data
  const body = await keys.signEvent({
    aud: url,
    jti: row.audit_id,
    toe: row.time,
    ...(typeof request_id === 'string' && { txn: request_id }),
    events: { [`${EVENT_URI}${row.type}`]: payload },
  })
  const headers = { 'content-type': 'application/secevent+jwt', accept: 'application/json' }
  return { headers, body }
}

/** RFC 8935 §2.4. A receiver may send others, which are not repeated: a log has no text of a stranger. */
const ERRORS = [
  'invalid_request',
  'invalid_key',
  'invalid_issuer',
  'invalid_audience',
  'authentication_failed',
  'access_denied',
]

/** Why a receiver refuses a token, as a code; null when its answer does not tell. @param text The body of a 400. */
export function refusalIn(text: string): string | null {
  try {
    const { err } = JSON.parse(text) as { err?: unknown }
    return ERRORS.find((code) => code === err) ?? null
  } catch {
    return null
  }
}
