/** The other providers of the configuration of this machine. */

import type { OpenUpstreams } from '@ostiary/console-setup/commands'
import { DEFAULT_REALM } from '../../../config/entries.js'
import { readConfig } from '../../../config/read-config.js'
import { realmIds } from '../../../config/realm-ids.js'
import { RealmError } from '../../../management/manage.js'
import { upstreamReader } from '../../../server/admin/upstreams.js'
import type { CommandContext, CommandInput } from '../../command.js'
import { realmFailure } from '../../workspace.js'

/** Without the records of the server. @throws ConfigError, and CommandError when there is no such realm */
export const localUpstreams: OpenUpstreams<CommandInput, CommandContext> = (input, { env, cwd }) =>
  realmFailure(
    readConfig(env, cwd).then((config) => {
      const realm = input.text('realm') ?? DEFAULT_REALM
      if (!realmIds(config).includes(realm)) throw new RealmError(realm, realmIds(config))
      return upstreamReader(config, realm)
    }),
  )
