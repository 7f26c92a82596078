/**
 * The stored documents of clients: written only when a user has used the client, so that a stranger cannot fill the storage.
 * They are what other servers know, and a server after its restart.
 */

import { STORED_DOCUMENT_SECONDS } from '../../documents/lifetimes.js'
import type { Realm } from '../../realm/realm.js'
import { DocumentError } from '../../refusals/document-error.js'
import type { Client, ClientDocument, ClientDocumentStore, Throttle } from '../../storage/storage.js'
import { consentedPart } from './consented-part.js'
import type { ClientDocuments } from './documents.js'

/** Where the documents of a realm's clients are. */
export interface DocumentSources {
  realm: Realm
  /** In memory, and at their hosts. */
  documents: ClientDocuments
  /** In the storage. */
  store: ClientDocumentStore
  throttle: Throttle
  /** Epoch seconds. */
  now(): number
}

/** The record, which is in memory then too, unless a newer document is there. Null: there is none. */
export async function loadStoredDocument(
  sources: DocumentSources,
  client_id: string,
): Promise<ClientDocument | null> {
  const { documents } = sources
  const row = await findRecord(sources, client_id)
  const value = row && parsed(documents, row)
  if (row === null || value === null) return row
  const { etag, last_modified, fetched_at, fresh_until } = row
  const known = documents.peek(client_id)
  if (known !== null && known.fetched_at >= fetched_at) return row
  const document = { url: client_id, value, etag, last_modified, fetched_at, fresh_until }
  documents.add(document)
  documents.stored.add(document)
  return row
}

async function findRecord(
  { store, now }: DocumentSources,
  client_id: string,
): Promise<ClientDocument | null> {
  const row = await store.find(client_id)
  return row !== null && row.expires_at > now() ? row : null
}

/** Null for a document that is refused today, since the configuration has changed. */
function parsed(documents: ClientDocuments, { document, client_id }: ClientDocument) {
  try {
    return documents.parse(document, client_id)
  } catch (error) {
    if (error instanceof DocumentError) return null
    throw error
  }
}

/**
 * From when on a user's consent to this client counts, in epoch seconds. Null: no consent counts, since the document now names
 * other redirect hosts or other authentication methods than the stored one, or none is stored.
 */
export async function consentsCountFrom(sources: DocumentSources, client: Client): Promise<number | null> {
  const row = await findRecord(sources, client.client_id)
  const stored = row && parsed(sources.documents, row)
  const is_same = stored !== null && consentedPart(stored.client) === consentedPart(client)
  return row !== null && is_same ? row.changed_at : null
}

/** Stores the document of this client, if it is newer than the stored one; null when there is nothing to store. */
export function renewStoredDocument(sources: DocumentSources, client: Client): Promise<void> | null {
  const { documents, now } = sources
  const document = currentDocument(documents, client)
  if (document === null || documents.stored.has(document)) return null
  return consentsCountFrom(sources, client).then((since) => storeDocument(sources, client, since ?? now()))
}

/** @param changed_at From when on a consent counts. */
export async function storeDocument(
  { documents, store }: DocumentSources,
  client: Client,
  changed_at: number,
): Promise<void> {
  const cached = currentDocument(documents, client)
  if (cached === null) return
  const { value, etag, last_modified, fetched_at, fresh_until } = cached
  await store.put({
    client_id: client.client_id,
    document: value.text,
    etag,
    last_modified,
    fetched_at,
    fresh_until,
    changed_at,
    expires_at: fetched_at + STORED_DOCUMENT_SECONDS,
  })
  documents.stored.add(cached)
}

/** The document in memory that describes this very record. Null: another request has read a new one meanwhile. */
function currentDocument(documents: ClientDocuments, client: Client) {
  const cached = documents.peek(client.client_id)
  return cached?.value.client === client ? cached : null
}
