/** The record of a client's metadata document from a file. The document itself is checked whenever it is read. */

import * as z from 'zod'
import { formatConfigFault } from '../config/config-error.js'
import { configFaults } from '../config/faults.js'
import { type ClientDocument, isStorableText } from '../storage/storage.js'
import { utf8 } from '../util/base64url.js'
import { clientIdUrlFault, isClientIdUrl } from '../util/client-id-url.js'
import { readBy } from '../util/schema-text.js'
import { parseUniqueJson } from '../util/unique-json.js'

const MAX_DOCUMENT_BYTES = 5_120
const MAX_VALIDATOR_CHARACTERS = 8_192

const text = z.string().refine(isStorableText, 'it holds a NUL or half of a surrogate pair')
const validator = text.max(MAX_VALIDATOR_CHARACTERS).nullable()
const seconds = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER)

const clientDocument = z.strictObject({
  client_id: z.string().superRefine((client_id, context) => {
    const fault = isClientIdUrl(client_id) ? clientIdUrlFault(client_id) : 'is no https URL'
    if (fault !== null) context.addIssue(`it ${fault}`)
  }),
  document: text.refine(
    (json) => utf8(json).length <= MAX_DOCUMENT_BYTES,
    `it is longer than ${MAX_DOCUMENT_BYTES} bytes`,
  ),
  etag: validator,
  last_modified: validator,
  fetched_at: seconds,
  fresh_until: seconds,
  changed_at: seconds,
  expires_at: seconds,
})

/**
 * The record to store, or what is wrong with it, as a clause.
 * @param record Of JSON: any value.
 */
export function importedClientDocument(record: unknown): ClientDocument | string {
  const parsed = readBy(clientDocument, record)
  if (!parsed.success) return configFaults(parsed.error, '').map(formatConfigFault).join('; ')
  const { client_id, document } = parsed.data
  return describes(document, client_id) ? parsed.data : 'document: it is not a document of this client_id'
}

function describes(document: string, client_id: string): boolean {
  try {
    return (parseUniqueJson(document) as { client_id?: unknown } | null)?.client_id === client_id
  } catch {
    return false
  }
}
