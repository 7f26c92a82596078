import type { AccountPassword } from '@ostiary/admin-client/remote'
import { type Command, type CommandInput, usageError } from '../command.js'
import { iso, printable, record, table } from '../output.js'
import {
  findUser,
  inRealm,
  nextPageNote,
  ofRealm,
  ofUser,
  PAGE_OPTIONS,
  SEARCH_OPTION,
  SUB_OPTION,
  searched,
} from '../workspace.js'
import { ATTRIBUTE_OPTIONS, attributesOf } from './attributes.js'
import { CLAIM_OPTION, claimsOf } from './claims.js'
import { generatedPassword, PASSWORD_OPTIONS, passwordNote, RECOVERY_LINK, readPassword } from './password.js'
import { invitations, invite } from './user/invite.js'
import { linksList, linksRemove } from './user/links.js'
import { accessOptions, countOf, endedJson, endedText, KEEP_ACCESS_OPTION } from './user-access.js'
import { deleteCommand } from './user-delete.js'
import { factorsList, factorsRemove } from './user-factors.js'
import { userImport } from './user-import.js'
import { recoveryLink } from './user-recovery-link.js'
import { show } from './user-show.js'
import { userJson, userStateOf } from './user-text.js'
import { update } from './user-update.js'

function newClaims(input: CommandInput): Record<string, unknown> {
  const claims = claimsOf(input.list('claim'))
  if (!input.flag('email-verified')) return claims
  if (claims.email === undefined) throw usageError('--email-verified: give --claim email=<address> too')
  return { ...claims, email_verified: true }
}

/** dex, kubelogin and oauth2-proxy are such applications. */
const EMAIL_NOTE =
  'The address is not verified, and some applications refuse such a user. If you have verified it: user update --claim email_verified=true.'

const firstPasskeyNote = (username: string): string =>
  `The realm has no passwords. Let the user in to add the first passkey: ${RECOVERY_LINK} ${printable(username)}`

/** What the output of `user create` says beside the user. */
function createNote(
  claims: Record<string, unknown>,
  { password, way_in }: { password: AccountPassword | null; way_in: string | null },
): { note?: string } {
  const is_open = claims.email !== undefined && claims.email_verified === undefined
  const notes = [password && passwordNote(password).note, way_in, is_open ? EMAIL_NOTE : null].filter(Boolean)
  return notes.length === 0 ? {} : { note: notes.join('\n') }
}

const create: Command = {
  name: 'user create',
  effect: 'changes',
  summary: 'Create a user',
  about: [
    'Without a password option, a password is generated and printed once, where the realm has passwords. A user of the configuration is changed there.',
  ],
  args: ['username'],
  options: {
    ...PASSWORD_OPTIONS,
    'no-password': { help: 'The user cannot sign in with a password' },
    sub: {
      value: 'sub',
      help: 'The identifier of the user in tokens, never reassigned (default: a random one)',
    },
    claim: CLAIM_OPTION,
    'email-verified': { help: 'You have verified the address of the claim email (email_verified=true)' },
    ...ATTRIBUTE_OPTIONS,
  },
  of_realm: true,
  remote: true,
  examples: [
    [
      'ostiary user create ann --claim name="Ann Example" --claim email=ann@example.com --email-verified',
      'Generate a password for Ann and print it',
    ],
    [
      'printf %s "$PASSWORD" | ostiary user create bob --password-stdin',
      'Set the password that Bob has chosen',
    ],
    [
      `ostiary user create cem --group staff --group "on call" --attribute 'department="Sales"' --attribute level=3`,
      'Give Cem groups and attributes, which oidc.claims can map to claims',
    ],
  ],
  async run(input, context) {
    const claims = newClaims(input)
    const attributes = attributesOf(input)
    const without = input.flag('no-password')
    if (without && (input.flag('password-stdin') || input.flag('password-env')))
      throw usageError('give a password or --no-password, not both')
    const given = without ? null : await readPassword(input, context)
    const sub = input.text('sub')
    return inRealm(input, context, async ({ accounts }) => {
      const [username = ''] = input.args
      const wanted = { ...claims, ...attributes, username, ...(sub !== undefined && { sub }) }
      const { user, with_password, has_passwords } = await accounts.create(wanted, given)
      const password = with_password ? given : null
      const generated = password ? generatedPassword(password) : {}
      const text = record(Object.entries({ username: user.username, sub: user.sub, ...generated }))
      const way_in = has_passwords === false ? firstPasskeyNote(user.username) : null
      return {
        text,
        json: { ...userJson(user), ...generated },
        ...createNote(claims, { password, way_in }),
        event: { subject: { sub: user.sub, username: user.username } },
      }
    })
  },
}

const text = (claim: unknown) => (typeof claim === 'string' ? claim : null)

const list: Command = {
  name: 'user list',
  effect: 'reads',
  summary: 'List the users',
  about: [
    'A user of the configuration is stored when the server first starts with it. `user show` finds a username at once.',
  ],
  options: { ...PAGE_OPTIONS, ...SEARCH_OPTION },
  examples: [
    ['ostiary user list', 'The first 50'],
    [
      'ostiary user list --search ann',
      'Users with "ann" in their sub, username, name or email address, in any case',
    ],
  ],
  ...ofRealm(async ({ users }, input) => {
    const { items, next } = await searched(input, {
      list: users.list,
      idOf: ({ sub }) => sub,
      textsOf: ({ sub, username, claims }) => [sub, username, ...[claims.name, claims.email].map(text)],
    })
    const rows = items.map((user) => [
      user.sub,
      printable(user.username),
      printable(String(user.claims.email ?? '-')),
      iso(user.created_at),
      userStateOf(user),
    ])
    const shown = table(['SUB', 'USERNAME', 'EMAIL', 'CREATED', 'STATE'], rows)
    return { text: shown, json: { users: items.map(userJson), next }, ...nextPageNote(next) }
  }),
}

/** The commands `user disable` and `user enable`. */
const stateCommand = (name: string, disabled: boolean, about: string): Command => ({
  name: `user ${name}`,
  effect: 'changes',
  summary: disabled ? 'Disable a user' : 'Enable a disabled user again',
  about: [about],
  args: ['username'],
  options: { sub: SUB_OPTION, ...(disabled && KEEP_ACCESS_OPTION) },
  examples: [[`ostiary user ${name} ann`, disabled ? 'Ann can no longer sign in' : 'Ann can sign in again']],
  ...ofUser(async ({ accounts }, user, input) => {
    const { sub, username, disabled_at } = user
    const changed = (disabled_at !== null) !== disabled
    const ended = await accounts.setDisabled(user, disabled, accessOptions(input))
    const state = `${name}d`
    const text = `${printable(username)} ${changed ? 'is' : 'was'} ${state}${changed ? '' : ' already'}`
    return {
      text: [text, ...endedText(ended)].join('\n'),
      json: { sub, username, state, changed, ...endedJson(ended) },
      event: { subject: { sub, username }, ...countOf(ended) },
    }
  }),
})

const disable = stateCommand(
  'disable',
  true,
  'Sign-in and tokens are refused. The sessions and grants of the user end; with --keep-access they are valid again after `user enable`.',
)
const enable = stateCommand(
  'enable',
  false,
  'Sessions and grants that were kept with --keep-access, and have not expired, are valid again.',
)

const setPasswordCommand: Command = {
  name: 'user set-password',
  effect: 'changes',
  summary: 'Set the password of a user',
  about: [
    'Without an option, a password is generated and printed once. All sessions and grants of the user end, offline access too.',
  ],
  args: ['username'],
  options: { ...PASSWORD_OPTIONS, ...KEEP_ACCESS_OPTION, sub: SUB_OPTION },
  of_realm: true,
  remote: true,
  examples: [
    ['ostiary user set-password ann', 'Generate a password and print it'],
    ['ANN="a long passphrase" ostiary user set-password ann --password-env ANN', 'Read it from a variable'],
  ],
  async run(input, context) {
    const password = await readPassword(input, context)
    return inRealm(input, context, async (realm) => {
      const user = await findUser(realm, input)
      const { sub, username } = user
      const ended = await realm.accounts.setPassword(user, password, accessOptions(input))
      const known = { username, sub, ...generatedPassword(password) }
      const text = [record(Object.entries(known)), ...endedText(ended)].join('\n')
      const event = { subject: { sub, username }, ...countOf(ended) }
      return { text, json: { ...known, ...endedJson(ended) }, ...passwordNote(password), event }
    })
  },
}

export const user = [
  create,
  invite,
  invitations,
  userImport,
  list,
  show,
  update,
  disable,
  enable,
  setPasswordCommand,
  factorsList,
  factorsRemove,
  linksList,
  linksRemove,
  recoveryLink,
  deleteCommand,
]
