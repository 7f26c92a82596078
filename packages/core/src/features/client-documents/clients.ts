/** Clients whose client_id is the URL of their metadata: OAuth Client ID Metadata Document. Stored clients come first. */

import type { CachedDocument, FetchOutcome } from '../../documents/document-cache.js'
import { OAuthError } from '../../http/errors.js'
import type { ClientPurpose, ClientRequester, Clients } from '../../realm/clients.js'
import { DocumentError } from '../../refusals/document-error.js'
import type { Client } from '../../storage/storage.js'
import { clientIdUrlFault, isAllowedHost, isClientIdUrl } from '../../util/client-id-url.js'
import { countApproval } from './approvals.js'
import { consentedPart } from './consented-part.js'
import type { DocumentClient } from './documents.js'
import {
  consentsCountFrom,
  type DocumentSources,
  loadStoredDocument,
  renewStoredDocument,
  storeDocument,
} from './stored-documents.js'

/** Seconds. Clients that are refused at the token endpoint forget their tokens, so a host may be down for some days. */
const MAX_STALE = 7 * 86_400

interface DocumentRequest {
  client_id: string
  by: ClientRequester
}

/** The clients, and those that documents describe. */
export function clientsWithDocuments(clients: Clients, sources: DocumentSources): Clients {
  const isDescribed = ({ origin }: Client): boolean => origin === 'metadata_document'
  return {
    async find(client_id, purpose, by) {
      const stored = await clients.find(client_id, purpose, by)
      if (stored !== null || !isClientIdUrl(client_id)) return stored
      return findDescribed(sources, purpose, { client_id, by })
    },
    async shown(client_id) {
      const stored = await clients.shown(client_id)
      if (stored !== null || documentHost(client_id) === null) return stored
      if (sources.documents.peek(client_id) === null) await loadStoredDocument(sources, client_id)
      return sources.documents.peek(client_id)?.value.client ?? null
    },
    used: (client) => (isDescribed(client) ? renewStoredDocument(sources, client) : clients.used(client)),
    consentsFrom: (client) =>
      isDescribed(client) ? consentsCountFrom(sources, client) : clients.consentsFrom(client),
    firstApproval: (client, sub) =>
      isDescribed(client)
        ? countApproval(sources.throttle, sub, sources.now())
        : clients.firstApproval(client, sub),
    approved: (client, at) =>
      isDescribed(client) ? storeDocument(sources, client, at) : clients.approved(client, at),
    mark: (client) => (isDescribed(client) ? `.${consentedPart(client)}` : clients.mark(client)),
  }
}

function findDescribed(
  sources: DocumentSources,
  purpose: ClientPurpose,
  request: DocumentRequest,
): Promise<Client | null> {
  if (purpose === 'authorize') return currentClient(sources, request)
  return staleClient(sources, request, purpose === 'token')
}

/**
 * The client as its document describes it now.
 * @throws OAuthError `invalid_request` when the document is not usable; 429 when a budget is used up
 */
async function currentClient(sources: DocumentSources, request: DocumentRequest): Promise<Client> {
  const { client_id } = request
  try {
    checkUrl(sources, request)
    // Also when the document in memory is fresh: another server may have stored a newer one.
    const row = await loadStoredDocument(sources, client_id)
    const need = documentNeed(request, row !== null)
    return (await sources.documents.read(client_id, need)).value.client
  } catch (error) {
    throw error instanceof DocumentError ? documentRefusal(client_id, error) : error
  }
}

/** The reasons are a fixed list, and no message has a text of the document or an address. */
function documentRefusal(client_id: string, { reason, message }: DocumentError): OAuthError {
  const host = documentHost(client_id)
  const subject =
    host === null ? 'The client_id is not usable' : `The client metadata of ${host} is not usable`
  const description = message === reason ? `${subject}: ${reason}` : `${subject}: ${reason}: ${message}`
  return new OAuthError('invalid_request', description, { reason: `document_${reason}` })
}

/**
 * While its host is down, the document counts for 7 days.
 * @param may_fetch False: so does one that is stored or in memory, fresh or not, and its host is not asked.
 * @throws OAuthError 429 when a budget is used up
 */
async function staleClient(
  sources: DocumentSources,
  request: DocumentRequest,
  may_fetch: boolean,
): Promise<Client | null> {
  try {
    return (await staleDocument(sources, request, may_fetch))?.value.client ?? null
  } catch (error) {
    if (error instanceof DocumentError) return null
    throw error
  }
}

async function staleDocument(
  sources: DocumentSources,
  request: DocumentRequest,
  may_fetch: boolean,
): Promise<CachedDocument<DocumentClient> | null> {
  const { client_id } = request
  const { documents, now } = sources
  checkUrl(sources, request)
  const is_fresh = (documents.peek(client_id)?.fresh_until ?? 0) > now()
  const row = is_fresh ? null : await loadStoredDocument(sources, client_id)
  const known = documents.peek(client_id)
  if (!may_fetch) return known !== null && known.fetched_at + MAX_STALE > now() ? known : null
  const need = { ...documentNeed(request, row !== null), max_stale: MAX_STALE }
  return documents.readOrStale(client_id, need)
}

/** @throws DocumentError for a URL that is not fetched. */
function checkUrl({ realm }: DocumentSources, { client_id, by }: DocumentRequest): void {
  const fault = clientIdUrlFault(client_id)
  const { allowed_hosts } = realm.settings.clients.metadata_documents
  if (fault === null && isAllowedHost(new URL(client_id).hostname, allowed_hosts)) return
  const error =
    fault === null ? new DocumentError('host_not_allowed') : new DocumentError('invalid_url', fault)
  emitRefused(by, client_id, error)
  throw error
}

const documentNeed = ({ client_id, by }: DocumentRequest, is_used: boolean) => ({
  address: by.address,
  used_by: is_used ? ('users' as const) : ('none' as const),
  report: (outcome: FetchOutcome<DocumentClient>) => emitFetch(by, client_id, outcome),
})

function emitFetch(by: ClientRequester, client_id: string, outcome: FetchOutcome<DocumentClient>): void {
  if ('error' in outcome) emitRefused(by, client_id, outcome.error)
  else {
    const { document, previous } = outcome
    const changed = previous?.value.text !== document.value.text
    by.emit({ type: 'client_document.fetched', client_id, changed })
  }
}

function emitRefused(by: ClientRequester, client_id: string, { reason }: DocumentError): void {
  by.emit({ type: 'client_document.refused', host: documentHost(client_id), reason })
}

/** The host of a client_id whose URL may be fetched; null for any other, which may contain an address or a secret. */
const documentHost = (client_id: string): string | null =>
  clientIdUrlFault(client_id) === null ? new URL(client_id).hostname : null
