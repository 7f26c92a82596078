/** The accounts at other providers with which a user signs in. */

import type { LinksToRemove } from '@ostiary/admin-client/remote'
import type { User } from '@ostiary/identity'
import { type Command, type CommandInput, notFound, usageError } from '../../command.js'
import { confirm } from '../../confirm.js'
import { iso, printable, table } from '../../output.js'
import { findUser, NAMED_USER, ofRealm, ofUser } from '../../workspace.js'
import {
  accessEffects,
  accessOptions,
  countOf,
  endedJson,
  endedText,
  REMOVAL_OPTIONS,
} from '../user-access.js'

export const linksList: Command = {
  name: 'user links list',
  effect: 'reads',
  summary: 'List the accounts of a user at other providers',
  ...NAMED_USER,
  examples: [['ostiary user links list ann', 'What ann has linked']],
  ...ofUser(async ({ accounts }, user) => {
    const { sub, username } = user
    const links = await accounts.listLinks(user)
    const rows = links.map(({ upstream, label, linked_at, last_used_at, subject }) => [
      upstream,
      printable(label),
      iso(linked_at),
      iso(last_used_at),
      printable(subject),
    ])
    return {
      text: table(['UPSTREAM', 'NAME', 'LINKED', 'LAST USED', 'SUBJECT'], rows),
      json: { sub, username, links },
    }
  }),
}

/** Null with --all. @throws CommandError (usage) */
function upstreamOf(input: CommandInput): string | null {
  const upstream = input.text('upstream') ?? null
  if ((upstream !== null) === input.flag('all')) throw usageError('give --upstream or --all')
  return upstream
}

async function remove({ sub, username }: User, { removed, remove: end }: LinksToRemove, input: CommandInput) {
  const ended = await end(accessOptions(input))
  return {
    text: [`Removed: ${removed.map(({ upstream }) => upstream).join(', ')}`, ...endedText(ended)].join('\n'),
    json: {
      sub,
      username,
      removed: removed.map(({ upstream, issuer, subject }) => ({ upstream, issuer, subject })),
      ...endedJson(ended),
    },
    event: { subject: { sub, username }, count: { links: removed.length, ...countOf(ended).count } },
  }
}

export const linksRemove: Command = {
  name: 'user links remove',
  effect: 'changes',
  summary: 'Remove accounts of a user at other providers',
  about: ['All sessions and grants end, offline access too. The last way to sign in stays.'],
  args: ['username'],
  options: {
    upstream: { value: 'id', help: 'Those at one provider, by its id' },
    all: { help: 'All of them' },
    ...REMOVAL_OPTIONS,
  },
  examples: [['ostiary user links remove ann --upstream google', 'ann signs in at Google no more']],
  ...ofRealm(async (realm, input, context) => {
    const user = await findUser(realm, input)
    const name = printable(user.username)
    const plan = await realm.accounts.planLinks(user, upstreamOf(input))
    if (plan === null) throw notFound(`${name} has no such link; see user links list`)
    const effects = [
      `Of ${name} (sub ${user.sub}) will be removed:`,
      ...plan.removed.map(({ upstream, label }) => `  ${upstream} ${printable(label)}`.trimEnd()),
      ...accessEffects(input),
    ]
    await confirm(input, context, { effects })
    return remove(user, plan, input)
  }, upstreamOf),
}
