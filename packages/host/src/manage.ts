/** What the commands do to a realm beside a running server, or without one. */

import { ConfigError, createProvider, type Management, SealedKeyError } from '@ostiary/core'
import { realmOf } from './check.js'
import { readConfig } from './config.js'
import { DEFAULT_REALM } from './entries.js'
import type { Environment } from './environment.js'
import type { Log } from './log.js'
import { openStorage } from './storage.js'
import { StorageError } from './storage-error.js'

export interface ManageOptions {
  /** Where relative paths of the configuration start. */
  cwd: string
  /** `default` when absent. */
  realm?: string
  log: Log
}

/**
 * Opens the storage that the configuration names, runs, and closes it again.
 * @throws ConfigError, StorageError
 */
export async function manageRealm<T>(
  env: Environment,
  { cwd, realm = DEFAULT_REALM, log }: ManageOptions,
  run: (management: Management) => Promise<T>,
): Promise<T> {
  const config = await readConfig(env, cwd)
  const { oidc, app_url, secret } = config
  if (config.storage.kind === 'memory')
    throw new ConfigError('storage: what is in the memory of a server cannot be reached; name a database')
  const opened = await openStorage(config.storage, log)
  try {
    const provider = createProvider({
      ...{ oidc, secret, storage: opened.storage },
      ...(app_url !== undefined && { app_url }),
      accounts: { find: async () => null },
      // No request comes this way.
      interactions: { login: async () => new Response(null, { status: 404 }) },
    })
    if ((await realmOf(provider, realm)) === null)
      throw new ConfigError(`--realm: there is no realm ${realm} in the configuration`)
    return await run(await provider.manage(realm))
  } catch (cause) {
    if (cause instanceof SealedKeyError) throw new StorageError(cause.message, { cause })
    throw cause
  } finally {
    await opened.close()
  }
}
