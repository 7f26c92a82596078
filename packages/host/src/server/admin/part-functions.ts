/** The functions of the admin API that the commands call, too. */

import type { PartFunctions } from '@ostiary/admin'
import { catalogReasons, hintOfEvent } from '@ostiary/core'
import {
  codesLeft,
  createRecoveryLink,
  inviteUser,
  passkeysFor,
  planFactorRemoval,
  removeFactors,
  signInSettings,
  usernameKey,
} from '@ostiary/identity'
import type { HostConfig } from '../../config/host-config.js'
import type { HostStorage } from '../../storage/host-storage.js'
import { openInvitations } from './invitations.js'
import { activeThrottles, resetThrottles } from './throttles.js'
import { planLinkRemoval, removeLinks } from './user-links.js'

type FunctionConfig = Pick<HostConfig, 'secret' | 'login'> & {
  realms: Readonly<Record<string, { mail: { per_hour: number } | null }>>
}

interface FunctionSources extends Pick<HostStorage, 'storage' | 'records' | 'users'> {
  /** Epoch seconds. */
  now: () => number
}

export const partFunctions = (
  config: FunctionConfig,
  { storage, records, users, now }: FunctionSources,
): PartFunctions => ({
  codesLeft,
  createRecoveryLink,
  inviteUser,
  passkeysFor,
  planFactorRemoval,
  removeFactors,
  signInSettings,
  usernameKey,
  planLinkRemoval,
  removeLinks,
  openInvitations,
  throttlesOf(realm, of_realm) {
    const place = {
      realm,
      throttle: storage(realm.id).throttle,
      users: of_realm,
      secret: config.secret,
      limits: config.login,
      mail: config.realms[realm.id]?.mail ?? null,
    }
    return {
      list: (selection) => activeThrottles(place, selection, now()),
      reset: (selection) => resetThrottles(place, selection, now()),
    }
  },
  explain:
    records === undefined
      ? null
      : async (realm, name) => {
          const [{ openAuditStore }, { explain }] = await Promise.all([
            import('@ostiary/audit'),
            import('@ostiary/explain'),
          ])
          const core = { catalogReasons, hintOfEvent }
          const { clients } = storage(realm.id)
          return explain(openAuditStore({ records }), { realm, core, clients, users: users(realm.id) }, name)
        },
})
