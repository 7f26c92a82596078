/** Who calls: an access token for exactly the admin API, of a person who has signed in strongly and recently, or of a program with a key. */

import type { Client, Provider, Realm } from '@ostiary/core'
import { scopeOf } from '../roles/decide.js'
import { AREAS } from '../roles/rights.js'
import { type Holder, holderOf } from '../roles/role-store.js'
import type { AdminSettings } from '../settings.js'
import type { Operation } from './operation.js'
import { ProblemError } from './problem.js'

/** Seconds since the sign-in of a person. */
const MAX_AGE = 3600
/** For keys, roles, deletions and links. */
const RECENT_MAX_AGE = 300

/** What the guard is made of. */
export interface GuardOptions {
  provider: Pick<Provider, 'guard' | 'locate' | 'url'>
  settings: AdminSettings
  /** The URI of the resource, and its key in the admin realm. */
  resource: { uri: string; key: string; is_external: boolean }
  /** The address of the resource's metadata (RFC 9728). */
  metadata_url: string
}

/** A caller whose token is good. */
export interface AuthenticatedCaller {
  holder: Holder
  scopes: readonly string[]
  /** For the next proof of the client. */
  dpop_nonce: string | null
  /** @throws ProblemError when the sign-in of a person is not enough for the operation. */
  requireFreshness(operation: Pick<Operation, 'recent'>): void
  /** @throws ProblemError 403 */
  requireScope(scope: string): void
}

/** @throws ProblemError */
export type Authenticate = (request: Request) => Promise<AuthenticatedCaller>

/** Write implies read. */
const IMPLIED = Object.fromEntries(AREAS.map((area) => [scopeOf(area, 'write'), [scopeOf(area, 'read')]]))

export function authenticator({ provider, settings, resource, metadata_url }: GuardOptions): Authenticate {
  const { realm } = settings
  const guard = provider.guard({
    realm,
    audience: [resource.uri],
    implies: IMPLIED,
    ...(!resource.is_external && { resource: resource.key }),
  })
  const realm_url = provider.url('oidc.protected-resource', { realm })
  const refuse = (answer: Response) =>
    refusal(answer, resource.is_external ? { realm_url, metadata_url } : null)
  return async (request) => {
    const principal = await guard.authenticate(request)
    if (principal instanceof Response) throw refuse(principal)
    const token = principal.currentAccessToken()
    if (principal.kind === 'client') requireKey(settings, principal.client, token.claims.cnf !== undefined)
    // What a sign-in with two factors is called.
    const acr = (await realmOf(provider, realm)).settings.acr_values_supported[1]
    const require = (answer: Response | null) => {
      if (answer !== null) throw refuse(answer)
    }
    return {
      holder: holderOf(
        principal.kind === 'client' ? { client_id: principal.clientId() } : { sub: token.claims.sub },
      ),
      scopes: token.scopes,
      dpop_nonce: guard.nonce(request),
      requireFreshness({ recent }) {
        if (principal.kind === 'client') return
        const max_age = recent ? RECENT_MAX_AGE : MAX_AGE
        require(guard.checkAuthentication({ acr_values: [acr], max_age })(request))
      },
      requireScope: (scope) => require(guard.checkScopes(scope)(request)),
    }
  }
}

/** The realm with this id. */
export async function realmOf(provider: Pick<Provider, 'locate' | 'url'>, id: string): Promise<Realm> {
  const located = await provider.locate(new Request(provider.url('oidc.jwks', { realm: id })))
  if (located === null) throw new Error(`There is no realm ${id}`)
  return located.realm
}

/** @throws ProblemError for a client whose tokens a secret alone gets and uses. */
function requireKey(
  { allow_client_secrets }: AdminSettings,
  { token_endpoint_auth_method: method }: Client,
  is_bound: boolean,
): void {
  if (allow_client_secrets || is_bound || method === 'private_key_jwt') return
  throw new ProblemError(
    'weak_client',
    'Give the client private_key_jwt or use DPoP, or set admin.allow_client_secrets',
  )
}

/** The refusal of the guard as a problem, with its challenges. */
function refusal(answer: Response, place: { realm_url: string; metadata_url: string } | null): ProblemError {
  const headers: Record<string, string> = {}
  for (const name of ['www-authenticate', 'dpop-nonce', 'retry-after']) {
    const value = answer.headers.get(name)
    if (value !== null)
      headers[name] = place ? value.replaceAll(`"${place.realm_url}"`, `"${place.metadata_url}"`) : value
  }
  const challenge = headers['www-authenticate'] ?? ''
  if (answer.status === 403)
    return new ProblemError('insufficient_scope', {
      detail: 'Ask for a token with the scope that the challenge names',
      headers,
    })
  if (answer.status === 503) return new ProblemError('unavailable', { detail: 'Try again later', headers })
  if (answer.status === 400)
    return new ProblemError('invalid_request', { detail: 'Send one access token', headers })
  const is_weak = challenge.includes('insufficient_user_authentication')
  const detail = is_weak
    ? 'Sign in again, as the challenge says: with a passkey or a second factor, and recently'
    : 'Send Authorization with an access token that was issued for this resource'
  return new ProblemError('unauthorized', { detail, headers })
}
