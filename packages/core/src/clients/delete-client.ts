/** Deletes a client with everything that it holds, of all users. */

import type { RealmContext } from '../realm/context.js'
import { longestTokenLifetime } from '../realm/realm.js'
import { type Client, type ClientSweep, isTombstone, type SweepStep } from '../storage/storage.js'
import { clientInput, clientRecord } from './client-input.js'

/** What the deletion of a client has ended, in numbers. */
export interface ClientDeletionReport {
  grants: number
  consents: number
  /** Epoch seconds: until then no client can be created with this id. */
  id_free_at: number
}

/**
 * How long the id stays taken after the last token of the client may have expired. For a day deliveries of its logout
 * tokens are tried again, and the lifetimes of tokens may have been longer until recently.
 */
const RESERVED_SECONDS = 86_400

/**
 * Null when there is no such client. From the first write on the client is refused, and all of its grants have ended; the sweep
 * only tidies up. Other servers may use its record for `client_cache` seconds more, so `finishDeletions` makes the sweep again
 * before the id is free. If the client is deleted already, its remaining records are deleted.
 */
export async function deleteClient(c: RealmContext, client_id: string): Promise<ClientDeletionReport | null> {
  const stored = await c.storage.clients.findStored(client_id)
  if (stored === null) return null
  const id_free_at = isTombstone(stored) ? (stored.expires_at ?? 0) : lastTokenEnd(c) + RESERVED_SECONDS
  const deleted = await c.storage.clients.delete(tombstoneOf(client_id, c.now(), id_free_at))
  const swept = await sweepClient(c, { client_id, before: id_free_at })
  if (deleted) c.emit({ type: 'client.deleted', client_id, ...swept })
  return { ...swept, id_free_at }
}

/** Tombstones that one run removes. */
const MAX_TOMBSTONES = 10

/**
 * Deletes what the clients of tombstones that are over have left: a server that still knew the record may have stored it,
 * or the process that deleted the client has died. Then the ids are free. Returns the number of tombstones.
 */
export async function finishDeletions(c: RealmContext): Promise<number> {
  const tombstones = await c.storage.clients.deleted(c.now(), MAX_TOMBSTONES)
  for (const { client_id, expires_at } of tombstones) {
    await sweepClient(c, { client_id, before: expires_at ?? 0 })
    await c.storage.clients.forget(client_id, c.now())
  }
  return tombstones.length
}

/** Consents first: without one, a request that is under way revokes the grant that it has stored. */
async function sweepClient(
  c: RealmContext,
  sweep: ClientSweep,
): Promise<{ grants: number; consents: number }> {
  const consents = await sweepAll(sweep, (step) => c.storage.consents.deleteOfClient(step))
  const grants = await sweepAll(sweep, (step) => c.storage.grants.revokeOfClient(step, c.now()))
  return { grants, consents }
}

async function sweepAll(sweep: ClientSweep, run: (step: ClientSweep) => Promise<SweepStep>): Promise<number> {
  let total = 0
  let next: string | null = null
  do {
    const step: SweepStep = await run(next === null ? sweep : { ...sweep, after: next })
    total += step.count
    next = step.next
  } while (next !== null)
  return total
}

/** The end of the last token without a grant that any server can have issued to a client. */
const lastTokenEnd = (c: RealmContext): number =>
  c.now() + c.storage.clients.seconds + longestTokenLifetime(c.realm.settings)

/**
 * What stays of a deleted client: its id. Every other field has its default, or is empty. Its mark reaches to the last second in
 * which the id is taken: so it also ends a grant that a server makes which still knows the record, or whose clock is ahead.
 */
function tombstoneOf(client_id: string, now: number, expires_at: number): Client {
  const input = clientInput.parse({ client_id, grant_types: [] })
  const record = clientRecord(input, { client_secret_hash: null, now })
  return { ...record, client_name: '', expires_at, revoked_at: now, not_before: expires_at - 1 }
}
