/** Stored consent: which requests it covers. */

import type { Client, Consent } from '../storage.js'
import { includesAll } from './scope.js'

/** Live rows cover every scope in play at every resource. */
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

/** Trusted first-party clients and those with `consent_required` false never see the view and store no consent. */
export const needsNoConsent = (client: Client): boolean => client.trusted || !client.consent_required
