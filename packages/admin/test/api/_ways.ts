/** Records of how a user gets in, and rows of the audit. */

import type { AuditRow } from '@ostiary/audit'
import { personTag, sha256 } from '@ostiary/core'
import type { Factor, Link, Ticket } from '@ostiary/identity'
import { ISSUER } from '@ostiary/test-kit/world'
import type { Place } from './_place.ts'

export const factor = (sub: string, kind: Factor['kind'] = 'totp', id = kind): Factor => ({
  factor_id: `${id}-of-${sub}`,
  sub,
  kind,
  label: `The ${kind}`,
  created_at: 1,
  last_used_at: null,
  state: kind === 'recovery' ? '["hash-one","hash-two"]' : '0',
  data: kind === 'passkey' ? PASSKEY : { secret: 'sealed' },
})

const PASSKEY = {
  rp_id: new URL(ISSUER).hostname,
  credential_id: 'sealed',
  aaguid: 'sealed',
  public_key: 'sealed',
  user_handle: 'sealed',
  algorithm: -7,
  backup_eligible: false,
  transports: [],
}

export const link = (sub: string, upstream = 'google'): Link => ({
  issuer: `https://${upstream}.example.com`,
  subject: `${sub}-there`,
  upstream,
  sub,
  label: `${sub}@${upstream}.example.com`,
  linked_at: 1,
  last_used_at: null,
})

/** Adds the records to the user, as a sign-in would. */
export async function withWays(
  { people, w }: Place,
  { realm, sub }: { realm: string; sub: string },
  { factors = [], links = [] }: { factors?: readonly Factor[]; links?: readonly Link[] },
): Promise<void> {
  const version = async () => {
    const user = await people.users(realm).find(sub)
    return { credential_version: user?.credential_version ?? 0, now: w.clock.now }
  }
  if (factors.length > 0) await people.factors(realm).change({ sub, add: factors }, await version())
  for (const each of links) await people.links(realm).add(each, await version())
}

/** A ticket of the user as it is now. */
export async function withTicket(
  { people, w }: Place,
  { realm, sub }: { realm: string; sub: string },
  purpose: Ticket['purpose'],
): Promise<Ticket> {
  const user = await people.users(realm).find(sub)
  const ticket = {
    ticket_hash: sha256(`${purpose} ${sub}`) + personTag(sub),
    purpose,
    sub,
    credential_version: user?.credential_version ?? 0,
    created_at: w.clock.now,
    expires_at: w.clock.now + 600,
  }
  await people.tickets(realm).put(ticket)
  return ticket
}

export const auditRow = (realm: string, audit_id: string, more: Partial<AuditRow> = {}): AuditRow => ({
  realm,
  audit_id,
  time: 1,
  type: 'user.update',
  outcome: 'done',
  actor: 'sub:ann',
  sub: 'bob',
  client_id: null,
  flow: null,
  refs: [],
  count: 1,
  data: '{"fields":["claims"]}',
  private: null,
  salt: null,
  private_hash: null,
  seal: null,
  place: null,
  hash: null,
  ...more,
})

/** A client that has its metadata in a document. */
export const DOCUMENT = 'https://app.example.com/client.json'

/** Stores the document, as a sign-in with the client would. */
export async function withDocument({ w }: Place, realm: string): Promise<void> {
  await w.storage(realm).client_documents.put({
    client_id: DOCUMENT,
    document: JSON.stringify({ client_id: DOCUMENT, redirect_uris: ['https://app.example.com/callback'] }),
    etag: null,
    last_modified: null,
    fetched_at: w.clock.now,
    fresh_until: w.clock.now + 60,
    changed_at: w.clock.now,
    expires_at: w.clock.now + 3600,
  })
}

/** A row of a change that can be set back: a user who had a group has none. */
export const changeRow = (realm: string, audit_id: string, more: Partial<AuditRow> = {}): AuditRow =>
  auditRow(realm, audit_id, {
    data: '{"fields":["groups"]}',
    private: '{"before":{"groups":["staff"]},"after":{}}',
    salt: 'the-salt',
    private_hash: 'the-hash',
    ...more,
  })
