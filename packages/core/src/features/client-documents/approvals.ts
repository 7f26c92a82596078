/**
 * How many clients with a document one user brings into use. Documents in use have budgets of their own, which one user's clients
 * must not use up: 30 documents whose hosts fail cause at most 30 requests a minute, a quarter of those of a realm, once the
 * waiting time after a failure has grown to a minute.
 */

import { STORED_DOCUMENT_SECONDS } from '../../documents/lifetimes.js'
import { OAuthError } from '../../http/errors.js'
import type { Throttle } from '../../storage/storage.js'

/** In the time for which a document is stored. */
const MAX_APPROVED_CLIENTS = 30

/**
 * Counts a client that the user approves for the first time.
 * @param now Epoch seconds.
 * @throws OAuthError `temporarily_unavailable`
 */
export async function countApproval(throttle: Throttle, sub: string, now: number): Promise<void> {
  const approved = await throttle.hit(`document-clients:${sub}`, STORED_DOCUMENT_SECONDS, now)
  if (approved > MAX_APPROVED_CLIENTS)
    throw new OAuthError(
      'temporarily_unavailable',
      `This user has allowed ${MAX_APPROVED_CLIENTS} applications with a metadata document in the last 90 days`,
      { reason: 'many_document_clients' },
    )
}
