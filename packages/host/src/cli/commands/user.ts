import { createUser, setDisabled, setPassword, type User } from '@ostiary/identity'
import { userSchema } from '../../config/file-schema.js'
import { leaves } from '../../config/schema-keys.js'
import { type Command, CommandError, type CommandInput, type CommandOption, usageError } from '../command.js'
import { iso, printable, record, table } from '../output.js'
import { findUser, inRealm, more, PAGE, paged, SUB, type Workspace } from '../workspace.js'
import { keepIt, PASSWORD, readPassword, shown } from './password.js'

/** Without the hash of the password. */
const userJson = ({ password_hash, username_key: _, ...user }: User) => ({
  ...user,
  has_password: password_hash !== null,
})
const stateOf = ({ disabled_at }: User) => (disabled_at === null ? 'enabled' : `disabled ${iso(disabled_at)}`)

const create: Command = {
  name: 'user create',
  summary: 'Make a user',
  about: [
    'Without a password option, one is generated and printed this one time. Where the configuration names a user, change it there, not here.',
  ],
  args: ['username'],
  options: {
    ...PASSWORD,
    'no-password': { help: 'The user cannot sign in with a password' },
    sub: { value: 'sub', help: 'The identifier in tokens, never reassigned (default: a random one)' },
    claim: {
      value: 'name=value',
      many: true,
      help: 'A standard claim, such as name, email, email_verified=true or address.locality',
    },
  },
  of_realm: true,
  examples: [
    [
      'ostiary user create ann --claim name="Ann Example" --claim email=ann@example.com',
      'Print a password for her',
    ],
    ['printf %s "$PASSWORD" | ostiary user create bob --password-stdin', 'Bob has chosen one'],
  ],
  async run(input, context) {
    const claims = claimsOf(input.list('claim'))
    const none = input.flag('no-password')
    if (none && (input.flag('password-stdin') || input.flag('password-env')))
      throw usageError('give a password or --no-password, not both')
    const password = none ? null : await readPassword(input, context)
    const sub = input.text('sub')
    return inRealm(input, context, async ({ users, storage, entries }) => {
      const configured = entries.clients.some(({ metadata }) => metadata.client_id === sub)
      if (configured || (sub !== undefined && (await storage.clients.find(sub))))
        throw new CommandError(`--sub: ${JSON.stringify(sub)} is the client_id of a client; take another one`)
      const user = await createUser(users, {
        ...claims,
        username: input.args[0] ?? '',
        ...(sub !== undefined && { sub }),
        ...(password && { password: password.password }),
      })
      const once = password ? shown(password) : {}
      const text = record(Object.entries({ username: user.username, sub: user.sub, ...once }))
      return { text, json: { ...userJson(user), ...once }, ...(password && keepIt(password)) }
    })
  },
}

const list: Command = {
  name: 'user list',
  summary: 'List the users',
  about: ['By sub. A user of the configuration is stored when the server starts for the first time with it.'],
  options: PAGE,
  of_realm: true,
  examples: [
    ['ostiary user list', 'The first fifty'],
    ['ostiary user list --limit 1000 --json', 'A thousand, for a program'],
  ],
  run: (input, context) =>
    inRealm(input, context, async ({ users }) => {
      const { items, next } = await paged(input, users.list, ({ sub }) => sub)
      const rows = items.map((user) => [
        user.sub,
        printable(user.username),
        printable(String(user.claims.email ?? '-')),
        iso(user.created_at),
        stateOf(user),
      ])
      const text = table(['SUB', 'USERNAME', 'EMAIL', 'CREATED', 'STATE'], rows)
      return { text, json: { users: items.map(userJson), next }, ...more(next) }
    }),
}

const KEEP_ACCESS: Readonly<Record<string, CommandOption>> = {
  'keep-access': { help: 'Leave sessions, and what clients hold, as they are' },
}

/** Null where it is to be kept. */
async function endAccess({ management }: Workspace, input: CommandInput, sub: string): Promise<Ended | null> {
  if (input.flag('keep-access')) return null
  const { sessions, grants } = await management.users.endAccess(sub)
  return { ended_sessions: sessions, ended_grants: grants }
}

interface Ended {
  ended_sessions: number
  ended_grants: number
}

const endedText = (ended: Ended | null): string[] =>
  ended === null ? [] : [`Ended: sessions ${ended.ended_sessions}, grants ${ended.ended_grants}`]

const switched = (name: string, disabled: boolean, about: string): Command => ({
  name: `user ${name}`,
  summary: disabled ? 'Keep a user out' : 'Let a disabled user in again',
  about: [about],
  args: ['username'],
  options: { sub: SUB, ...(disabled && KEEP_ACCESS) },
  of_realm: true,
  examples: [[`ostiary user ${name} ann`, disabled ? 'Ann is out' : 'Ann is back']],
  run: (input, context) =>
    inRealm(input, context, async (workspace) => {
      const { sub, username, disabled_at } = await findUser(workspace, input)
      const changed = (disabled_at !== null) !== disabled
      if (changed) await setDisabled(workspace.users, { sub, disabled })
      const state = `${name}d`
      const text = `${printable(username)} ${changed ? 'is' : 'was'} ${state}${changed ? '' : ' already'}`
      const ended = disabled ? await endAccess(workspace, input, sub) : null
      return {
        text: [text, ...endedText(ended)].join('\n'),
        json: { sub, username, state, changed, ...ended },
      }
    }),
})

const disable = switched(
  'disable',
  true,
  'From now on sign-in and tokens are refused. Sessions, and what clients hold for the user, end for good; with --keep-access they are good again after `user enable`.',
)
const enable = switched(
  'enable',
  false,
  'What was kept with --keep-access, and has not ended by itself, is good again.',
)

const setPasswordCommand: Command = {
  name: 'user set-password',
  summary: 'Set the password of a user',
  about: [
    'Without an option, one is generated and printed this one time. All sessions of the user end, and so does everything that clients hold, offline access too.',
  ],
  args: ['username'],
  options: { ...PASSWORD, ...KEEP_ACCESS, sub: SUB },
  of_realm: true,
  examples: [
    ['ostiary user set-password ann', 'Print a new one'],
    ['ANN="a long passphrase" ostiary user set-password ann --password-env ANN', 'Take it from a variable'],
  ],
  async run(input, context) {
    const password = await readPassword(input, context)
    return inRealm(input, context, async (workspace) => {
      const { sub, username } = await findUser(workspace, input)
      await setPassword(workspace.users, { sub, password: password.password })
      const ended = await endAccess(workspace, input, sub)
      const known = { username, sub, ...shown(password) }
      const text = [record(Object.entries(known)), ...endedText(ended)].join('\n')
      return { text, json: { ...known, ...ended }, ...keepIt(password) }
    })
  },
}

/** `email_verified=true` is a yes or no, `updated_at=0` a number, `address.locality=Paris` a part of one; the rest are texts. */
function claimsOf(given: readonly string[]): Record<string, unknown> {
  const known = leaves(userSchema).filter(
    ({ path }) => !/^(?:username|password|password_env|sub)$/.test(path),
  )
  const claims: Record<string, unknown> = {}
  for (const text of given) {
    const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? []
    const claim = known.find(({ path }) => path === name)
    if (claim === undefined)
      throw usageError(`--claim ${text.slice(0, 100)}: give <name>=<value> with the name of a standard claim`)
    const right =
      claim.kind === 'text' || (claim.kind === 'number' ? /^\d{1,10}$/ : /^(?:true|false)$/).test(value)
    if (!right)
      throw usageError(
        `--claim ${name}: give ${claim.kind === 'number' ? 'a whole number' : 'true or false'}`,
      )
    const parsed = claim.kind === 'text' ? value : JSON.parse(value)
    const [outer = '', inner] = name.split('.')
    claims[outer] =
      inner === undefined ? parsed : { ...(claims[outer] as object | undefined), [inner]: parsed }
  }
  return claims
}

export const user = [create, list, disable, enable, setPasswordCommand]
