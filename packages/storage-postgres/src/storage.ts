import type { RealmStorage, Storage } from '@ostiary/core'
import type { Executor } from './connection/executor.js'
import { backgroundStorage } from './stores/background.js'
import { clientDocumentStore } from './stores/client-documents.js'
import { clientStore } from './stores/clients.js'
import { consentStore } from './stores/consents.js'
import { grantStore } from './stores/grants.js'
import { keyStore } from './stores/keys.js'
import { logoutStore } from './stores/logouts.js'
import { pendingStore } from './stores/pending.js'
import { createPurge } from './stores/purge.js'
import { replayStore } from './stores/replays.js'
import { revokedTokenStore } from './stores/revoked-tokens.js'
import { sessionStore } from './stores/sessions.js'
import { throttle } from './stores/throttle.js'

/**
 * Every store, in a database with the schema of this version; see `migrations`. The caller closes the executor.
 *
 * @example
 * ```ts
 * import { migrations, postgresExecutor, postgresStorage } from '@ostiary/storage-postgres'
 *
 * const executor = postgresExecutor(process.env.DATABASE_URL ?? '')
 * await migrations(executor).setUp()
 * export const storage = postgresStorage(executor)
 * // When the server stops:
 * await executor.close()
 * ```
 */
export function postgresStorage(executor: Executor): Storage {
  const stores = (realm: string): RealmStorage => ({
    clients: clientStore(executor, realm),
    consents: consentStore(executor, realm),
    grants: grantStore(executor, realm),
    revoked_tokens: revokedTokenStore(executor, realm),
    sessions: sessionStore(executor, realm),
    pending: pendingStore(executor, realm),
    keys: keyStore(executor, realm),
    logouts: logoutStore(executor, realm),
    throttle: throttle(executor, realm),
    replays: replayStore(executor, realm),
    client_documents: clientDocumentStore(executor, realm),
    purge: createPurge(executor, realm),
  })
  return Object.assign(stores, { background: backgroundStorage(executor) })
}
