/**
 * The stored documents of clients: written only when a user has used the client, so that a stranger cannot fill the storage.
 * They are what other servers know, and a server after its restart.
 */

import type { RealmContext } from '../context.js'
import type { ClientDocuments } from '../documents/client-documents.js'
import { DocumentError } from '../documents/document-error.js'
import { STORED_DOCUMENT_SECONDS } from '../documents/lifetimes.js'
import { consentedPart } from '../protocol/document-change.js'
import type { Client, ClientDocument } from '../storage.js'

/** The record, which is in memory then too, unless a newer document is there. Null: there is none. */
export async function loadStoredDocument(
  c: RealmContext,
  documents: ClientDocuments,
  client_id: string,
): Promise<ClientDocument | null> {
  const row = await findRecord(c, client_id)
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

async function findRecord(c: RealmContext, client_id: string): Promise<ClientDocument | null> {
  const row = await c.storage.client_documents.find(client_id)
  return row !== null && row.expires_at > c.now() ? row : null
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
export async function consentsCountFrom(c: RealmContext, client: Client): Promise<number | null> {
  const documents = documentsOf(c, client)
  if (documents === null) return 0
  const row = await findRecord(c, client.client_id)
  const stored = row && parsed(documents, row)
  const is_same = stored !== null && consentedPart(stored.client) === consentedPart(client)
  return row !== null && is_same ? row.changed_at : null
}

/** Stores the document of this client, if it is newer than the stored one; null when there is nothing to store. */
export function renewStoredDocument(c: RealmContext, client: Client): Promise<void> | null {
  const documents = documentsOf(c, client)
  const document = documents && currentDocument(documents, client)
  if (documents === null || document === null || documents.stored.has(document)) return null
  return consentsCountFrom(c, client).then((since) => storeDocument(c, client, since ?? c.now()))
}

/** @param changed_at From when on a consent counts. */
export async function storeDocument(c: RealmContext, client: Client, changed_at: number): Promise<void> {
  const documents = documentsOf(c, client)
  const cached = documents && currentDocument(documents, client)
  if (documents === null || cached === null) return
  const { value, etag, last_modified, fetched_at, fresh_until } = cached
  await c.storage.client_documents.put({
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

const documentsOf = (c: RealmContext, { origin }: Client): ClientDocuments | null =>
  origin === 'metadata_document' ? c.client_documents : null
