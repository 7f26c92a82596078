/** The subject token of a token exchange: whether it is good, which proof its exchange needs, and its actors (RFC 8693 §4.1). */

import { type AccessToken, BearerError, type DpopProof } from '@ostiary/resource-server'
import { invalidGrant, OAuthError } from '../../http/errors.js'
import type { Context, TokenRequester } from '../../realm/context.js'
import type { Account } from '../../realm/ports.js'
import { isClientOfAudience, type Realm } from '../../realm/realm.js'
import type { Client } from '../../storage/storage.js'
import { tokenOrigin } from '../../tokens/access-token.js'
import { presentedPrincipal } from '../../tokens/bearer-token.js'
import { requireClientAccess } from '../../tokens/grant-access.js'
import { bindingFault, boundKeyOf } from '../../tokens/issue-tokens.js'
import { normalizeResource } from '../../util/resource-uri.js'

/** `user` is null for a token without a user. */
export async function subjectToken(
  c: Context,
  value: string,
): Promise<{ token: AccessToken; user: Account | null }> {
  try {
    const principal = await presentedPrincipal(c, value, { use: 'exchange' })
    return {
      token: principal.currentAccessToken(),
      user: principal.kind === 'client' ? null : principal.user,
    }
  } catch (error) {
    if (error instanceof BearerError) throw invalidGrant(`subject_token_${error.reason}`)
    throw error
  }
}

/**
 * Whether the user may use the client that exchanges the token. That of the token and that of its grant were asked when it was checked.
 * @throws OAuthError `invalid_grant`
 */
export async function requireUse(
  c: Context,
  client: Client,
  { token: { claims }, user }: { token: AccessToken; user: Account },
): Promise<void> {
  if (claims.client_id === client.client_id || !(client.allowed_groups || client.required_acr)) return
  const { grant_id } = tokenOrigin(claims.jti) ?? {}
  const grant = grant_id ? await c.storage.grants.find(grant_id) : null
  if (grant === null) throw invalidGrant('revoked_grant')
  requireClientAccess(c, { client, user, grant })
}

/** Whether the token is addressed to the client: to its id, or to the API that it is. A public client is no API. */
export const isAddressedTo = (
  realm: Realm,
  { client, method }: TokenRequester,
  token: AccessToken,
): boolean =>
  token.audience.includes(client.client_id) ||
  (method !== 'none' && isClientOfAudience(realm, client, token.audience))

interface NewToken {
  /** Of the new token. */
  audience: string
  /** What the exchange policy says about it. */
  token_type: 'Bearer' | undefined
}

/**
 * The proof whose key the new token is bound to; null: it is a bearer token. A subject token that is bound to a key is exchanged
 * only with a proof of this key. An API that received it cannot make one: it authenticates, and brings a key of its own, for an
 * audience that the subject token does not have. The exchange policy may allow it a bearer token instead.
 * @throws OAuthError `invalid_grant`
 */
export function exchangeProof(
  realm: Realm,
  { requester, token }: { requester: TokenRequester; token: AccessToken },
  { audience, token_type }: NewToken,
): DpopProof | null {
  const { client, method, proof } = requester
  const is_api = token.claims.client_id !== client.client_id && isAddressedTo(realm, requester, token)
  const has_audience = token.audience.some((own) => normalizeResource(own) === normalizeResource(audience))
  const may_replace_key = is_api && method !== 'none' && !has_audience
  const is_proven = may_replace_key && (proof !== null || token_type === 'Bearer')
  const fault = is_proven ? null : bindingFault(boundKeyOf(token), requester)
  if (fault !== null) throw invalidGrant(`subject_token_${fault}`)
  return token_type === 'Bearer' ? null : proof
}

/** What fits into a token, and more than a chain of services has. */
const MAX_ACTORS = 8

/** `act`: who acts, and in it who has acted before. */
export interface Actor extends Record<string, unknown> {
  sub: string
  act?: Actor
}

/**
 * The `act` of a token that this client gets for one with `prior`. Each actor is named once, the newest first: what a client has
 * done before says no more about it than what it does now.
 * @throws OAuthError `invalid_grant` for more than 8 actors.
 */
export function actorsWith(client_id: string, prior: unknown): Actor {
  const names = [client_id, ...namesIn(prior).filter((name) => name !== client_id)]
  if (names.length > MAX_ACTORS)
    throw new OAuthError(
      'invalid_grant',
      `The subject token has passed through ${MAX_ACTORS} clients already`,
      {
        reason: 'too_many_actors',
      },
    )
  const [first = client_id, ...others] = names
  const earlier = others.reduceRight<Actor | undefined>(
    (act, sub) => (act ? { sub, act } : { sub }),
    undefined,
  )
  return earlier ? { sub: first, act: earlier } : { sub: first }
}

function namesIn(act: unknown): string[] {
  const names = new Set<string>()
  for (let actor = act as Partial<Actor> | undefined; actor !== undefined; actor = actor.act)
    if (actor.sub !== undefined) names.add(actor.sub)
  return [...names]
}
