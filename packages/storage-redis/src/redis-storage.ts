/** `Storage` of `@ostiary/core` in Redis: what each store keeps under which keys is said in its own file. */

import type { Storage } from '@ostiary/core'
import { clientStores } from './clients.js'
import { consentStores } from './consents.js'
import { expiringStores } from './expiring.js'
import { grantStores } from './grants.js'
import { realmRoot } from './keys.js'
import { logoutStores } from './logouts.js'
import type { Connection } from './script.js'
import { sessionStores } from './sessions.js'
import { keyStores } from './signing-keys.js'
import { throttles } from './throttle.js'

/** What `redisStorage` takes besides the connection. */
export interface RedisStorageOptions {
  /** Every key begins with this, so that others may use the same database. Default `ostiary:`. */
  prefix?: string
}

/**
 * Works on Redis 6.2 and later, on Valkey, and on a cluster. The connection stays yours: connect it, watch its errors,
 * close it.
 */
export function redisStorage(redis: Connection, { prefix = 'ostiary:' }: RedisStorageOptions = {}): Storage {
  if (/[{}]/.test(`${redis.options.keyPrefix ?? ''}${prefix}`)) {
    throw new Error('A key prefix of redisStorage cannot contain { or }: they mark the realm, the hash tag')
  }
  const clients = clientStores(redis)
  const consents = consentStores(redis)
  const grants = grantStores(redis)
  const expiring = expiringStores(redis)
  const sessions = sessionStores(redis)
  const keys = keyStores(redis)
  const logouts = logoutStores(redis)
  const throttle = throttles(redis)
  return (realm) => {
    const root = realmRoot(prefix, realm)
    const { purgeGrants, ...grantStore } = grants(root)
    const { purgeExpiring, ...expiringStore } = expiring(root)
    const { purgeClients, ...clientStore } = clients(root)
    return {
      ...expiringStore,
      clients: clientStore,
      consents: consents(root),
      grants: grantStore,
      sessions: sessions(root),
      keys: keys(root),
      logouts: logouts(root),
      throttle: throttle(root),
      async purge(now) {
        const went = await Promise.all([purgeGrants(now), purgeExpiring(now), purgeClients(now)])
        return went.reduce((sum, count) => sum + count)
      },
    }
  }
}
