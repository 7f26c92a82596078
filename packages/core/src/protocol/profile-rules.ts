/** What `oidc.profile` demands of clients and requests, beyond the keys that it sets: FAPI 2.0 Security Profile. */

import type { OidcSettings } from '../config.js'
import type { TokenEndpointAuthMethod } from '../records.js'
import { isLoopbackHost } from './loopback.js'

type Profiled = Pick<OidcSettings, 'profile'>

export const isFapi2 = ({ profile }: Profiled): boolean => profile === 'fapi2'

/** §5.4.1: PS256, ES256 and EdDSA. */
export const permittedAlgorithms = <Algorithm extends string>(
  settings: Profiled,
  algorithms: readonly Algorithm[],
): readonly Algorithm[] =>
  isFapi2(settings) ? algorithms.filter((algorithm) => algorithm !== 'RS256') : algorithms

/** §5.3.2.1: confidential clients only, which authenticate with private_key_jwt. Mutual TLS is not offered. */
export const isPermittedMethod = (settings: Profiled, method: TokenEndpointAuthMethod): boolean =>
  !isFapi2(settings) || method === 'private_key_jwt'

/** §5.3.2.2: why no authorization response is sent to this redirect URI, which is valid otherwise; null when it may be. */
export function insecureRedirectFault(settings: Profiled, uri: string): string | null {
  if (!isFapi2(settings)) return null
  const { protocol, hostname } = new URL(uri)
  const is_insecure = protocol === 'http:' && !isLoopbackHost(hostname)
  return is_insecure ? 'is http, which oidc.profile "fapi2" permits for the loopback alone' : null
}

/**
 * The status of a redirect: 303 after a form, so that the browser follows with GET and without the form's secrets; 302 otherwise.
 * With the profile fapi2 always 303 (§5.3.2.2).
 */
export const redirectStatus = (settings: Profiled, method: string): 302 | 303 =>
  method === 'GET' && !isFapi2(settings) ? 302 : 303
