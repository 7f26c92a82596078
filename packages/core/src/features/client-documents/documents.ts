/** The metadata documents of one realm's clients. */

import {
  type CachedDocument,
  type DocumentCache,
  documentCache,
  parsedJson,
} from '../../documents/document-cache.js'
import type { FetchBudgets } from '../../documents/fetch-budgets.js'
import type { FetchDocument } from '../../realm/ports.js'
import type { Realm } from '../../realm/realm.js'
import type { Client } from '../../storage/records.js'
import { clientOfDocument } from './metadata-document.js'

/** OAuth Client ID Metadata Document, "Metadata Document Size". */
const MAX_BYTES = 5_120
const MAX_DOCUMENTS = 1_000

/** A client, and the JSON text that describes it. */
export interface DocumentClient {
  client: Client
  text: string
}

export interface ClientDocuments extends DocumentCache<DocumentClient> {
  /** Reads the text of a stored document by the rules of today. @throws DocumentError */
  parse(text: string, client_id: string): DocumentClient
  /** The documents in memory that are stored as they are. */
  stored: WeakSet<CachedDocument<DocumentClient>>
}

export interface ClientDocumentsOptions {
  fetch_document: FetchDocument
  budgets: FetchBudgets
  now(): number
}

export function metadataDocuments(realm: Realm, options: ClientDocumentsOptions): ClientDocuments {
  const read = (json: unknown, { url, text }: { url: string; text: string }): DocumentClient => ({
    client: clientOfDocument(json, url, realm),
    text,
  })
  const cache = documentCache<DocumentClient>({
    ...options,
    realm: realm.id,
    max_bytes: MAX_BYTES,
    max_entries: MAX_DOCUMENTS,
    parse: read,
  })
  return {
    ...cache,
    parse: (text, url) => read(parsedJson(text), { url, text }),
    stored: new WeakSet(),
  }
}
