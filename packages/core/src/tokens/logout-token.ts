/** Logout tokens: OpenID Connect Back-Channel Logout §2.4. They never carry a nonce. */

import { newId, type Random } from '../protocol/secret.js'

export interface LogoutTokenOrder {
  issuer: string
  client_id: string
  sub: string
  sid: string
  /** Epoch seconds. */
  now: number
  expires_at: number
}

export function logoutTokenClaims(order: LogoutTokenOrder, random: Random) {
  return {
    iss: order.issuer,
    aud: order.client_id,
    iat: order.now,
    exp: order.expires_at,
    jti: newId(random),
    sub: order.sub,
    sid: order.sid,
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  }
}
