/** Limits of the times of clients' documents, in seconds. */

/** The longest time for which a document is used without asking its host, even if the host allows more. */
export const MAX_FRESHNESS_SECONDS = 86_400
/** How long a record is stored after its document was last fetched. */
export const STORED_DOCUMENT_SECONDS = 90 * 86_400
