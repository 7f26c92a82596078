import { auditCommands } from '@ostiary/audit/commands'
import { type Command, type CommandContext, type CommandInput, notFound, usageError } from '../command.js'
import { inRealm } from '../workspace.js'
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
import { throttle } from './throttle.js'
import { user } from './user.js'

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
  ...consent,
  ...grant,
  ...session,
  ...throttle,
  ...auditCommands<CommandInput, CommandContext>(inRealm, { usageError, notFound }),
  mailTest,
  purge,
  completionCommand(() => COMMANDS),
]
