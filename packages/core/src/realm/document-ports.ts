/** The interface by which documents of clients are read. */

/** A document that `FetchDocument` has read. */
export interface FetchedDocument {
  status: number
  headers: Headers
  body: Uint8Array<ArrayBuffer>
}

/** How `FetchDocument` reads a document. */
export interface DocumentRequest {
  /** A longer document is refused. */
  max_bytes: number
  /** The `Accept` header. */
  accept: string
  /** Further headers: `If-None-Match` and `If-Modified-Since` (RFC 9110 §13.1). */
  headers?: Readonly<Record<string, string>>
}

/**
 * Reads a document from an address that an operator or a client chose. An implementation must reach public addresses only,
 * connect to the address that it has checked, follow no redirect, send no cookies, and bound the time and the size; it
 * rejects otherwise, with a code as the message.
 */
export type FetchDocument = (url: string, options: DocumentRequest) => Promise<FetchedDocument>
