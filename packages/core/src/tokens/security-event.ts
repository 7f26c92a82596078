/** Security Event Tokens: RFC 8417. */

import { signJwt } from '../crypto/keys.js'
import type { RealmContext } from '../realm/context.js'
import { currentKey } from './signing-keys.js'

/** What a Security Event Token says beside its issuer and the time at which it is signed. */
export interface SecurityEvent {
  /** The receiver. */
  aud: string
  /** The same for each delivery of the event. */
  jti: string
  /** When it happened, epoch seconds. */
  toe: number
  /** The request that has caused it. */
  txn?: string
  /** By the URI of a type of event. */
  events: Readonly<Record<string, object>>
}

/** Without `sub` and `exp`, and with a type of its own, it is neither an ID token nor an access token (RFC 8417 §4.5-4.7). */
export async function signSecurityEvent(
  c: RealmContext,
  { aud, jti, toe, txn, events }: SecurityEvent,
): Promise<string> {
  const [alg = 'RS256'] = c.realm.settings.keys.algorithms
  const claims = {
    iss: c.realm.issuer,
    iat: c.now(),
    jti,
    aud,
    toe,
    ...(txn !== undefined && { txn }),
    events,
  }
  return signJwt(await currentKey(c, alg), 'secevent+jwt', claims)
}
