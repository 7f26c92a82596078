/** The guard of the application that embeds the provider. */

import { createGuard, type Guard, type ScopeImplications, scopeCheck } from '@ostiary/resource-server'
import { type GuardPlace, guardDpop } from '../dpop/guard.js'
import { sentOf } from '../http/sent.js'
import type { RealmContext } from '../realm/context.js'
import type { EventDetails } from '../realm/events.js'
import { findClientResource, findResource, type Realm } from '../realm/realm.js'
import { hintFor } from '../refusals/hints.js'
import { type OidcPrincipal, presentedPrincipal, type TokenUse } from './bearer-token.js'

/** What a guard's challenges say; `resource_metadata` is the document of one resource, or the realm's root document. */
interface GuardChallenge {
  realm: string
  resource_metadata: string
}

/** The options of a guard that name scopes. */
export interface GuardScopes {
  /**
   * The scopes that a client should ask for first: the `scope` of the challenge of every 401 (RFC 6750 §3), which has none without
   * it. The challenge of a 403 names the scopes of the operation.
   */
  challenge_scopes?: readonly string[]
  /**
   * The scopes that a scope implies, directly or through others: `{ 'notes.write': ['notes.read'] }`. `tokenCan`,
   * `checkScopes` and `authenticate` honor it; the token's own list of scopes stays as it was issued.
   */
  implies?: ScopeImplications
}

export interface OidcGuardOptions {
  challenge: GuardChallenge
  scopes: GuardScopes
  context(): Promise<RealmContext>
  /** Epoch seconds. */
  now(): number
  place: GuardPlace
  /** Takes each refusal, with the request that was refused. */
  emit(event: EventDetails, request: Request): void
  use: TokenUse
  /** The resources whose tokens alone it accepts, by key or URI. */
  audience: readonly string[] | undefined
}

/** @throws TypeError for `challenge_scopes` or `implies` that are not valid. */
export function oidcGuard({
  challenge,
  scopes: { challenge_scopes, implies },
  context,
  now,
  place,
  emit,
  use,
  audience,
}: OidcGuardOptions): Guard<OidcPrincipal> {
  const covers = scopeCheck(implies)
  /** The order of the realm that has issued the principal's token: `checkAuthentication` does not wait for the realm. */
  const acr_orders = new WeakMap<OidcPrincipal, readonly string[]>()
  return createGuard<OidcPrincipal>({
    challenge,
    ...(challenge_scopes && { challenge_scopes }),
    now,
    dpop: async () => guardDpop(await context(), place),
    acr_order: (principal) => acr_orders.get(principal) ?? [],
    async validate(token) {
      const c = await context()
      const principal = await presentedPrincipal(c, token, {
        use,
        audience: audience?.map((name) => resourceUri(c.realm, name)),
        covers,
      })
      acr_orders.set(principal, c.realm.settings.acr_values_supported)
      return principal
    },
    on_refused: ({ code, reason }, request) => {
      const sent = sentOf({ request, params: null, now: now() }, reason)
      emit({ type: 'bearer.refused', error: code, reason, sent, hint: hintFor(reason) }, request)
    },
  })
}

/** A name that is no resource is compared as it is. */
const resourceUri = (realm: Realm, name: string): string =>
  (findClientResource(realm, name) ?? findResource(realm, name))?.uri ?? name
