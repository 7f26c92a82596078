/** `Storage` of `@ostiary/core` in Redis. Each store's file describes its keys. */

import type { Storage } from '@ostiary/core'
import { clientDocumentStores } from './client-documents.js'
import { clientStores } from './clients.js'
import { consentStores } from './consents.js'
import { expiringStores } from './expiring.js'
import { grantStores } from './grants.js'
import { logoutStores } from './logouts.js'
import type { RedisConnection } from './script.js'
import { sessionStores } from './sessions.js'
import { keyStores } from './signing-keys.js'
import { realmKeys } from './tags.js'
import { throttles } from './throttle.js'

/** The options of `redisStorage`. */
export interface RedisStorageOptions {
  /** The beginning of every key, so that other programs can use the same database; `ostiary:` by default. */
  prefix?: string
}

/**
 * Makes the storage from a connection to Redis 6.2 or later, to Valkey, or to a cluster. The caller opens the connection,
 * handles its errors and closes it.
 * @throws Error when the prefix contains braces.
 *
 * @example
 * ```ts
 * import { redisStorage } from '@ostiary/storage-redis'
 * import { Redis } from 'ioredis'
 *
 * const redis = new Redis(process.env.REDIS_URL ?? '', {
 *   maxRetriesPerRequest: 1,
 *   commandTimeout: 2000,
 *   autoResendUnfulfilledCommands: false,
 * })
 * export const storage = redisStorage(redis, { prefix: 'ostiary:' })
 * ```
 */
export function redisStorage(
  redis: RedisConnection,
  { prefix = 'ostiary:' }: RedisStorageOptions = {},
): Storage {
  if (/[{}]/.test(`${redis.options.keyPrefix ?? ''}${prefix}`)) {
    throw new Error(
      'A key prefix of redisStorage cannot contain { or }: braces mark the hash tag of a cluster',
    )
  }
  const clients = clientStores(redis)
  const consents = consentStores(redis)
  const grants = grantStores(redis)
  const expiring = expiringStores(redis)
  const sessions = sessionStores(redis)
  const keys = keyStores(redis)
  const logouts = logoutStores(redis)
  const throttle = throttles(redis)
  const documents = clientDocumentStores(redis)
  const keysOf = realmKeys(redis, prefix)
  return (id) => {
    const realm = keysOf(id)
    const root = realm.ofRealm
    const { purgeGrants, ...grantStore } = grants(realm)
    const { purgeExpiring, ...expiringStore } = expiring(realm)
    const { purgeClients, ...clientStore } = clients(root)
    const { purgeDocuments, ...documentStore } = documents(root)
    return {
      ...expiringStore,
      clients: clientStore,
      consents: consents(realm),
      grants: grantStore,
      sessions: sessions(realm),
      keys: keys(root),
      logouts: logouts(root),
      throttle: throttle(root),
      client_documents: documentStore,
      async purge(now) {
        const purges = [purgeGrants, purgeExpiring, purgeClients, purgeDocuments]
        const counts = await Promise.all(purges.map((purgeSome) => purgeSome(now)))
        return counts.reduce((sum, count) => sum + count)
      },
    }
  }
}
