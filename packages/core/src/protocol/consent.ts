/** Which requests a stored consent covers, and which clients need none. */

import type { Client, Consent } from '../storage.js'
import { includesAll } from './scope.js'

/** Whether the rows that are not revoked cover every scope at every resource. */
export function consentCovers(
  rows: readonly Consent[],
  resources: readonly string[],
  scopes: readonly string[],
): boolean {
  return resources.every((resource) =>
    rows.some(
      (row) => row.resource === resource && row.revoked_at === null && includesAll(row.scopes, scopes),
    ),
  )
}

/** True for trusted clients and for `consent_required` false: the consent view is not shown and no consent is stored. */
export const needsNoConsent = (client: Client): boolean => client.trusted || !client.consent_required
