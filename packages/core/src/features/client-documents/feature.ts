import { ConfigError, type ConfigFault } from '../../config/config-error.js'
import type { Feature } from '../feature.js'
import { clientsWithDocuments } from './clients.js'
import { metadataDocuments } from './documents.js'

/** A realm of a look-up function is checked when it is first used. */
export const missingFetchDocument: ConfigFault = {
  path: 'fetch_document',
  message:
    'missing; oidc.clients.metadata_documents.enabled needs a function that reads documents from public addresses, such as guardedDocuments() of @ostiary/host',
}

export const clientDocuments: Feature = {
  spec: 'OAuth Client ID Metadata Document',
  enabled: ({ settings }) => settings.clients.metadata_documents.enabled,
  metadata: () => ({ client_id_metadata_document_supported: true }),
  clients(clients, { realm, storage, fetch_document, budgets, now }) {
    if (fetch_document === null) throw new ConfigError(missingFetchDocument)
    const documents = metadataDocuments(realm, { fetch_document, budgets, now })
    const { client_documents: store, throttle } = storage
    return clientsWithDocuments(clients, { realm, documents, store, throttle, now })
  },
}
