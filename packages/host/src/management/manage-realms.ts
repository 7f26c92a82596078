/** Opens the realms that are made at run time for the commands, with or without a running server. */

import type { OpenedRealms } from '@ostiary/realms/commands'
import { DEFAULT_REALM } from '../config/entries.js'
import type { Environment } from '../config/environment.js'
import { realmIds } from '../config/realm-ids.js'
import { realmsOf } from '../storage/run-time-realms.js'
import { type ManageOptions, readManageableConfig, withStorage } from './manage.js'

/** Runs with null without `realms_at_run_time`. @throws ConfigError, StorageError */
export async function manageRealms<T>(
  env: Environment,
  options: Omit<ManageOptions, 'realm'>,
  run: (opened: OpenedRealms | null) => Promise<T>,
): Promise<T> {
  const config = await readManageableConfig(env, options.cwd)
  const rows_in = config.admin?.realm ?? realmIds(config)[0] ?? DEFAULT_REALM
  return withStorage(config, { ...options, env }, async (storage, { audit }) => {
    const now = () => Math.floor(Date.now() / 1000)
    const realms = await realmsOf(config, { storage, now, failed() {} })
    if (realms === null) return run(null)
    const changer = { realms, audit, rows_in, plan: null, now: now() }
    return run({ changer, count: realms.count }).finally(realms.stop)
  })
}
