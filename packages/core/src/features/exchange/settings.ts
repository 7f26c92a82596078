/** The key `oidc.clients.token_exchange`, and the name of the grant. */

import * as z from 'zod'

/** A value of `grant_type` (RFC 8693 §2.1). */
export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'

export const exchangeSettings = {
  token_exchange: z.boolean().default(false).describe('The token exchange grant (RFC 8693)'),
}
