/** How long a spent refresh token may come again, from parallel requests or processes: RFC 9700 §4.14.2. Times are in seconds. */

import type { Client, Grant, TokenEndpointAuthMethod } from '../storage/records.js'

/** The largest `refresh_token_grace`: a thief who is quicker than this is not noticed. */
export const MAX_REFRESH_GRACE = 60
/** For a client that has authenticated, or proved the key of the grant: a stolen token is of no use without it. */
const PROVEN_GRACE = 30

/** What a request says besides the token. */
interface Requester {
  method: TokenEndpointAuthMethod
  proof: { jkt: string } | null
}

/** Whether the request proves more than that it has the token: by client authentication, or by the key of the grant. */
export const provesClient = ({ method, proof }: Requester, { jkt }: Pick<Grant, 'jkt'>): boolean =>
  method !== 'none' || (jkt !== null && proof?.jkt === jkt)

/** Of the client, which only an operator sets; else of the realm. Without both, a public client without a key has none. */
export const graceSeconds = (
  of_realm: number | undefined,
  { origin, refresh_token_grace }: Pick<Client, 'origin' | 'refresh_token_grace'>,
  is_proven: boolean,
): number =>
  (origin === 'operator' ? refresh_token_grace : null) ?? of_realm ?? (is_proven ? PROVEN_GRACE : 0)

/** The setting that would allow this client more. */
export const graceKey = ({ origin }: Pick<Client, 'origin'>): string =>
  origin === 'operator' ? 'refresh_token_grace of the client' : 'oidc.tokens.refresh_token_grace'
