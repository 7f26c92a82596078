import { inviteUser, type Ticket, type User, type UserInput, usernameKey } from '@ostiary/identity'
import type { MailOptions } from '@ostiary/identity/mail'
import { type Command, type CommandInput, usageError } from '../../command.js'
import { iso, printable, record, table } from '../../output.js'
import {
  addressOf,
  inRealm,
  nextPageNote,
  nowSeconds,
  ofRealm,
  PAGE_OPTIONS,
  searched,
  type Workspace,
} from '../../workspace.js'
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
  of_realm: true,
  examples: [
    ['ostiary user invite ann@example.com', 'Mail Ann a link; her username is the address'],
    [
      'ostiary user invite eva@example.com --username eva --claim name="Eva Example" --claim locale=de --group staff',
      'Eva gets the mail in German',
    ],
  ],
  run(input, context) {
    const wanted = inputOf(input)
    return inRealm(input, context, async (workspace) => {
      const { users, tickets, factors, realm, storage, config } = workspace
      await refuseConfigured(workspace, wanted.username)
      const mail = input.flag('print') ? null : mailOf(workspace)
      const options = {
        users: () => users,
        tickets: () => tickets,
        factors: () => factors,
        throttle: () => storage.throttle,
        secret: config.secret,
        ...(mail && { mail }),
      }
      const invited = await inviteUser(options, realm, wanted)
      return outputOf(invited)
    })
  },
}

function inputOf(input: CommandInput): UserInput {
  const email = addressOf(input)
  const claims = claimsOf(input.list('claim'))
  if (claims.email !== undefined) throw usageError('--claim email: the address is the argument')
  return { ...claims, ...attributesOf(input), email, username: input.text('username') ?? email }
}

/** The next start would take back what the invitation changes. */
async function refuseConfigured(workspace: Workspace, username: string): Promise<void> {
  const key = usernameKey(username)
  const user = key === null ? null : await workspace.users.findByUsername(key)
  if (user)
    refuseConfiguredUser(
      workspace,
      user,
      'let the user in with ostiary user recovery-link, or change the user',
    )
}

/** Null in a realm that mails nothing. A server sends what the command stores. */
function mailOf({ entries, mails: queue }: Workspace): MailOptions | null {
  if (entries.mail === null) return null
  const { from, per_hour } = entries.mail
  const mailer = { send: () => Promise.reject(new Error('a command sends no mail')) }
  return { queue, of: () => ({ mailer, from, per_hour }) }
}

function outputOf({ user, again, url, expires_at }: Awaited<ReturnType<typeof inviteUser>>) {
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

interface Invited {
  ticket: Ticket
  user: User | null
}

/** Whether the link lets the user in: that of a user who has changed since does not. @param now Epoch seconds. */
export const isOpen = (
  { credential_version, expires_at }: Ticket,
  user: User | null,
  now: number,
): user is User => user?.credential_version === credential_version && now < expires_at

export const invitations: Command = {
  name: 'user invitations',
  effect: 'reads',
  summary: 'List the users who were invited and have not used the link',
  options: PAGE_OPTIONS,
  examples: [['ostiary user invitations', 'The first 50']],
  ...ofRealm(async ({ users, tickets }, input) => {
    const now = nowSeconds()
    const list = async (page: { after?: string; limit: number }): Promise<Invited[]> => {
      const found = await tickets.list({ ...page, purpose: 'invite' })
      return Promise.all(found.map(async (ticket) => ({ ticket, user: await users.find(ticket.sub) })))
    }
    const { items, next } = await searched(input, {
      list,
      idOf: ({ ticket }) => ticket.sub,
      textsOf: () => [],
    })
    const pending = items.flatMap(({ ticket, user }) => {
      const { created_at, expires_at } = ticket
      if (!isOpen(ticket, user, now)) return []
      const { sub, username, claims } = user
      const email = typeof claims.email === 'string' ? claims.email : null
      return [{ sub, username, email, created_at, expires_at }]
    })
    const rows = pending.map(({ sub, username, email, created_at, expires_at }) => [
      sub,
      printable(username),
      printable(email ?? '-'),
      iso(created_at),
      iso(expires_at),
    ])
    const shown = table(['SUB', 'USERNAME', 'EMAIL', 'INVITED', 'EXPIRES'], rows)
    return { text: shown, json: { invitations: pending, next }, ...nextPageNote(next) }
  }),
}
