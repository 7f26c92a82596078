/** Standard Webhooks 1.0: the headers and the body of a message. */

import type { AuditRow } from '@ostiary/audit'
import { payloadOf } from './payload.js'

/** A request to a receiver. */
export interface OutboundMessage {
  headers: Record<string, string>
  body: string
}

const PREFIX = 'whsec_'
const MIN_SECRET_BYTES = 24
const MAX_SECRET_BYTES = 64
/** The current one, and the one before or after it. */
const MAX_SECRETS = 2

const secretsIn = (text: string): string[] => text.split(' ').filter((part) => part !== '')

/** What is wrong with a secret, or with one of two. */
export function secretFault(text: string): string | null {
  const secrets = secretsIn(text)
  if (secrets.length === 0) return `it is empty: ${HOW}`
  if (secrets.length > MAX_SECRETS)
    return `there are ${secrets.length} secrets: give one, or two with a space between while it is being changed`
  const lengths = secrets.map((secret) => bytesOf(secret)?.length ?? null)
  if (lengths.includes(null)) return `it is not ${PREFIX} and base64: ${HOW}`
  const wrong = lengths.find(
    (length) => Number(length) < MIN_SECRET_BYTES || Number(length) > MAX_SECRET_BYTES,
  )
  if (wrong === undefined) return null
  return `it has ${wrong} bytes, and needs ${MIN_SECRET_BYTES} to ${MAX_SECRET_BYTES}: ${HOW}`
}
const HOW = `make one with: echo "${PREFIX}$(openssl rand -base64 32)"`

function bytesOf(secret: string): Uint8Array<ArrayBuffer> | null {
  const text = secret.slice(PREFIX.length)
  if (!secret.startsWith(PREFIX) || !/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) return null
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

interface Signing {
  secret: string
  /** Of the attempt, epoch seconds: a receiver refuses an old one. */
  now: number
}

/** The id is the same for each attempt, so that a receiver notices a second delivery. */
export async function webhookOf(row: AuditRow, { secret, now }: Signing): Promise<OutboundMessage> {
  const timestamp = new Date(row.time * 1000).toISOString()
  const body = JSON.stringify({ type: row.type, timestamp, data: payloadOf(row) })
  const signatures = await Promise.all(
    secretsIn(secret).map((each) => signatureOf(`${row.audit_id}.${now}.${body}`, each)),
  )
  const headers = {
    'content-type': 'application/json',
    'webhook-id': row.audit_id,
    'webhook-timestamp': String(now),
    'webhook-signature': signatures.join(' '),
  }
  return { headers, body }
}

const HMAC = { name: 'HMAC', hash: 'SHA-256' }

async function signatureOf(text: string, secret: string): Promise<string> {
  const bytes = bytesOf(secret) ?? new Uint8Array()
  const key = await crypto.subtle.importKey('raw', bytes, HMAC, false, ['sign'])
  const signature = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text))
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`
}
