/** The event of a command that has changed or exported something: one line of the log, on standard error. */

import { hostname, userInfo } from 'node:os'
import { DEFAULT_REALM } from '../config/entries.js'
import { setting } from '../config/environment.js'
import { createLog } from '../log/log.js'
import { logOutput } from '../log/log-output.js'
import { given } from '../values/given.js'
import type { Command, CommandContext, CommandEvent, CommandInput } from './command.js'

/** The name of the event. */
const COMMAND_EVENT = 'command.done'

/** Who ran a command. */
interface Actor {
  kind: 'cli'
  /** The user of the operating system. */
  user: string
  /** Who became that user by sudo; absent for no one. */
  sudo_user?: string
  host: string
}

/** Writes the event, in the form of a server's log: lines for people on a terminal, else JSON; LOG_FORMAT chooses. */
export function reportCommand(
  { name, of_realm }: Command,
  { realm, ...event }: CommandEvent,
  { input, context }: { input: CommandInput; context: CommandContext },
): void {
  const { env, err, ask } = context
  const format = setting(env, 'LOG_FORMAT')
  const write = logOutput((line) => err(`${line}\n`), {
    format: format === 'text' || format === 'json' ? format : null,
    stream: { isTTY: ask !== undefined },
    env,
  })
  createLog({ write }).info(COMMAND_EVENT, {
    event: COMMAND_EVENT,
    ...given({
      realm: realm ?? (of_realm && (input.text('realm') ?? DEFAULT_REALM)),
      server: input.text('server'),
    }),
    command: name,
    actor: actor(context),
    ...event,
  })
}

function actor({ env }: Pick<CommandContext, 'env'>): Actor {
  const sudo = given({ sudo_user: setting(env, 'SUDO_USER') })
  return { kind: 'cli', user: userName(), ...sudo, host: hostname() }
}

/** In a container, the user may have a number and no name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}
