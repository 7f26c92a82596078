/** Validates tokens at the issuer's introspection endpoint: RFC 7662. */

import { type AccessToken, accessToken } from './access-token.js'
import { BearerError } from './bearer.js'
import { clientCredentials } from './introspection-client.js'
import type { Issuer } from './issuer.js'
import type { Settings } from './settings.js'
import { tokenStore } from './token-store.js'

/** @throws BearerError for a token that is not active; IssuerUnavailableError when the issuer does not respond. */
export type Introspect = (token: string) => Promise<AccessToken>

export function introspector(settings: Settings, issuer: Issuer): Introspect {
  const { introspection, now } = settings
  if (!introspection) throw new TypeError('introspection: client_id and its credentials are missing')
  const { cache_seconds } = introspection
  const store = cache_seconds > 0 ? tokenStore(introspection.cache_entries) : null
  const credentials = clientCredentials(introspection, settings)

  return async (token) => {
    const cached = store?.get(token, now())
    if (cached) return cached
    const url = await issuer.endpoint('introspection_endpoint')
    const { headers, form } = await credentials()
    // Read before the request: then a revocation during the request is not hidden for more than `cache_seconds`.
    const requested_at = now()
    const answer = await issuer.fetchJson(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams({
        token,
        token_type_hint: 'access_token',
        ...form,
      }).toString(),
    })
    const verified = tokenOf(answer, settings)
    store?.set(token, verified, requested_at + cache_seconds)
    return verified
  }
}

/** The token that the response describes, with the same checks as in local validation. @throws BearerError */
function tokenOf(answer: Record<string, unknown>, settings: Settings): AccessToken {
  const { issuer, clock_tolerance, now, dpop } = settings
  const { active, token_type, exp, nbf, iat, iss, client_id } = answer
  if (active !== true) throw new BearerError('invalid_token', 'inactive')
  // The response for a refresh token has no type. A token that is bound to a key says so in `cnf` (RFC 9449 §6.2).
  const type = typeof token_type === 'string' ? token_type.toLowerCase() : ''
  const is_dpop = dpop !== null && type === 'dpop' && answer.cnf !== undefined
  if (type !== 'bearer' && !is_dpop) throw new BearerError('invalid_token', 'not_a_bearer_token')
  if (iss !== issuer) throw new BearerError('invalid_token', 'wrong_issuer')
  if (typeof exp !== 'number' || typeof iat !== 'number')
    throw new BearerError('invalid_token', 'malformed_claims')
  if (exp <= now() - clock_tolerance) throw new BearerError('invalid_token', 'expired')
  if (nbf !== undefined && !(typeof nbf === 'number' && nbf <= now() + clock_tolerance))
    throw new BearerError('invalid_token', 'not_yet_valid')
  // The `sub` of a client_credentials token is its client; the issuer may leave it out.
  const { active: _, token_type: __, ...claims } = answer
  return accessToken({ ...claims, sub: answer.sub ?? client_id }, dpop !== null)
}
