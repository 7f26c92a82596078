/** Who may use a client: its `allowed_groups` and `required_acr`. */

import type { RefusalReason } from '../refusals/hints.js'
import type { Client } from '../storage/storage.js'
import { reachesAcr } from './acr.js'
import type { Account } from './ports.js'
import type { Realm } from './realm.js'

type ClientRule = 'groups' | 'acr'

export const RULE_REASONS: Readonly<Record<ClientRule, RefusalReason>> = {
  groups: 'user_in_no_allowed_group',
  acr: 'sign_in_below_required_acr',
}

/** The rule of the client that the user does not meet, who has signed in with this `acr`; null: the user may use it. */
export function brokenRule(
  { settings }: Realm,
  client: Client,
  { user, acr }: { user: Account; acr: string | null },
): ClientRule | null {
  // A storage of the application may have records without these members.
  const { allowed_groups, required_acr } = client
  if (allowed_groups && !isInOneOf(user, new Set(allowed_groups))) return 'groups'
  return reachesAcr(required_acr, acr, settings) ? null : 'acr'
}

function isInOneOf({ attributes }: Account, allowed: ReadonlySet<unknown>): boolean {
  const groups = attributes?.groups
  return Array.isArray(groups) && groups.some((group) => allowed.has(group))
}
