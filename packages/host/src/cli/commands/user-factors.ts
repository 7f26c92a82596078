/** How a user signs in beside the password: passkeys, an authenticator app, recovery codes. */

import {
  codesLeft,
  type Factor,
  type FactorRemoval,
  planFactorRemoval,
  removeFactors,
  signInSettings,
  type User,
} from '@ostiary/identity'
import { type Command, type CommandInput, failure, notFound, usageError } from '../command.js'
import { confirm } from '../confirm.js'
import { given } from '../given.js'
import { iso, printable, table } from '../output.js'
import { findUser, NAMED_USER, nowSeconds, ofRealm, ofUser, type Workspace } from '../workspace.js'
import { RECOVERY_LINK } from './password.js'
import {
  accessEffects,
  changedMeanwhile,
  countOf,
  endAccess,
  endedText,
  REMOVAL_OPTIONS,
} from './user-access.js'

/** How many are left. */
export const recoveryCodes = (factors: readonly Factor[]): number =>
  factors.reduce((sum, factor) => sum + codesLeft(factor), 0)

const KINDS: Readonly<Record<Factor['kind'], string>> = {
  passkey: 'passkey',
  totp: 'app',
  recovery: 'recovery codes',
}

export const factorsList: Command = {
  name: 'user factors list',
  effect: 'reads',
  summary: 'List the passkeys and the authenticator app of a user',
  ...NAMED_USER,
  examples: [['ostiary user factors list ann', 'How ann signs in beside the password']],
  ...ofUser(async (workspace, { sub, username, second_step }) => {
    const factors = await workspace.factors.list(sub)
    const shown = factors.filter(({ kind }) => kind !== 'recovery')
    const rows = shown.map(({ kind, label, created_at, last_used_at, factor_id }) => [
      KINDS[kind],
      printable(label),
      iso(created_at),
      iso(last_used_at),
      factor_id,
    ])
    const recovery_codes = recoveryCodes(factors)
    return {
      text: [
        table(['KIND', 'NAME', 'CREATED', 'LAST USED', 'ID'], rows),
        `Recovery codes left: ${recovery_codes}`,
        `Second step: ${second_step ? 'on' : 'off'}`,
      ].join('\n'),
      // Without the data of a factor: that of an app is a secret.
      json: {
        sub,
        username,
        factors: shown.map(({ data: _, state: __, sub: ___, ...factor }) => factor),
        recovery_codes,
        second_step,
      },
    }
  }),
}

interface Account {
  user: User
  factors: readonly Factor[]
}

/** What the command line names: one factor, or all. @throws CommandError (usage) */
function selectionOf(input: CommandInput) {
  const factor_id = input.text('id')
  if ((factor_id !== undefined) === input.flag('all')) throw usageError('give --id or --all')
  return factor_id === undefined ? 'all' : { factor_id }
}

/** @throws CommandError when nothing can be removed. */
function planned(workspace: Workspace, input: CommandInput, { user, factors }: Account): FactorRemoval {
  const settings = signInSettings(workspace.realm, workspace.entries.identity)
  const plan = planFactorRemoval(user, factors, { selection: selectionOf(input), settings })
  const name = printable(user.username)
  if (plan === 'last_way_in')
    throw failure(
      settings.password
        ? `${name} has no password, and could not sign in without a passkey. Set a password first: ostiary user set-password`
        : `${name} could not sign in without a passkey: the realm has no passwords. Let the user add another one first: ${RECOVERY_LINK}`,
    )
  if (plan !== 'no_factor') return plan
  const id = input.text('id')
  throw notFound(
    `${name} has no ${id === undefined ? 'factors' : `factor ${JSON.stringify(id)}`}; see user factors list`,
  )
}

const effectsOf = ({ username, sub }: User, { removed }: FactorRemoval, input: CommandInput): string[] => [
  `Of ${printable(username)} (sub ${sub}) will be removed, and the second step if none is left:`,
  ...removed.map(({ kind, label }) => `  ${KINDS[kind]} ${printable(label)}`.trimEnd()),
  ...accessEffects(input),
]

async function remove(
  workspace: Workspace,
  input: CommandInput,
  { user, plan }: { user: User; plan: FactorRemoval },
) {
  const { sub, username } = user
  const now = nowSeconds()
  if (!(await removeFactors(workspace.factors, user, { ...plan, now }))) throw changedMeanwhile(user)
  const ended = await endAccess(workspace, input, sub)
  const removed = plan.removed.map(({ factor_id: id, kind }) => ({ factor_id: id, kind }))
  return {
    text: [
      `Removed: ${plan.removed.map(({ kind }) => KINDS[kind]).join(', ') || '-'}`,
      `Second step: ${plan.second_step ? 'on' : 'off'}`,
      ...endedText(ended),
    ].join('\n'),
    json: { sub, username, removed, second_step: plan.second_step, ...ended },
    event: {
      subject: { sub, username, ...given({ factor_id: input.text('id') }) },
      count: { factors: removed.length, ...countOf(ended).count },
    },
  }
}

export const factorsRemove: Command = {
  name: 'user factors remove',
  effect: 'changes',
  summary: 'Remove passkeys and the authenticator app of a user',
  about: [
    'All sessions and grants end, offline access too. With the last passkey or app, the recovery codes and the second step end. The last passkey of a user without a password stays.',
  ],
  args: ['username'],
  options: {
    id: { value: 'id', help: 'One, as user factors list shows it' },
    all: { help: 'All passkeys, the app and the recovery codes' },
    ...REMOVAL_OPTIONS,
  },
  examples: [
    ['ostiary user factors remove ann --id 9fKo5iWhXvNQ7vT1sUeGdQ1b', 'One passkey or app'],
    ['ostiary user factors remove ann --all', 'All of them'],
  ],
  ...ofRealm(async (workspace, input, context) => {
    const user = await findUser(workspace, input)
    const plan = planned(workspace, input, { user, factors: await workspace.factors.list(user.sub) })
    await confirm(input, context, { effects: effectsOf(user, plan, input) })
    return remove(workspace, input, { user, plan })
  }, selectionOf),
}
