/** The commands of `ostiary` about other providers. What they do is loaded when one of them runs. */

import type {
  InServer,
  OpenUpstreams,
  UpstreamCommand,
  UpstreamInput,
  UpstreamTools,
} from './command-types.js'

export type { InServer, OpenUpstreams, Upstreams, UpstreamTools } from './command-types.js'
export type { ShownUpstream, UpstreamCheck } from './upstreams/upstream.js'

/** Each command, without what it does. */
const COMMANDS = [
  {
    name: 'upstream list',
    summary: 'List the other providers at which users sign in',
    about: [
      'On the machine it reads the whole configuration, and needs its variables, as `ostiary doctor` does.',
    ],
    examples: [['ostiary upstream list', 'Those of the realm, with their redirect URIs']],
  },
  {
    name: 'upstream show',
    summary: 'Show one of them, with the redirect URI to register there',
    args: ['id'],
    examples: [['ostiary upstream show google', 'What the configuration says of it, without the secret']],
  },
  {
    name: 'upstream check',
    summary: 'Ask a provider for its discovery document and keys, and say what is wrong',
    about: [
      'The exit code is 1 when a sign-in cannot begin. Whether the provider accepts client id and secret, only a sign-in shows. With --server, the server asks.',
    ],
    args: ['id'],
    examples: [['ostiary upstream check corp', 'Whether users can sign in there']],
  },
] as const

/** The commands about other providers, for the list of commands of `@ostiary/host`. */
export const upstreamCommands = <Input extends UpstreamInput, Output>(
  open: OpenUpstreams<Input, Output>,
  tools: UpstreamTools,
  inServer: InServer<Input, Output>,
): UpstreamCommand<Input, Output>[] =>
  COMMANDS.map((command) => ({
    ...command,
    effect: 'reads',
    of_realm: true,
    remote: true,
    async run(input, output) {
      const { RUNS, remoteUpstreams } = await import('./command-runs.js')
      const { name } = command
      if (input.text('server') === undefined) return RUNS[name](await open(input, output), tools, input.args)
      return inServer(input, output, async (_realm, send) =>
        RUNS[name](await remoteUpstreams(send, tools), tools, input.args),
      )
    },
  }))
