/** Logout tokens: OpenID Connect Back-Channel Logout §2.4. They never carry a nonce. */

import { newId, type Random } from '../util/secret.js'

export interface LogoutTokenInput {
  issuer: string
  client_id: string
  sub: string
  sid: string
  /** Epoch seconds. */
  now: number
  expires_at: number
}

export function logoutTokenClaims(input: LogoutTokenInput, random: Random) {
  return {
    iss: input.issuer,
    aud: input.client_id,
    iat: input.now,
    exp: input.expires_at,
    jti: newId(random),
    sub: input.sub,
    sid: input.sid,
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  }
}
