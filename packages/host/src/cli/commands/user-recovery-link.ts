import { type Command, failure } from '../command.js'
import { iso, printable, record } from '../output.js'
import { NAMED_USER, ofUser } from '../workspace.js'

export const recoveryLink: Command = {
  name: 'user recovery-link',
  effect: 'changes',
  summary: 'Make a link with which a user gets back in',
  about: [
    'For a user who has lost every way to sign in. Be sure who asks, and hand the link over in person: it works once, for one hour. A newer link or a change of the password or of a factor ends it.',
    'The button on its page ends all sessions and grants; then the user chooses anew how to sign in.',
  ],
  ...NAMED_USER,
  options: {
    ...NAMED_USER.options,
    cancel: { help: 'Make no link, but end a recovery by mail' },
  },
  examples: [
    ['ostiary user recovery-link ann', 'Print the link for Ann'],
    ['ostiary user recovery-link ann --cancel', 'End the recovery that waits'],
  ],
  ...ofUser(async ({ accounts }, user, input) => {
    const { sub, username } = user
    if (input.flag('cancel')) {
      if (!(await accounts.cancelRecovery(user))) throw failure(`no recovery of ${printable(username)} waits`)
      return {
        text: `The recovery of ${printable(username)} is cancelled`,
        json: { sub, username, cancelled: true },
        event: { subject: { sub, username } },
      }
    }
    if (user.disabled_at !== null)
      throw failure(
        `${printable(username)} is disabled, and a link would not work: ostiary user enable comes first`,
      )
    const { url, expires_at } = await accounts.recoveryLink(user)
    return {
      text: record([
        ['username', username],
        ['sub', sub],
        ['link', url],
        ['expires', iso(expires_at)],
      ]),
      json: { sub, username, link: url, expires_at },
      note: 'The link is not shown again. It works once.',
      event: { subject: { sub, username } },
    }
  }),
}
