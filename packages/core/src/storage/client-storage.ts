/** The stores of clients: a part of the storage interface, which storage.ts describes. */

import type { Client, ClientDocument } from './client-records.js'

/**
 * One step through all records of a realm, for the records of one client. There is no index for it, so a step reads a limited
 * number of records, and locks only those that it changes.
 */
export interface ClientSweep {
  client_id: string
  /** Records from this time on belong to a later client with the same id. */
  before: number
  /** The `next` of the step before; absent in the first step. */
  after?: string
}

/** The result of one step. */
export interface SweepStep {
  /** How many records the step has changed. */
  count: number
  /** Where the next step begins; null when all records were read. */
  next: string | null
}

/** Clients. A revoked client stays stored, so that its id is never used again. */
export interface ClientStore {
  /** Tombstones included. */
  find(client_id: string): Promise<Client | null>
  /** False when the id is taken. @throws TypeError as `requireStorableClient`; `update` does so too. */
  create(client: Client): Promise<boolean>
  /**
   * ATOMIC. Replaces the record except `revoked_at`, `expires_at` and `not_before`. False when there is no such client, or when
   * the stored record differs from `expected` in any field.
   */
  update(client: Client, expected?: Client): Promise<boolean>
  /** ATOMIC. Replaces the secret's hash and nothing else. False when there is no such client, or it is revoked. */
  setSecret(client_id: string, client_secret_hash: string): Promise<boolean>
  /**
   * ATOMIC. Sets `expires_at` to null: a client that is in use is not deleted. False when there is no such client, or it is
   * revoked.
   */
  keep(client_id: string): Promise<boolean>
  /** The only operation that sets `revoked_at`. False when there is no such client, or it is revoked already. */
  revoke(client_id: string, now: number): Promise<boolean>
  /** Sorted by `client_id`, beginning after `after`, without tombstones. */
  list(page: { after?: string; limit: number }): Promise<Client[]>
  /** ATOMIC. Replaces the whole record by its tombstone. False when there is no such client, or it is a tombstone already. */
  delete(tombstone: Client): Promise<boolean>
  /** Tombstones whose `expires_at` has passed. `purge` does not delete them. */
  deleted(now: number, limit: number): Promise<Client[]>
  /** Deletes the tombstone if its `expires_at` has passed; nothing else. */
  forget(client_id: string, now: number): Promise<void>
}

/** Documents of clients whose id is a URL, by that URL. */
export interface ClientDocumentStore {
  find(client_id: string): Promise<ClientDocument | null>
  /** ATOMIC. Stores the record, unless one with a later `fetched_at` is stored. */
  put(document: ClientDocument): Promise<void>
  /** Sorted by `client_id`, beginning after `after`. */
  list(page: { after?: string; limit: number }): Promise<ClientDocument[]>
  /** False when there is no such record. */
  delete(client_id: string): Promise<boolean>
}
