/** The bearer-token guard of the application that embeds the provider. */

import { BearerError, createGuard, type Guard } from '@ostiary/resource-server'
import type { RealmContext } from '../context.js'
import type { EventDetails } from '../events.js'
import { activePrincipal, type OidcPrincipal, verifyOwnToken } from './bearer-token.js'

/** What a guard's challenges say; `resource_metadata` is the document of one resource, or the realm's root document. */
interface GuardChallenge {
  realm: string
  resource_metadata: string
}

export interface OidcGuardOptions {
  challenge: GuardChallenge
  context(): Promise<RealmContext>
  /** Takes each refusal, with the request that was refused. */
  emit(event: EventDetails, request: Request): void
  /** Also accepts tokens for external resources: for UserInfo (OpenID Connect Core §5.3). */
  external?: boolean
}

export function oidcGuard({
  challenge,
  context,
  emit,
  external = false,
}: OidcGuardOptions): Guard<OidcPrincipal> {
  return createGuard<OidcPrincipal>({
    challenge,
    validate: async (token) => validateBearer(await context(), token, external),
    on_refused: ({ code, reason }, request) => emit({ type: 'bearer.refused', error: code, reason }, request),
  })
}

async function validateBearer(c: RealmContext, token: string, external: boolean): Promise<OidcPrincipal> {
  const verified = await verifyOwnToken(c, token)
  const resources = c.realm.resources.filter((resource) => external || !resource.external)
  const accepted = [c.realm.issuer, ...resources.map(({ uri }) => uri)]
  if (!verified.audience.some((audience) => accepted.includes(audience)))
    throw new BearerError('invalid_token', 'wrong_audience')
  return activePrincipal(c, verified)
}
