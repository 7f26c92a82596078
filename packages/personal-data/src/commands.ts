/** The command `user export`. What it does is loaded when it runs. */

import type { ExportCommand, OpenedRealm, OpenPlace, UserTools } from './command-types.js'

/** For the list of commands of `@ostiary/host`. */
export const exportUserCommand = <Opened extends OpenedRealm, Input, Output>(
  open: OpenPlace<Opened, Input, Output>,
  tools: UserTools<Opened, Input>,
): ExportCommand<Input, Output> => ({
  name: 'user export',
  effect: 'exports',
  summary: 'Print everything that is stored about a user, as JSON',
  about: [
    'For a person who asks for it. The record, ways to sign in, sessions, grants, consents, roles, and the rows of the audit about the user and of what the user did. No secret and no hash of one is in it. docs/personal-data.md describes the document.',
  ],
  args: ['username'],
  options: { sub: { help: 'The argument is the sub of the user, not the username' } },
  of_realm: true,
  examples: [['ostiary user export ann', 'Everything about Ann']],
  run: (input, output) =>
    open(input, output, async (opened) => {
      const { exportUser } = await import('./run.js')
      const user = await tools.findUser(opened, input)
      return exportUser(opened, user, { admin: await tools.admin(), audit: await tools.audit() })
    }),
})
