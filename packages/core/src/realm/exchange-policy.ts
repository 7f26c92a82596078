/** The default policy of the token exchange grant (RFC 8693); an application can replace it. */

import { OAuthError } from '../http/errors.js'
import { normalizeResource } from '../util/resource-uri.js'
import type { ExchangeRequest } from './ports.js'
import { findResource } from './realm.js'
import { includesAll, isAssignedAt, parseAssignment } from './scope.js'

/**
 * The client must be the subject token's client, or the token must be addressed to it, and the target audience must be in
 * its `allowed_exchange_audiences`. For an audience of the subject token, the client gets scopes of that token. For another one it
 * gets the realm's scopes of the token, and those of the target that the client's own record assigns.
 * @throws OAuthError `access_denied`, `invalid_target`, `invalid_scope`
 */
export async function defaultExchangePolicy(request: ExchangeRequest): Promise<{ scopes: string[] }> {
  const { client, subject, addressed, audience, owned_scopes, requested_scopes } = request
  if (subject.claims.client_id !== client.client_id && !addressed)
    throw new OAuthError(
      'access_denied',
      'The subject token was neither issued to this client nor addressed to it: oidc.resources.<key>.clients names the clients that are an API',
      { status: 400, reason: 'foreign_subject_token' },
    )
  const isTarget = (allowed: string) => normalizeResource(allowed) === normalizeResource(audience)
  if (!client.allowed_exchange_audiences.some(isTarget))
    throw new OAuthError('invalid_target', 'This client may not request this audience', {
      reason: 'audience_not_allowed',
    })
  const keepsAudience = subject.audience.some(isTarget)
  const newScopes = keepsAudience ? null : newAudienceScopes(request)
  const grantable = newScopes?.grantable ?? subject.scopes
  const scopes = requested_scopes ?? newScopes?.by_default ?? subject.scopes
  if (!includesAll(grantable, scopes))
    throw new OAuthError(
      'invalid_scope',
      'An exchange can narrow the scope of the subject token, not widen it',
    )
  return { scopes: keepsAudience ? scopes.filter((scope) => owned_scopes.includes(scope)) : [...scopes] }
}

/** The scopes for an audience that the subject token does not have. */
function newAudienceScopes({ realm, client, subject, audience }: ExchangeRequest) {
  const realmScopes = subject.scopes.filter((scope) => realm.scopes.realm.has(scope))
  const target = findResource(realm, audience)?.resource ?? null
  const assigned = (entries: readonly string[] | null) =>
    (entries ?? []).flatMap((entry) => {
      const { scope } = parseAssignment(entry)
      return target !== null && isAssignedAt(target, entry, scope) ? [scope] : []
    })
  const by_default = [...new Set([...realmScopes, ...assigned(client.default_scopes)])]
  return { by_default, grantable: [...by_default, ...assigned(client.optional_scopes)] }
}
