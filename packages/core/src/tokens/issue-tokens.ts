/** The end of every grant, in this order: bind, sign, spend the proof, store, report, answer. */

import type { AccessToken, DpopProof } from '@ostiary/resource-server'
import { signJwt } from '../crypto/keys.js'
import { bindingKey } from '../dpop/binding.js'
import { boundTo, claimProof } from '../dpop/proof.js'
import { OAuthError } from '../http/errors.js'
import type { Context, TokenRequester, TokenResponse } from '../realm/context.js'
import type { Account, Claims } from '../realm/ports.js'
import { accessTokenAlgorithm } from '../realm/realm.js'
import type { AuthorizationCode, Client, Grant, RefreshTokenRotation } from '../storage/storage.js'
import { newTaggedSecret, taggedHash, tagOf } from '../storage/tag.js'
import { idTokenAlgorithm } from '../util/signing-algorithms.js'
import { type AccessTokenInput, accessTokenClaims } from './access-token.js'
import { accessTokenLifetime, tokenEnd } from './grant-lifetime.js'
import { idTokenClaims } from './id-token.js'
import { currentKey } from './signing-keys.js'

/** What an access token is made of; the key that it is bound to follows from the proof. */
interface NewAccessToken extends AccessTokenInput {
  client: Client
}

/** An access token without a refresh token. */
export interface TokenOrder {
  grant_type: string
  token: NewAccessToken
  /** The proof whose key the token is bound to, if it is not the requester's; null: it is a bearer token. */
  bound_to?: DpopProof | null
  /** RFC 8693 §2.2.1. */
  issued_token_type?: string
}

/** @throws OAuthError as {@link signAccessToken}; `invalid_dpop_proof` for a proof that was used before */
export async function issueToken(c: Context, by: TokenRequester, order: TokenOrder): Promise<TokenResponse> {
  const { grant_type, token, bound_to: proof = by.proof, issued_token_type } = order
  const response: TokenResponse = await signAccessToken(c, token, proof)
  await claimProof(c, by.proof)
  report(c, token, { grant_type, proof })
  if (issued_token_type !== undefined) response.issued_token_type = issued_token_type
  if (token.scopes.length > 0) response.scope = token.scopes.join(' ')
  return response
}

function report(
  c: Context,
  { client: { client_id }, sub, grant_id, scopes, audience }: NewAccessToken,
  { grant_type, proof }: { grant_type: string; proof: DpopProof | null },
): void {
  const type = 'token.issued'
  c.emit({ type, client_id, grant_type, sub, grant_id, scopes: [...scopes], audience, ...boundTo(proof) })
}

/** The tokens of a grant. */
export interface GrantTokenOrder {
  grant_type: string
  grant: Grant
  /** The scopes of this access token: those of the grant, or fewer. */
  scopes: readonly string[]
  nonce: string | null
  /** The refresh token to issue; null when the client gets none. */
  refresh_token: string | null
  /**
   * Stores the use of the code or refresh token, a compare-and-set.
   * @returns Another refresh token to answer, which a request at the same time has stored; null: none.
   * @throws OAuthError when another request was first
   */
  store(next: RefreshTokenRotation): Promise<string | null>
}

/** @throws OAuthError as {@link issueToken}, and as `store` */
export async function issueGrantTokens(
  c: Context,
  by: TokenRequester,
  order: GrantTokenOrder,
): Promise<TokenResponse> {
  // Everything is signed before anything is stored.
  const { response, token, next } = await signGrantTokens(c, by, order)
  await claimProof(c, by.proof)
  const stored_token = await order.store(next)
  if (stored_token !== null) response.refresh_token = stored_token
  report(c, token, { grant_type: order.grant_type, proof: by.proof })
  return response
}

/** A code that its client may redeem. */
export interface CodeOrder extends Pick<GrantTokenOrder, 'grant_type' | 'grant' | 'nonce'> {
  code: AuthorizationCode
  /** The error for the client when another request has redeemed the code. */
  replayed(): Promise<OAuthError>
}

/** Redeems a code: of an authorization, or of the approval of a device. @throws OAuthError as {@link issueGrantTokens} */
export function redeemCode(c: Context, by: TokenRequester, order: CodeOrder): Promise<TokenResponse> {
  const { grant_type, grant, code, nonce, replayed } = order
  const { client, method, proof } = by
  const new_token = () => newTaggedSecret(c.random, tagOf(grant.grant_id))
  // A confidential client's refresh tokens are bound to its authentication instead (RFC 9449 §5).
  const jkt = method === 'none' && proof !== null ? proof.jkt : null
  return issueGrantTokens(c, by, {
    grant_type,
    grant,
    scopes: grant.scopes,
    nonce,
    refresh_token: client.grant_types.includes('refresh_token') ? new_token() : null,
    async store(next) {
      const redemption = { ...next, client_auth: method, jkt }
      if (await c.storage.grants.redeemCode(code.code_hash, redemption, c.now())) return null
      throw await replayed()
    },
  })
}

/** The thumbprint of the key that a verified access token is bound to; null for a bearer token. */
export const boundKeyOf = ({ claims }: AccessToken): string | null =>
  (claims.cnf as { jkt: string } | undefined)?.jkt ?? null

/**
 * Why the requester cannot use a code or a token that is bound to a key, or null.
 * @param jkt The thumbprint of the key; null for a code or a token that is not bound.
 */
export function bindingFault(
  jkt: string | null,
  { proof }: Pick<TokenRequester, 'proof'>,
): 'missing_proof' | 'proof_of_another_key' | null {
  if (jkt === null) return null
  if (proof === null) return 'missing_proof'
  return proof.jkt === jkt ? null : 'proof_of_another_key'
}

interface SignedGrantTokens {
  response: TokenResponse
  token: NewAccessToken
  /** The record that redeeming the code or spending the refresh token must store. */
  next: RefreshTokenRotation
}

async function signGrantTokens(
  c: Context,
  { client, proof }: TokenRequester,
  order: GrantTokenOrder,
): Promise<SignedGrantTokens> {
  const { grant, scopes, nonce, refresh_token } = order
  const lifetime = accessTokenLifetime(c, client, c.realm.settings.tokens.access_token)
  const next = rotation(c, client, { grant, refresh_token, access_token_lifetime: lifetime })
  const user = await c.accounts.find(grant.sub, c.realm, grant)
  if (user === null)
    throw new OAuthError('invalid_grant', 'The grant is not valid', { reason: 'unknown_user' })
  await c.requireAccess(c, { client, user, grant })
  const token: NewAccessToken = {
    client,
    sub: grant.sub,
    audience: grant.resource ?? c.realm.issuer,
    scopes,
    grant_id: grant.grant_id,
    user,
    authentication: c.realm.policy.tells_authentication ? grant : null,
    expires_at: Math.min(c.now() + lifetime, next.grant_expires_at),
  }
  const response: TokenResponse = await signAccessToken(c, token, proof)
  const { access_token } = response
  const id_token = scopes.includes('openid')
    ? await signIdToken(c, { client, grant, user, scopes, nonce, access_token })
    : null
  if (scopes.length > 0) response.scope = scopes.join(' ')
  if (refresh_token !== null) response.refresh_token = refresh_token
  if (id_token !== null) response.id_token = id_token
  return { response, token, next }
}

interface GrantEnd extends Pick<GrantTokenOrder, 'grant' | 'refresh_token'> {
  /** Seconds. */
  access_token_lifetime: number
}

/** A grant ends with its session. Offline, it ends with its refresh token or, without one, with its access token. */
function rotation(
  c: Context,
  client: Client,
  { grant, refresh_token, access_token_lifetime }: GrantEnd,
): RefreshTokenRotation {
  if (refresh_token === null)
    return { refresh_token: null, grant_expires_at: tokenEnd(c, grant, access_token_lifetime) }
  const expires_at = tokenEnd(
    c,
    grant,
    client.refresh_token_lifetime ?? c.realm.settings.tokens.refresh_token,
  )
  const record = {
    token_hash: taggedHash(c.hashes, refresh_token),
    grant_id: grant.grant_id,
    created_at: c.now(),
    expires_at,
    spent_at: null,
  }
  return { refresh_token: record, grant_expires_at: grant.offline ? expires_at : grant.expires_at }
}

/** What fits into a header beside other headers, with the usual limit of 8 KiB for all of them. */
const MAX_ACCESS_TOKEN_CHARACTERS = 4096

/** The members of the token response that are about the access token, in their order. */
type IssuedAccessToken = Pick<TokenResponse, 'token_type' | 'expires_in' | 'access_token'>

/**
 * @throws OAuthError `invalid_scope` when the user's claims make the token too large; `invalid_dpop_proof` when the token has
 * to be bound to a key, and the request has no proof.
 */
async function signAccessToken(
  c: Context,
  input: NewAccessToken,
  proof: DpopProof | null,
): Promise<IssuedAccessToken> {
  const now = c.now()
  const { user, scopes, audience } = input
  const jkt = bindingKey(c.realm, { client: input.client, audience, proof })
  const payload = accessTokenClaims(input, { issuer: c.realm.issuer, jkt, random: c.random, now })
  const expires_in = input.expires_at - now
  const token_type = jkt === null ? 'Bearer' : 'DPoP'
  const key = await currentKey(c, accessTokenAlgorithm(c.realm, audience))
  if (user === null || !c.claims_in_access_tokens)
    return { token_type, expires_in, access_token: await signJwt(key, 'at+jwt', payload) }
  const claims = await c.claims({ user, scopes, audience }, 'access_token')
  const access_token = await signJwt(key, 'at+jwt', { ...claims, ...payload })
  if (access_token.length > MAX_ACCESS_TOKEN_CHARACTERS) refuseLargeToken(c, input, claims)
  return { token_type, expires_in, access_token }
}

/** A token that is large without claims of the user, because of its scopes, is issued. */
function refuseLargeToken(c: Context, { client, sub }: NewAccessToken, claims: Claims): void {
  const size = (claim: string) => JSON.stringify([claims[claim]]).length
  const [claim] = Object.keys(claims).sort((a, b) => size(b) - size(a))
  if (claim === undefined) return
  c.emit({ type: 'access_token.too_large', client_id: client.client_id, sub, claim })
  const reason = 'access_token_too_large'
  throw new OAuthError('invalid_scope', 'The claims of these scopes make the access token too large', reason)
}

interface IdTokenSubject {
  client: Client
  grant: Grant
  user: Account
  scopes: readonly string[]
  nonce: string | null
  access_token: string
}

async function signIdToken(c: Context, subject: IdTokenSubject): Promise<string> {
  const { client, grant, user, scopes, nonce, access_token } = subject
  const key = await currentKey(c, idTokenAlgorithm(c.realm.settings.keys, client))
  const claims = idTokenClaims({
    issuer: c.realm.issuer,
    alg: key.alg,
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
    hashes: c.hashes,
    claims: await c.claims({ user, scopes, audience: grant.resource ?? c.realm.issuer }, 'id_token'),
  })
  return signJwt(key, 'JWT', claims)
}
