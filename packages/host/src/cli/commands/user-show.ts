import type { Command } from '../command.js'
import { findUser, inRealm, SUB_OPTION, type Workspace } from '../workspace.js'
import { configuredPath, userJson, userText } from './user-text.js'

export const show: Command = {
  name: 'user show',
  effect: 'reads',
  summary: 'Show one user',
  about: [
    'With the numbers of sessions, grants and consents; session list, grant list and consent list show them.',
  ],
  args: ['username'],
  options: { sub: SUB_OPTION },
  of_realm: true,
  examples: [
    ['ostiary user show ann', 'All fields of ann but the password'],
    ['ostiary user show --sub Q7vT1sUeGd9fKo5iWhXvNA --json', 'The user with this sub, as JSON'],
  ],
  run: (input, context) =>
    inRealm(input, context, async (workspace) => {
      const user = await findUser(workspace, input)
      const access = await accessOf(workspace, user.sub)
      const configured = configuredPath(workspace, user)
      const counts = `Has: ${Object.entries(access)
        .map(([name, count]) => `${name} ${count}`)
        .join(', ')}`
      return {
        text: [
          userText(user),
          ...(configured === null ? [] : [`In the configuration: ${configured}`]),
          counts,
        ].join('\n'),
        json: { ...userJson(user), ...access, configured },
      }
    }),
}

/** How many sessions, grants and consents a user has; withdrawn consents count. */
export async function accessOf(
  { management }: Workspace,
  sub: string,
): Promise<{ sessions: number; grants: number; consents: number }> {
  const { sessions, grants, consents } = management
  const lists = await Promise.all([sessions.list(sub), grants.list(sub), consents.list(sub)])
  return { sessions: lists[0].length, grants: lists[1].length, consents: lists[2].length }
}
