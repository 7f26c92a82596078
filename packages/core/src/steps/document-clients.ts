/** Clients whose client_id is the URL of their metadata: OAuth Client ID Metadata Document. Stored clients come first. */

import type { Context, RealmContext } from '../context.js'
import type { ClientDocuments, DocumentClient } from '../documents/client-documents.js'
import type { CachedDocument, FetchOutcome } from '../documents/document-cache.js'
import { DocumentError } from '../documents/document-error.js'
import { clientIdUrlFault, isAllowedHost, isClientIdUrl } from '../protocol/client-id-url.js'
import type { Client } from '../storage.js'
import { loadStoredDocument } from './stored-documents.js'

/** Seconds. Clients that are refused at the token endpoint forget their tokens, so a host may be down for some days. */
const MAX_STALE = 7 * 86_400

/** Null when the client_id does not name a document, or the realm reads none. */
const documentsFor = (c: RealmContext, client_id: string): ClientDocuments | null =>
  isClientIdUrl(client_id) ? c.client_documents : null

/**
 * The client as its document describes it now.
 * @returns Null when the client_id does not name a document.
 * @throws DocumentError; OAuthError 429 when a budget is used up
 */
export async function documentClient(c: Context, client_id: string): Promise<Client | null> {
  const documents = documentsFor(c, client_id)
  if (documents === null) return null
  checkUrl(c, client_id)
  // Also when the document in memory is fresh: another server may have stored a newer one.
  const row = await loadStoredDocument(c, documents, client_id)
  const need = documentNeed(c, client_id, row !== null)
  return (await documents.read(client_id, need)).value.client
}

/**
 * A stored client, or one that a document describes. While its host is down, the document counts for 7 days.
 * @param may_fetch False: so does one that is stored or in memory, fresh or not, and its host is not asked.
 * @returns Null when there is none.
 * @throws OAuthError 429 when a budget is used up
 */
export async function clientOrStaleDocument(
  c: Context,
  client_id: string,
  may_fetch = true,
): Promise<Client | null> {
  const stored = await c.storage.clients.find(client_id)
  const documents = stored === null ? documentsFor(c, client_id) : null
  if (documents === null) return stored
  const found = staleDocument(c, documents, { client_id, may_fetch })
  return (await found)?.value.client ?? null
}

async function staleDocument(
  c: Context,
  documents: ClientDocuments,
  { client_id, may_fetch }: { client_id: string; may_fetch: boolean },
): Promise<CachedDocument<DocumentClient> | null> {
  try {
    checkUrl(c, client_id)
    const is_fresh = (documents.peek(client_id)?.fresh_until ?? 0) > c.now()
    const row = is_fresh ? null : await loadStoredDocument(c, documents, client_id)
    const known = documents.peek(client_id)
    if (!may_fetch) return known !== null && known.fetched_at + MAX_STALE > c.now() ? known : null
    const need = { ...documentNeed(c, client_id, row !== null), max_stale: MAX_STALE }
    return await documents.readOrStale(client_id, need)
  } catch (error) {
    if (error instanceof DocumentError) return null
    throw error
  }
}

/** For pages about clients in use: a stored client, or one with a document in memory or in the storage. Nothing is fetched. */
export async function shownClient(c: RealmContext, client_id: string): Promise<Client | null> {
  const stored = await c.storage.clients.find(client_id)
  const is_url = stored === null && documentHost(client_id) !== null
  const documents = is_url ? documentsFor(c, client_id) : null
  if (documents === null) return stored
  if (documents.peek(client_id) === null) await loadStoredDocument(c, documents, client_id)
  return documents.peek(client_id)?.value.client ?? null
}

/** @throws DocumentError for a URL that is not fetched. */
function checkUrl(c: Context, client_id: string): void {
  const fault = clientIdUrlFault(client_id)
  const { allowed_hosts } = c.realm.settings.clients.metadata_documents
  if (fault === null && isAllowedHost(new URL(client_id).hostname, allowed_hosts)) return
  const error =
    fault === null ? new DocumentError('host_not_allowed') : new DocumentError('invalid_url', fault)
  emitRefused(c, client_id, error)
  throw error
}

const documentNeed = (c: Context, client_id: string, is_used: boolean) => ({
  address: c.address,
  used_by: is_used ? ('users' as const) : ('none' as const),
  report: (outcome: FetchOutcome<DocumentClient>) => emitFetch(c, client_id, outcome),
})

function emitFetch(c: Context, client_id: string, outcome: FetchOutcome<DocumentClient>): void {
  if ('error' in outcome) emitRefused(c, client_id, outcome.error)
  else {
    const { document, previous } = outcome
    const changed = previous?.value.text !== document.value.text
    c.emit({ type: 'client_document.fetched', client_id, changed })
  }
}

function emitRefused(c: Context, client_id: string, { reason }: DocumentError): void {
  c.emit({ type: 'client_document.refused', host: documentHost(client_id), reason })
}

/** The host of a client_id whose URL may be fetched; null for any other, which may contain an address or a secret. */
export const documentHost = (client_id: string): string | null =>
  clientIdUrlFault(client_id) === null ? new URL(client_id).hostname : null
