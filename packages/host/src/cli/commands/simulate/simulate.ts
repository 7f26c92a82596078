import { passkeysFor, signInSettings } from '@ostiary/identity'
import { type CommandTools, simulationCommands } from '@ostiary/simulation/commands'
import type { Workspace } from '../../../management/manage.js'
import { CORE } from '../../../server/admin/core.js'
import { composeProvider } from '../../../server/compose-provider.js'
import { accountDeletionOf } from '../../../server/extensions/account-deletion.js'
import { extensionsOf, signUpOf } from '../../../server/extensions/extensions.js'
import { nowSeconds as now } from '../../accounts.js'
import type { Command, CommandContext, CommandInput } from '../../command.js'
import { inLocalRealm, inServer, throttlesOf } from '../../workspace.js'

/** As a server makes them of the configuration. */
async function serverOf({ config, opened: storage, by_email }: Workspace) {
  const deletion = await accountDeletionOf(config, storage, { now })
  const own = [deletion, by_email].flatMap((each) => each?.extension ?? [])
  const extensions = await extensionsOf(config, { storage, now }, own)
  const sign_up = await signUpOf(config)
  const { options } = composeProvider(config, { storage, now, on_event() {}, extensions, sign_up })
  return { provider: options, extensions: extensions ?? [] }
}

type Tools = Pick<CommandTools<Workspace>, 'usageError' | 'notFound' | 'failure' | 'table'>

export const simulate = (tools: Tools): Command[] =>
  simulationCommands<CommandInput, CommandContext, Workspace>(
    inLocalRealm,
    {
      ...tools,
      core: CORE,
      passkeysFor,
      signInSettings,
      serverOf,
      throttlesOf,
    },
    inServer,
  )
