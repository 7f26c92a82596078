/** Stored clients that `oidc.profile` refuses: they were made before it was set. */

import { insecureRedirectFault, type RealmPolicy } from '../realm/policy.js'
import type { Client } from '../storage/records.js'
import { authMethods } from '../util/auth-methods.js'
import { hasUsableKey } from './client-keys.js'

/**
 * What the profile refuses of a client: `public_client` and `secret` all requests, `unusable_keys` all assertions,
 * `http_redirect_uri` requests with that URI, and `optional_pkce` requests without PKCE.
 */
export type ProfileObstacle =
  | 'public_client'
  | 'secret'
  | 'unusable_keys'
  | 'http_redirect_uri'
  | 'optional_pkce'

/** What the profile of the realm refuses of a stored client; none without a profile. */
export function profileObstacles(policy: RealmPolicy, client: Client): ProfileObstacle[] {
  if (policy.profile === null) return []
  const methods = authMethods(client)
  const has_method = methods.some((method) => policy.auth_methods.includes(method))
  const algorithms = policy.assertions?.algorithms ?? []
  const insecure = client.redirect_uris.some((uri) => insecureRedirectFault(policy, uri) !== null)
  const rows: [ProfileObstacle, boolean][] = [
    ['public_client', !has_method && methods.includes('none')],
    ['secret', !has_method && !methods.includes('none')],
    ['unusable_keys', has_method && client.jwks !== null && !hasUsableKey(client.jwks.keys, algorithms)],
    ['http_redirect_uri', insecure],
    ['optional_pkce', client.require_pkce === false],
  ]
  return rows.flatMap(([obstacle, applies]) => (applies ? [obstacle] : []))
}
