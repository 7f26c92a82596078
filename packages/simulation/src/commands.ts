/** The commands of `ostiary` that say what would happen. What they do is loaded when one of them runs. */

import type { Ask } from './command-places.js'
import type {
  CommandTools,
  OpenedRealm,
  OpenPlace,
  Send,
  SimulationCommand,
  SimulationInput,
  Users,
} from './command-types.js'

export type { CommandTools, OpenedRealm } from './command-types.js'

const SIGNED_IN = {
  user: { value: 'username', help: 'The user who has signed in' },
  sub: { value: 'sub', help: 'The same, by sub' },
  level: { value: 'level', choices: ['1', '2'], help: 'With a password (1, the default) or two methods (2)' },
  age: { value: 'seconds', help: 'How long ago (default: 0)' },
}

/** Each command, without what it does. */
const COMMANDS = [
  {
    name: 'simulate authorization',
    summary: 'Say what the authorization endpoint would answer, and why',
    about: [
      'The parameters are those of the request, without client_id. Without --user and --sub, nobody has signed in.',
      'The endpoint of the server itself answers, with its configuration, clients, users and consents. Nothing is stored or sent, and its limits of requests do not count.',
    ],
    args: ['client_id'],
    options: {
      parameter: { value: 'name=value', many: true, help: 'A parameter of the request' },
      url: { value: 'url', help: 'The parameters of this address, as a browser shows it' },
      ...SIGNED_IN,
    },
    examples: [
      ['ostiary simulate authorization notes --parameter response_type=code', 'Without a session'],
      [
        "ostiary simulate authorization notes --url 'https://id.example.com/oauth/authorize?response_type=code' --user ann --level 2",
        'Ann has signed in with two methods',
      ],
    ],
  },
  {
    name: 'simulate tokens',
    summary: 'Say which claims the tokens of a client would have about a user',
    about: [
      'Each claim is shown with its source, and what is not in a token with the reason. No token is made with a key of the realm, and none is shown.',
    ],
    args: ['client_id'],
    options: {
      ...SIGNED_IN,
      scope: { value: 'scopes', help: 'What the client asks for, separated by spaces (default: openid)' },
      resource: { value: 'uri', help: 'The resource that the client names (default: none)' },
    },
    examples: [['ostiary simulate tokens notes --user ann', 'What notes learns of Ann']],
  },
  {
    name: 'simulate sign-in',
    summary: 'Say how a user could sign in, and which limits are reached',
    about: ['Nothing is counted. A client may ask for a second factor in any case.'],
    options: {
      user: { value: 'username', help: 'The name, as it is typed' },
      address: { value: 'ip', help: 'The IP address of the browser' },
    },
    examples: [['ostiary simulate sign-in --user ann --address 192.0.2.1', 'Ann, from this address']],
  },
] as const

/** The commands of simulations, for the list of commands of `@ostiary/host`. */
export const simulationCommands = <Input extends SimulationInput, Output, Opened extends OpenedRealm>(
  open: OpenPlace<Input, Output, [Opened]>,
  tools: CommandTools<Opened>,
  inServer: OpenPlace<Input, Output, [{ users: Users }, Send]>,
): SimulationCommand<Input, Output>[] =>
  COMMANDS.map((command) => ({
    ...command,
    effect: 'reads',
    of_realm: true,
    remote: true,
    async run(input, output) {
      const { runCommand, askHere, askServer } = await import('./command-runs.js')
      const asking = ({ users }: { users: Users }, ask: Ask) =>
        runCommand(command.name, { users, tools, input, ask })
      if (input.text('server') === undefined)
        return open(input, output, (opened) => asking(opened, askHere(opened, tools)))
      return inServer(input, output, (realm, send) => asking(realm, askServer(send, tools)))
    },
  }))
