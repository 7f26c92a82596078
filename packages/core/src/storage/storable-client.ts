/** What adapters check of a client before they store it, the same in all of them. */

import type { Client } from './client-records.js'

/** Whether every database can store this text: it has no NUL and no half of a surrogate pair. */
export const isStorableText = (text: string): boolean => !/[\0\p{Cs}]/u.test(text)

/** @throws TypeError for a client of a metadata document, and for a text that PostgreSQL would refuse: the same in all adapters. */
export function requireStorableClient({ client_id, client_name, jwks, origin }: Client): void {
  if (origin === 'metadata_document')
    throw new TypeError(`${client_id} has a metadata document, and is stored as a ClientDocument`)
  const kids = jwks?.keys.map(({ kid }) => String(kid)) ?? []
  if (![client_name, ...kids].every(isStorableText))
    throw new TypeError(`The client_name or a kid of ${client_id} holds a NUL or half of a surrogate pair`)
}

/**
 * Whether the record is the tombstone of a deleted client, which keeps its id until every token of
 * the client has expired. Any other client with an `expires_at` has registered itself.
 */
export const isTombstone = ({ revoked_at, expires_at, origin }: Client): boolean =>
  revoked_at !== null && expires_at !== null && origin !== 'registered'
