/** Whether the user of a grant may still use its client, by the rules of the client and the groups of the user as they are now. */

import { invalidGrant } from '../http/errors.js'
import { brokenRule, RULE_REASONS } from '../realm/access.js'
import type { RealmContext } from '../realm/context.js'
import type { Account } from '../realm/ports.js'
import type { Client, Grant } from '../storage/storage.js'

export interface HeldGrant {
  client: Client
  user: Account
  grant: Grant
}

/** Revokes the grant of a user who may not use its client any more. @throws OAuthError `invalid_grant` */
export function requireAccess(c: RealmContext, held: HeldGrant): Promise<void> | null {
  return brokenRule(c.realm, held.client, { user: held.user, acr: held.grant.acr }) && endAccess(c, held)
}

async function endAccess(c: RealmContext, held: HeldGrant): Promise<void> {
  await c.storage.grants.revoke({ grant_id: held.grant.grant_id }, c.now())
  requireClientAccess(c, held)
}

/** The same for another client that gets tokens from the grant: that one goes on. @throws OAuthError `invalid_grant` */
export function requireClientAccess(c: RealmContext, { client, user, grant: { sub, acr } }: HeldGrant): void {
  const rule = brokenRule(c.realm, client, { user, acr })
  if (rule === null) return
  c.emit({ type: 'access.denied', client_id: client.client_id, sub, rule })
  throw invalidGrant(RULE_REASONS[rule])
}
