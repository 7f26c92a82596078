/** What the authorization code flow with PKCE is at each upstream. */

import { sha256 } from '@ostiary/core'
import type { RoundTrip } from './trip.js'

/** Loaded with the first sign-in. */
export const load = () => import('openid-client')

/** The parameters of each authorization request. */
export const codeRequest = (trip: RoundTrip, scopes: readonly string[]) => ({
  redirect_uri: trip.redirect_uri,
  scope: [...new Set(scopes)].join(' '),
  state: trip.state,
  code_challenge: sha256(trip.code_verifier),
  code_challenge_method: 'S256',
})

/** What the browser may bring back. */
const ANSWER_PARAMETERS: readonly string[] = ['code', 'state', 'iss', 'error']

/** The redirect URI with what the browser has brought back. */
export function answerUrl({ redirect_uri }: RoundTrip, params: URLSearchParams): URL {
  const url = new URL(redirect_uri)
  for (const [name, value] of params)
    if (ANSWER_PARAMETERS.includes(name)) url.searchParams.append(name, value)
  return url
}
