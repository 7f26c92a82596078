/** How a user signs in beside the password: passkeys, an authenticator app, recovery codes. */

import type { FactorsToRemove, RealmOperations } from '@ostiary/admin-client/remote'
import type { Factor, User } from '@ostiary/identity'
import { given } from '../../values/given.js'
import { type Command, type CommandInput, notFound, usageError } from '../command.js'
import { confirm } from '../confirm.js'
import { iso, printable, table } from '../output.js'
import { findUser, NAMED_USER, ofRealm, ofUser } from '../workspace.js'
import {
  accessEffects,
  accessOptions,
  countOf,
  endedJson,
  endedText,
  REMOVAL_OPTIONS,
} from './user-access.js'

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
  ...ofUser(async ({ accounts }, user) => {
    const { sub, username, second_step } = user
    const { factors, recovery_codes } = await accounts.listFactors(user)
    const rows = factors.map(({ kind, label, created_at, last_used_at, factor_id }) => [
      KINDS[kind],
      printable(label),
      iso(created_at),
      iso(last_used_at),
      factor_id,
    ])
    return {
      text: [
        table(['KIND', 'NAME', 'CREATED', 'LAST USED', 'ID'], rows),
        `Recovery codes left: ${recovery_codes}`,
        `Second step: ${second_step ? 'on' : 'off'}`,
      ].join('\n'),
      json: { sub, username, factors, recovery_codes, second_step },
    }
  }),
}

/** What the command line names: one factor, or all. @throws CommandError (usage) */
function selectionOf(input: CommandInput) {
  const factor_id = input.text('id')
  if ((factor_id !== undefined) === input.flag('all')) throw usageError('give --id or --all')
  return factor_id === undefined ? 'all' : { factor_id }
}

/** @throws CommandError when nothing can be removed. */
async function planned({ accounts }: RealmOperations, input: CommandInput, user: User) {
  const plan = await accounts.planFactors(user, selectionOf(input))
  if (plan !== null) return plan
  const id = input.text('id')
  throw notFound(
    `${printable(user.username)} has no ${id === undefined ? 'factors' : `factor ${JSON.stringify(id)}`}; see user factors list`,
  )
}

const effectsOf = ({ username, sub }: User, { removed }: FactorsToRemove, input: CommandInput): string[] => [
  `Of ${printable(username)} (sub ${sub}) will be removed, and the second step if none is left:`,
  ...removed.map(({ kind, label }) => `  ${KINDS[kind]} ${printable(label)}`.trimEnd()),
  ...accessEffects(input),
]

async function remove({ sub, username }: User, plan: FactorsToRemove, input: CommandInput) {
  const ended = await plan.remove(accessOptions(input))
  const removed = plan.removed.map(({ factor_id, kind }) => ({ factor_id, kind }))
  return {
    text: [
      `Removed: ${removed.map(({ kind }) => KINDS[kind]).join(', ') || '-'}`,
      `Second step: ${plan.second_step ? 'on' : 'off'}`,
      ...endedText(ended),
    ].join('\n'),
    json: { sub, username, removed, second_step: plan.second_step, ...endedJson(ended) },
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
  ...ofRealm(async (realm, input, context) => {
    const user = await findUser(realm, input)
    const plan = await planned(realm, input, user)
    await confirm(input, context, { effects: effectsOf(user, plan, input) })
    return remove(user, plan, input)
  }, selectionOf),
}
