/** Issues the tokens of a grant. Everything is signed before anything is stored. */

import type { Context } from '../context.js'
import { OAuthError } from '../errors.js'
import type { Account, Claims } from '../ports.js'
import { sha256 } from '../protocol/secret.js'
import type { Client, Grant, RefreshTokenRotation } from '../storage.js'
import { type AccessTokenInput, accessTokenClaims } from '../tokens/access-token.js'
import { idTokenClaims } from '../tokens/id-token.js'
import { signJwt } from '../tokens/jwt.js'
import type { OpenKey } from '../tokens/keys.js'
import { accessTokenLifetime, tokenEnd } from './grant-lifetime.js'
import { currentKey } from './signing-keys.js'

/** RFC 6749 §5.1, OpenID Connect Core §3.1.3.3. */
export interface TokenResponse {
  token_type: 'Bearer'
  /** Seconds. */
  expires_in: number
  access_token: string
  scope?: string
  refresh_token?: string
  id_token?: string
  issued_token_type?: string
}

export interface GrantTokensInput {
  client: Client
  grant: Grant
  /** The scopes of this access token: those of the grant, or fewer. */
  scopes: readonly string[]
  nonce: string | null
  /** The refresh token to issue; null when the client gets none. */
  refresh_token: string | null
}

/** The token response, and the record that redeeming the code or spending the refresh token must store. */
export async function issueGrantTokens(
  c: Context,
  input: GrantTokensInput,
): Promise<{ response: TokenResponse; next: RefreshTokenRotation }> {
  const { client, grant, scopes, nonce, refresh_token } = input
  const lifetime = accessTokenLifetime(c, client, c.realm.settings.tokens.access_token)
  const next = rotation(c, input, lifetime)
  const [key, user] = await Promise.all([currentKey(c), c.accounts.find(grant.sub, c.realm)])
  if (user === null)
    throw new OAuthError('invalid_grant', 'The grant is not valid', { reason: 'unknown_user' })
  const { access_token, expires_in } = await signAccessToken(c, key, {
    client_id: client.client_id,
    sub: grant.sub,
    audience: grant.resource ?? c.realm.issuer,
    scopes,
    grant_id: grant.grant_id,
    user,
    expires_at: Math.min(c.now() + lifetime, next.grant_expires_at),
  })
  const id_token = scopes.includes('openid')
    ? await signIdToken(c, key, { grant, user, scopes, nonce, access_token })
    : null
  const response: TokenResponse = {
    token_type: 'Bearer',
    expires_in,
    access_token,
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    ...(refresh_token !== null && { refresh_token }),
    ...(id_token !== null && { id_token }),
  }
  return { response, next }
}

/** A grant ends with its session. Offline, it ends with its refresh token or, without one, with its access token. */
function rotation(
  c: Context,
  { client, grant, refresh_token }: GrantTokensInput,
  access_token_lifetime: number,
): RefreshTokenRotation {
  if (refresh_token === null)
    return { refresh_token: null, grant_expires_at: tokenEnd(c, grant, access_token_lifetime) }
  const expires_at = tokenEnd(
    c,
    grant,
    client.refresh_token_lifetime ?? c.realm.settings.tokens.refresh_token,
  )
  const record = {
    token_hash: sha256(refresh_token),
    grant_id: grant.grant_id,
    created_at: c.now(),
    expires_at,
    spent_at: null,
  }
  return { refresh_token: record, grant_expires_at: grant.offline ? expires_at : grant.expires_at }
}

/** What fits into a header beside other headers, with the usual limit of 8 KiB for all of them. */
const MAX_ACCESS_TOKEN_CHARACTERS = 4096

/** @throws OAuthError `invalid_scope` when the user's claims make the token too large. */
export async function signAccessToken(
  c: Context,
  key: OpenKey,
  input: AccessTokenInput,
): Promise<{ access_token: string; expires_in: number }> {
  const now = c.now()
  const payload = accessTokenClaims(input, { issuer: c.realm.issuer, random: c.random, now })
  const expires_in = input.expires_at - now
  const { user, scopes, audience } = input
  if (user === null || !c.claims_in_access_tokens)
    return { access_token: await signJwt(key, 'at+jwt', payload), expires_in }
  const claims = await c.claims({ user, scopes, audience }, 'access_token')
  const access_token = await signJwt(key, 'at+jwt', { ...claims, ...payload })
  if (access_token.length > MAX_ACCESS_TOKEN_CHARACTERS) refuseLargeToken(c, input, claims)
  return { access_token, expires_in }
}

/** A token that is large without claims of the user, because of its scopes, is issued. */
function refuseLargeToken(c: Context, { client_id, sub }: AccessTokenInput, claims: Claims): void {
  const size = (claim: string) => JSON.stringify([claims[claim]]).length
  const [claim] = Object.keys(claims).sort((a, b) => size(b) - size(a))
  if (claim === undefined) return
  c.emit({ type: 'access_token.too_large', client_id, sub, claim })
  const reason = 'access_token_too_large'
  throw new OAuthError('invalid_scope', 'The claims of these scopes make the access token too large', {
    reason,
  })
}

interface IdTokenSubject {
  grant: Grant
  user: Account
  scopes: readonly string[]
  nonce: string | null
  access_token: string
}

async function signIdToken(c: Context, key: OpenKey, subject: IdTokenSubject): Promise<string> {
  const { grant, user, scopes, nonce, access_token } = subject
  const claims = idTokenClaims({
    issuer: c.realm.issuer,
    client_id: grant.client_id,
    sub: grant.sub,
    sid: grant.sid,
    now: c.now(),
    expires_at: c.now() + c.realm.settings.tokens.id_token,
    auth_time: grant.auth_time,
    amr: grant.amr,
    acr: grant.acr,
    nonce,
    access_token,
    claims: await c.claims({ user, scopes, audience: grant.resource ?? c.realm.issuer }, 'id_token'),
  })
  return signJwt(key, 'JWT', claims)
}
