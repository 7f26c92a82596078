import { loginCommands } from '@ostiary/admin-client/commands'
import {
  type AdminTools,
  adminCommands,
  auditCommands,
  type CommandTools,
  exportUserCommand,
} from '@ostiary/admin-commands'
import { sinkCommand } from '@ostiary/audit-sinks/commands'
import { upstreamCommands } from '@ostiary/console-setup/commands'
import { catalogReasons, clientFields, clientInput, hintOfEvent } from '@ostiary/core'
import { createRecoveryLink, createUser, setDisabled, updateUser, usernameKey } from '@ostiary/identity'
import { realmCommands } from '@ostiary/realms/commands'
import type { Workspace } from '../../management/manage.js'
import {
  type Command,
  type CommandContext,
  type CommandInput,
  failure,
  notFound,
  usageError,
} from '../command.js'
import { confirm } from '../confirm.js'
import { printableTable } from '../output.js'
import { REALM_PLACES } from '../realm-places.js'
import { findUser, inLocalRealm, inServer } from '../workspace.js'
import { client } from './client/client.js'
import { completionCommand } from './completion.js'
import { configPrint, configSchemaCommand } from './config.js'
import { consent } from './consent.js'
import { doctor } from './doctor.js'
import { exportCommand } from './export.js'
import { grant } from './grant.js'
import { importCommand } from './import.js'
import { keys } from './keys.js'
import { mailTest } from './mail.js'
import { migrate } from './migrate.js'
import { move } from './move.js'
import { purge } from './purge.js'
import { databaseRestored } from './restored.js'
import { secretRotate } from './secret.js'
import { serve } from './serve.js'
import { session } from './session.js'
import { simulate } from './simulate/simulate.js'
import { throttle } from './throttle.js'
import { localUpstreams } from './upstream/upstream.js'
import { user } from './user.js'

/** What the commands of other packages take of the command line. */
const TOOLS: CommandTools<CommandInput, CommandContext> & AdminTools = {
  usageError,
  notFound,
  failure,
  table: printableTable,
  confirm,
  identity: { createUser, createRecoveryLink, updateUser, setDisabled, usernameKey },
  core: { catalogReasons, clientFields, clientInput, hintOfEvent },
}

/** All commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  serve,
  migrate,
  move,
  databaseRestored,
  exportCommand,
  importCommand,
  doctor,
  configPrint,
  configSchemaCommand,
  ...keys,
  secretRotate,
  ...client,
  ...user,
  exportUserCommand<Workspace, CommandInput, CommandContext>(
    inLocalRealm,
    {
      failure,
      findUser,
      admin: () => import('@ostiary/admin'),
      audit: () => import('@ostiary/audit'),
    },
    inServer,
  ),
  ...consent,
  ...grant,
  ...session,
  ...throttle,
  ...auditCommands(inLocalRealm, TOOLS, inServer),
  sinkCommand(inLocalRealm, TOOLS),
  ...adminCommands(inLocalRealm, TOOLS, inServer),
  ...realmCommands(REALM_PLACES, { ...TOOLS, stdin: ({ stdin }: CommandContext) => stdin() }),
  ...loginCommands(TOOLS),
  ...simulate(TOOLS),
  ...upstreamCommands(localUpstreams, TOOLS, inServer),
  mailTest,
  purge,
  completionCommand(() => COMMANDS),
]
