/** The commands `login` and `logout`. What they do is loaded when one of them runs. */

import type { LoginCommand, LoginInput, LoginOutput, LoginTools } from './command-types.js'

export type { LoginTools } from './command-types.js'

/** Each command, without what it does. */
const COMMANDS = [
  {
    name: 'login',
    summary: 'Sign in to a server as an administrator, to use its admin API from here',
    about: [
      'Without a server, it lists those to which you are signed in.',
      'You sign in in a browser, with a passkey or a second factor, and allow the command line to administer. The sign-in is good for an hour; it is kept in ~/.config/ostiary, which only you can read. A server on another computer needs https.',
    ],
    args: ['server?'],
    options: {
      'no-browser': { help: 'Only print the address of the sign-in, and open no browser' },
      device: {
        help: 'Print a code for a browser on another device, where the server has the device grant (oidc.clients.device_authorization)',
      },
      fresh: {
        help: 'Sign in again, although the browser is signed in: for keys, roles, deletions and recovery links, in the next five minutes',
      },
    },
    effect: 'reads',
    examples: [
      ['ostiary login https://id.example.com', 'In the browser of this computer'],
      ['ostiary login https://id.example.com --device', 'On a computer without a browser'],
      ['ostiary login', 'Where you are signed in'],
    ],
  },
  {
    name: 'logout',
    summary: 'End the sign-in to a server, there and here',
    about: ['When the server cannot be reached, the sign-in is removed here alone, and the exit code is 1.'],
    args: ['server'],
    effect: 'reads',
    examples: [['ostiary logout https://id.example.com', 'The browser stays signed in']],
  },
] as const

/** The commands of the sign-in, for the list of commands of `@ostiary/host`. */
export const loginCommands = <Input extends LoginInput, Output extends LoginOutput>(
  tools: LoginTools,
): LoginCommand<Input, Output>[] =>
  COMMANDS.map((command) => ({
    ...command,
    async run(input, output) {
      const { RUNS } = await import('./command-runs.js')
      return RUNS[command.name](tools, input, output)
    },
  }))
