/** The command `user export`. What it does is loaded when it runs. */

import { notTheApi } from '../answers.js'
import type { InServer } from '../in-server.js'
import type { ExportCommand, ExportInput, OpenedRealm, OpenPlace, UserTools } from './command-types.js'

/** For the list of commands of `@ostiary/host`. */
export const exportUserCommand = <Opened extends OpenedRealm, Input extends ExportInput, Output>(
  open: OpenPlace<Opened, Input, Output>,
  tools: UserTools<Input>,
  inServer: InServer<Input, Output>,
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
  remote: true,
  run(input, output) {
    if (input.text('server') !== undefined)
      return inServer(input, output, async ({ users }, send) => {
        const user = await tools.findUser({ users }, input)
        const document = await send<{ format?: unknown }>('GET', ['users', user.sub, 'export'])
        if (document.format !== 'ostiary.personal-data/1') throw notTheApi(tools, 'users')
        return (await import('@ostiary/personal-data')).printed(document, user)
      })
    return open(input, output, async (opened) => {
      const { exportUser } = await import('@ostiary/personal-data')
      const user = await tools.findUser(opened, input)
      return exportUser(opened, user, { admin: await tools.admin(), audit: await tools.audit() })
    })
  },
})
