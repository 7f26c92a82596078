/** Where the commands about realms work: on the machine, with or without a running server, or on a server. */

import type { RealmPlaces } from '@ostiary/realms/commands'
import { DEFAULT_REALM } from '../config/entries.js'
import { realmIds } from '../config/realm-ids.js'
import { readManageableConfig, withStorage } from '../management/manage.js'
import { realmsOf } from '../storage/run-time-realms.js'
import { nowSeconds } from './accounts.js'
import type { CommandContext, CommandInput } from './command.js'
import { inServer, linesTo } from './workspace.js'

export const REALM_PLACES: RealmPlaces<CommandInput, CommandContext> = {
  async here({ env, cwd, err }, run) {
    const config = await readManageableConfig(env, cwd)
    const rows_in = config.admin?.realm ?? realmIds(config)[0] ?? DEFAULT_REALM
    return withStorage(config, { write: linesTo({ err }), env }, async (storage, { audit }) => {
      const realms = await realmsOf(config, { storage, now: nowSeconds, failed() {} })
      if (realms === null) return run(null)
      const changer = { realms, audit, rows_in, plan: null, now: nowSeconds() }
      return run({ changer, count: realms.count }).finally(realms.stop)
    })
  },
  inServer,
}
