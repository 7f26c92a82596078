/** The tokens that a client would get for a user, as claims: no token leaves the simulation. */

import type { Claims, ClaimsResolver, ClaimsTarget, Client, KeyStore } from '@ostiary/core'
import { type Cause, loginCause, type Refusal, refusalOf } from '../outcome.js'
import { openPlace } from '../place/place.js'
import { type SimulatedSession, signIn } from '../place/session.js'
import { SimulationError } from '../simulation-error.js'
import type { SimulationSource } from '../source.js'
import {
  type ClaimSources,
  type ShownClaim,
  shownClaims,
  type WithheldClaim,
  withheldClaims,
} from './claims.js'
import { clientProof, methodOf } from './credentials.js'
import { type Flow, type IssuedTokens, issuedTokens, userinfo } from './flow.js'

/** What a client asks for, and for whom. */
export interface TokensInput {
  client_id: string
  user: SimulatedSession & { sub: string }
  scopes: readonly string[]
  /** Null: the request names none. */
  resource: string | null
}

/** What is in a token, or in the answer of UserInfo. */
export interface ShownToken {
  claims: ShownClaim[]
  withheld: WithheldClaim[]
  /** Of the token as it is sent, or of the answer of UserInfo. */
  bytes: number
  /** Who may read it: a `client_id`, or the URI of a resource. */
  read_by: string[]
}

/** What a client gets. */
export type TokensOutcome =
  | Refusal
  | (Cause & { result: 'login' })
  | {
      result: 'tokens'
      /** Those that were granted. */
      scopes: string[]
      token_type: string
      /** Seconds. */
      expires_in: number
      /** Whether the client gets a refresh token. */
      refresh_token: boolean
      /** Null without the scope `openid`. */
      id_token: ShownToken | null
      /** Null where the access token is of no use there. */
      userinfo: ShownToken | null
      access_token: ShownToken
    }

/**
 * @param keys Of the simulations of the realm: they sign, and those of the realm do not.
 * @throws SimulationError
 */
export async function simulateTokens(
  { core, provider, realm, secret }: SimulationSource,
  input: TokensInput,
  keys: KeyStore,
): Promise<TokensOutcome> {
  const { client_id, user, scopes, resource } = input
  const resolver = watched(provider.claims)
  const proof = await clientProof(client_id)
  const place = await openPlace({
    core,
    provider: { ...provider, ...(resolver && { claims: resolver.claims }) },
    realm,
    secret,
    keys,
    clientAs: proof.clientAs,
  })
  const client = await (await place.provider.manage(realm)).clients.find(client_id)
  requireKnownKeys(client)
  const flow = { place, proof, cookie: await signIn(place, user) }
  const redirect_uri = client?.redirect_uris[0] ?? null
  const tokens = await issuedTokens(flow, { client_id, redirect_uri, scopes, resource })
  const refused = refusalOf(place)
  if (refused !== null) return refused
  const account = await provider.accounts.find(user.sub, place.realm)
  if (tokens === null || account === null) return { result: 'login', ...loginCause(place) }
  const sources = { core, realm: place.realm, user: account }
  return shown(flow, tokens, { client_id, sources, resolved: resolver?.resolved ?? {} })
}

/** The keys of a document cannot be replaced by others. */
function requireKnownKeys(client: Client | null): void {
  if (client?.origin !== 'metadata_document' || methodOf(client) === 'none') return
  throw new SimulationError(
    'conflict',
    'The client authenticates with the keys of its metadata document, which a simulation does not have. Ask for its authorization alone',
  )
}

/** What the resolver of the application returns, by target. */
function watched(real: ClaimsResolver | undefined) {
  if (real === undefined) return null
  const resolved: Partial<Record<ClaimsTarget, Claims>> = {}
  const claims: ClaimsResolver = async (account, scopes, target) => {
    resolved[target] = await real(account, scopes, target)
    return resolved[target]
  }
  return { claims, resolved }
}

interface Shown {
  client_id: string
  sources: Pick<ClaimSources, 'core' | 'realm' | 'user'>
  resolved: Partial<Record<ClaimsTarget, Claims>>
}

async function shown(flow: Flow, tokens: IssuedTokens, of: Shown): Promise<TokensOutcome> {
  const { access_token, id_token, token_type, expires_in, refresh_token, scope = '' } = tokens
  const { client_id, sources, resolved } = of
  const scopes = scope.split(' ').filter(Boolean)
  const audience = String(claimsOf(access_token).aud)
  const info = scopes.includes('openid') ? await userinfo(flow, tokens) : null
  const show = (target: ClaimsTarget, text: string): ShownToken => {
    const claims = target === 'userinfo' ? JSON.parse(text) : claimsOf(text)
    const compared = { ...sources, target, scopes, audience, resolved: resolved[target] ?? null }
    return {
      claims: shownClaims(claims, compared),
      withheld: withheldClaims(claims, compared),
      bytes: Buffer.byteLength(text),
      read_by: target === 'access_token' ? [client_id, audience] : [client_id],
    }
  }
  return {
    result: 'tokens',
    scopes,
    token_type,
    expires_in,
    refresh_token: refresh_token !== undefined,
    id_token: id_token === undefined ? null : show('id_token', id_token),
    userinfo: info === null ? null : show('userinfo', info),
    access_token: show('access_token', access_token),
  }
}

/** The payload of a JWT that this server has just made. */
const claimsOf = (token: string): Claims =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
