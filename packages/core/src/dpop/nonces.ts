/** The nonces of a realm for DPoP proofs: RFC 9449 §8 and §9. */

import { type DpopNonces, dpopNonces } from '@ostiary/resource-server'
import { allKeys, type DerivedKeys } from '../crypto/secrets.js'
import type { RealmContext } from '../realm/context.js'
import type { Realm } from '../realm/realm.js'
import { utf8 } from '../util/base64url.js'
import { hmacBytes } from '../util/secret.js'

/** Where a nonce counts: at the token endpoint and for pushed requests, or where access tokens are presented. */
export type NonceRole = 'server' | 'resource'

type NonceContext = Pick<RealmContext, 'realm' | 'secrets'>

type NoncesOfRealm = Readonly<Record<NonceRole, DpopNonces>>

/** Kept, because each keeps the nonces of its minute. */
const nonces = new WeakMap<Realm, NoncesOfRealm>()

/** Nonces are made with the current secret; those of the previous one are accepted too. */
export function realmNonces(c: NonceContext, role: NonceRole): DpopNonces {
  const known = nonces.get(c.realm) ?? {
    server: madeNonces(c, 'server'),
    resource: madeNonces(c, 'resource'),
  }
  nonces.set(c.realm, known)
  return known[role]
}

function madeNonces({ realm, secrets }: NonceContext, role: NonceRole): DpopNonces {
  const made = allKeys(secrets).map((keys) => dpopNonces(nonceKey(keys, `${role} ${realm.id}`)))
  const [newest] = made
  if (newest === undefined) throw new Error('A provider has at least one secret')
  return {
    current: (now) => newest.current(now),
    accepts: (nonce, now) => made.some((accepted) => accepted.accepts(nonce, now)),
  }
}

const nonceKey = (keys: DerivedKeys, use: string): Uint8Array => hmacBytes(keys.nonces, utf8(use))
