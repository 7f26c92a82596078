/** The stores of one database that a command has opened. */

import type { Provider } from '@ostiary/core'
import type { Executor, PostgresStores } from '@ostiary/storage-postgres'
import type { HostConfig } from '../config/host-config.js'
import { bareProvider } from './manage.js'

/** The stores of all realms, and a provider for management that uses them. */
export async function databaseStores(
  config: HostConfig,
  executor: Executor,
): Promise<PostgresStores & { provider: Provider }> {
  const { postgresStores } = await import('@ostiary/storage-postgres')
  const stores = postgresStores(executor)
  return { ...stores, provider: bareProvider(config, stores) }
}
