import type { Command } from '../command.js'
import { confirm, YES_OPTION } from '../confirm.js'
import { countLine, printable } from '../output.js'
import { findUser, ofRealm, SUB_OPTION } from '../workspace.js'
import { accessOf } from './user-access.js'
import { refuseConfiguredUser } from './user-text.js'

export const deleteCommand: Command = {
  name: 'user delete',
  effect: 'changes',
  summary: 'Delete a user with everything that is stored about the user',
  about: [
    'Deletes username, password, claims, attributes, groups and consents. All sessions end (a running server notifies their clients), and all grants are revoked, with their tokens. The sub alone stays stored, so that no other user gets it; events and logs keep it too. The username is free again.',
    'A user of the configuration is refused: the next start would create it again. If it is interrupted, the user is disabled; run it again.',
  ],
  args: ['username'],
  options: { sub: SUB_OPTION, ...YES_OPTION },
  examples: [['ostiary user delete jem', 'Asks for the username, then deletes jem']],
  ...ofRealm(async (workspace, input, context) => {
    const user = await findUser(workspace, input)
    const { sub, username } = user
    refuseConfiguredUser(workspace, user, 'remove the entry')
    const { sessions, grants, consents } = await accessOf(workspace, sub)
    const effects = [
      `The user ${printable(username)} (sub ${sub}) will be deleted:`,
      `  sessions that end: ${sessions}, grants that are revoked: ${grants}, consents that are deleted: ${consents}`,
    ]
    await confirm(input, context, { effects, name: input.flag('sub') ? sub : username })
    const ended = await workspace.accounts.delete(user)
    return {
      text: [`${printable(username)} is deleted`, countLine('Ended', { ...ended })].join('\n'),
      json: {
        sub,
        username,
        ended_sessions: ended.sessions,
        ended_grants: ended.grants,
        deleted_consents: ended.consents,
      },
      event: { subject: { sub, username }, count: { ...ended } },
    }
  }),
}
