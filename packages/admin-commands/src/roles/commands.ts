/** The commands of `ostiary` about administrators. What they do is loaded when one of them runs. */

import type { InServer } from '../in-server.js'
import type { AdminCommand, AdminInput, AdminTools, OpenPlace } from './command-types.js'

export type { AdminTools } from './command-types.js'

const SUB = { help: 'The argument is the sub of the user, not the username' }
const HOLDER = { sub: SUB, client: { help: 'The argument is the client_id of a client' } }

/** Each command, without what it does. */
const COMMANDS = [
  {
    name: 'admin bootstrap',
    summary: 'Make a user an owner, and print a link with which the user gets in',
    about: [
      'For the first administrator, and when every administrator is lost. The user is created if there is none. The link works once, for one hour; its page asks for a new way to sign in. To administer, the user needs a passkey or a second factor.',
    ],
    args: ['username'],
    examples: [['ostiary admin bootstrap ann', 'Ann is an owner of all realms']],
  },
  {
    name: 'admin roles list',
    summary: 'List who administers, and in which realms',
    examples: [['ostiary admin roles list', 'All roles']],
  },
  {
    name: 'admin roles grant',
    summary: 'Give a user or a client a role',
    about: [
      'auditor reads everything but secrets. support changes users, consents and sessions. manager changes clients too. owner changes everything.',
      'The same command with other realms replaces the realms of the role. It counts from the next request on.',
    ],
    args: ['holder', 'role'],
    options: {
      ...HOLDER,
      in: { value: 'realm', many: true, help: 'In this realm; may be repeated (default: in all realms)' },
    },
    examples: [
      ['ostiary admin roles grant ann support', 'Ann supports the users of all realms'],
      ['ostiary admin roles grant ann manager --in default', 'Clients too, in one realm'],
    ],
  },
  {
    name: 'admin roles revoke',
    summary: 'Take a role from a user or a client',
    about: ['The last owner of a realm stays. It counts from the next request on.'],
    args: ['holder', 'role'],
    options: HOLDER,
    examples: [['ostiary admin roles revoke ann support', 'Ann no longer supports users']],
  },
] as const

/**
 * The commands about administrators, for the list of commands of `@ostiary/host`.
 * @param inServer Runs one on the server that the command line names.
 */
export const adminCommands = <Input extends AdminInput, Output>(
  open: OpenPlace<Input, Output>,
  tools: AdminTools,
  inServer: InServer<Input, Output>,
): AdminCommand<Input, Output>[] =>
  COMMANDS.map((command) => {
    const here = <Name extends keyof Runs>(name: Name, input: Input, output: Output) =>
      open(input, output, async (opened): Promise<Awaited<ReturnType<Runs[Name]>>> => {
        const { RUNS } = await import('./runs.js')
        return RUNS[name](opened, tools, input) as Awaited<ReturnType<Runs[Name]>>
      })
    const { name } = command
    if (name === 'admin bootstrap')
      return { ...command, effect: 'changes', of_realm: true, run: (...io) => here(name, ...io) }
    const both = { of_realm: true, remote: true } as const
    const isHere = (input: Input) => input.text('server') === undefined
    if (name === 'admin roles list')
      return {
        ...command,
        ...both,
        effect: 'reads',
        run: (input, output) =>
          isHere(input)
            ? here(name, input, output)
            : inServer(input, output, async (realm, send) =>
                (await import('./remote.js')).read({ realm, send, tools, input }),
              ),
      }
    return {
      ...command,
      ...both,
      effect: 'changes',
      run: (input, output) =>
        isHere(input)
          ? here(name, input, output)
          : inServer(input, output, async (realm, send) =>
              (await import('./remote.js')).change(name, { realm, send, tools, input }),
            ),
    }
  })

type Runs = typeof import('./runs.js').RUNS
