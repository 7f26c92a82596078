import type { RealmOperations } from '@ostiary/admin-client/remote'
import { type Invitation, type UserInput, usernameKey } from '@ostiary/identity'
import { type Command, type CommandInput, usageError } from '../../command.js'
import { iso, printable, record, table } from '../../output.js'
import { addressOf, nextPageNote, ofRealm, PAGE_OPTIONS, searched } from '../../workspace.js'
import { ATTRIBUTE_OPTIONS, attributesOf } from '../attributes.js'
import { CLAIM_OPTION, claimsOf } from '../claims.js'
import { refuseConfiguredUser } from '../user-text.js'

export const invite: Command = {
  name: 'user invite',
  effect: 'changes',
  summary: 'Create a user, who chooses how to sign in with the link of a mail',
  about: [
    'The user cannot sign in before the link is used, which works once, for 7 days. With `identity.mail`, a running server mails it, and its use verifies the address. Else, or with --print, it is printed, and verifies nothing.',
    'The same command again makes a new link, ends the former one, and changes what the options name: with --username, a mistyped address too. `user delete` takes an invitation back.',
  ],
  args: ['address'],
  options: {
    username: { value: 'username', help: 'The username (default: the address)' },
    claim: CLAIM_OPTION,
    ...ATTRIBUTE_OPTIONS,
    print: { help: 'Print the link, and mail nothing' },
  },
  examples: [
    ['ostiary user invite ann@example.com', 'Mail Ann a link; her username is the address'],
    [
      'ostiary user invite eva@example.com --username eva --claim name="Eva Example" --claim locale=de --group staff',
      'Eva gets the mail in German',
    ],
  ],
  ...ofRealm(async (realm, input) => {
    const wanted = inputOf(input)
    await refuseConfigured(realm, wanted.username)
    return outputOf(await realm.accounts.invite(wanted, input.flag('print')))
  }, inputOf),
}

function inputOf(input: CommandInput): UserInput {
  const email = addressOf(input)
  const claims = claimsOf(input.list('claim'))
  if (claims.email !== undefined) throw usageError('--claim email: the address is the argument')
  return { ...claims, ...attributesOf(input), email, username: input.text('username') ?? email }
}

/** The next start would take back what the invitation changes. */
async function refuseConfigured(realm: RealmOperations, username: string): Promise<void> {
  const key = usernameKey(username)
  const user = key === null ? null : await realm.users.findByUsername(key)
  if (user)
    refuseConfiguredUser(realm, user, 'let the user in with ostiary user recovery-link, or change the user')
}

function outputOf({ user, again, url, expires_at }: Invitation) {
  const { sub, username } = user
  const email = String(user.claims.email)
  const link = url === null ? {} : { link: url }
  const fields = {
    username: printable(username),
    sub,
    email: printable(email),
    ...link,
    expires: iso(expires_at),
  }
  const sent =
    url === null ? 'A running server mails the link.' : 'The link is not shown again. It works once.'
  return {
    text: record(Object.entries(fields)),
    json: { sub, username, email, ...link, expires_at, mailed: url === null, again },
    note: again ? `${printable(username)} was invited before: a former link has ended. ${sent}` : sent,
    event: { subject: { sub, username } },
  }
}

export const invitations: Command = {
  name: 'user invitations',
  effect: 'reads',
  summary: 'List the users who were invited and have not used the link',
  options: PAGE_OPTIONS,
  examples: [['ostiary user invitations', 'The first 50']],
  ...ofRealm(async (realm, input) => {
    const { items, next } = await searched(input, {
      list: realm.invitations,
      idOf: ({ sub }) => sub,
      textsOf: () => [],
    })
    const rows = items.map(({ sub, username, email, created_at, expires_at }) => [
      sub,
      printable(username),
      printable(email ?? '-'),
      iso(created_at),
      iso(expires_at),
    ])
    const shown = table(['SUB', 'USERNAME', 'EMAIL', 'INVITED', 'EXPIRES'], rows)
    return { text: shown, json: { invitations: items, next }, ...nextPageNote(next) }
  }),
}
