/** The refresh token grant, with rotation and reuse detection: RFC 6749 §6, RFC 9700 §4.14.2. */

import type { DerivedKeys } from '../crypto/secrets.js'
import { invalidGrant, OAuthError } from '../http/errors.js'
import { type Params, required } from '../http/params.js'
import type { Context, TokenRequester, TokenResponse } from '../realm/context.js'
import { requireGrantedResource } from '../realm/realm.js'
import { includesAll, requestedScopes } from '../realm/scope.js'
import type {
  Grant,
  RefreshToken,
  RefreshTokenRotation,
  TokenEndpointAuthMethod,
} from '../storage/storage.js'
import { presentedHash, taggedHash, tagOf } from '../storage/tag.js'
import { hasGrantEnded, isRevoked } from '../tokens/grant-lifetime.js'
import { bindingFault, issueGrantTokens } from '../tokens/issue-tokens.js'
import { graceKey, graceSeconds, MAX_REFRESH_GRACE, provesClient } from '../util/refresh-grace.js'

/**
 * The access token is bound to the key of the request's proof, and without a proof to none. The refresh tokens of a public
 * client are bound to a key if its code was redeemed with a proof (RFC 9449 §5): then each refresh needs a proof of that key.
 * If the code was redeemed without one, they stay as they are, even when a later refresh has a proof.
 */
export async function refreshToken(
  c: Context,
  requester: TokenRequester,
  params: Params,
): Promise<TokenResponse> {
  const { client, method } = requester
  const presented = required(params, 'refresh_token')
  const token_hash = presentedHash(c.hashes, presented)
  if (token_hash === null) throw invalidGrant('unknown_refresh_token')
  const found = await c.storage.grants.findRefreshToken(token_hash)
  if (!found) throw invalidGrant('unknown_refresh_token')
  const { grant, refresh_token } = found
  c.facts.sub = grant.sub
  if (grant.client_id !== client.client_id) throw invalidGrant('wrong_client')
  if (lacksAuthentication(grant, method)) throw invalidGrant('client_authentication_required')
  // Before reuse is looked at: without the key, a stolen token cannot even revoke its grant.
  const binding_fault = bindingFault(grant.jkt, requester)
  if (binding_fault !== null) throw invalidGrant(binding_fault)
  if (isRevoked(grant, client)) throw invalidGrant('revoked_grant')
  const spent = refresh_token.spent_at !== null
  const successor = spent ? await successorInGrace(c, requester, { ...found, presented }) : null
  if (refresh_token.expires_at <= c.now()) throw invalidGrant('expired_refresh_token')
  if (hasGrantEnded(c, grant)) throw invalidGrant('expired_grant')
  requireGrantedResource(c.realm, { client, grant }, params)
  const scopes = narrowedScopes(grant, params)

  return issueGrantTokens(c, requester, {
    grant_type: 'refresh_token',
    grant,
    scopes,
    nonce: null,
    refresh_token: successor ?? answeredToken(c, grant, presented),
    async store(next) {
      if (spent || (await storeUse(c, token_hash, next))) return null
      // Another request has spent the token meanwhile: that is reuse too, unless the grace period allows it.
      const now = await c.storage.grants.findRefreshToken(token_hash)
      if (!now || now.grant.revoked_at !== null) throw invalidGrant('revoked_grant')
      return successorInGrace(c, requester, { ...now, presented })
    },
  })
}

/**
 * Whether a client that has authenticated for the code has not done so now. A client may be registered for `none` beside
 * another method: the tokens of its authenticated instances are of no use without their key.
 */
const lacksAuthentication = ({ client_auth }: Grant, method: TokenEndpointAuthMethod): boolean =>
  method === 'none' && client_auth !== null && client_auth !== 'none'

/** The refresh token of the answer: another one, if it rotates. */
const answeredToken = (c: Context, grant: Grant, presented: string): string =>
  rotates(c, grant) ? nextToken(c, c.secrets, presented) : presented

/**
 * Those of public clients always rotate (RFC 9700 §4.14.2). Those of a client that has authenticated for the code stay the same
 * with the profile fapi2: they are of no use without its key.
 */
function rotates(c: Context, { client_auth }: Grant): boolean {
  const is_confidential = client_auth !== null && client_auth !== 'none'
  return !is_confidential || c.realm.policy.rotates_confidential
}

/** Spends the token, or renews one that stays the same. False when another request has spent it. */
function storeUse(c: Context, token_hash: string, next: RefreshTokenRotation): Promise<boolean> {
  const { refresh_token, grant_expires_at } = next
  if (refresh_token?.token_hash !== token_hash)
    return c.storage.grants.rotateRefreshToken(token_hash, next, c.now())
  const { expires_at } = refresh_token
  return c.storage.grants.renewRefreshToken(token_hash, { expires_at, grant_expires_at })
}

/** Derived from the spent token: within the grace period it is answered with the same new token, and no secret is stored. */
const nextToken = ({ hashes }: Context, { rotation }: DerivedKeys, spent_token: string): string =>
  hashes.hmac(rotation, spent_token) + tagOf(spent_token)

/** A spent token as it was presented, with what is stored about it. */
interface SpentToken {
  grant: Grant
  refresh_token: RefreshToken
  presented: string
}

/**
 * The token that replaced a spent one, for a request within the grace period. It is answered again only while it is not spent
 * itself. Any other use of a spent token revokes the whole grant; if the client has authenticated, or proved the key of the grant,
 * a use within the grace period is only refused.
 */
async function successorInGrace(c: Context, requester: TokenRequester, spent: SpentToken): Promise<string> {
  const { grant, refresh_token, presented } = spent
  const is_proven = provesClient(requester, grant)
  const grace = graceSeconds(c.realm.settings.tokens.refresh_token_grace, requester.client, is_proven)
  // Another server, whose clock is ahead, may have spent it.
  const age = Math.max(0, c.now() - (refresh_token.spent_at ?? c.now()))
  if (age < grace) {
    const successor = await unspentSuccessor(c, presented)
    if (successor !== null) return successor
    if (is_proven) throw invalidGrant('superseded_refresh_token')
  }
  const { grant_id, client_id, sub } = grant
  await c.storage.grants.revoke({ grant_id }, c.now())
  const longer_grace = age < MAX_REFRESH_GRACE && age >= grace ? graceKey(requester.client) : null
  c.emit({ type: 'refresh_token.reused', client_id, sub, grant_id, spent_seconds: age, longer_grace })
  throw invalidGrant('reused_refresh_token')
}

/** A server with the previous secret may have made it. */
async function unspentSuccessor(c: Context, spent_token: string): Promise<string | null> {
  for (const keys of [c.secrets, c.secrets.previous]) {
    const token = keys && nextToken(c, keys, spent_token)
    const found = token && (await c.storage.grants.findRefreshToken(taggedHash(c.hashes, token)))
    if (found) return found.refresh_token.spent_at === null ? token : null
  }
  return null
}

/** The scopes of this access token: the granted ones, or fewer (RFC 6749 §6). The grant keeps its scopes. */
function narrowedScopes(grant: Grant, params: Params): string[] {
  const requested = requestedScopes(params)
  if (requested.length === 0) return grant.scopes
  if (!includesAll(grant.scopes, requested))
    throw new OAuthError('invalid_scope', 'A refresh can narrow the granted scope, not widen it')
  return requested
}
