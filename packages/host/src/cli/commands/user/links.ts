/** The accounts at other providers with which a user signs in. */

import { type Link, signInSettings, type User } from '@ostiary/identity'
import { planLinkRemoval, removeLinks } from '../../../server/admin/user-links.js'
import { type Command, type CommandInput, failure, notFound, usageError } from '../../command.js'
import { confirm } from '../../confirm.js'
import { iso, printable, table } from '../../output.js'
import { findUser, NAMED_USER, nowSeconds, ofRealm, ofUser, type Workspace } from '../../workspace.js'
import {
  accessEffects,
  changedMeanwhile,
  countOf,
  endAccess,
  endedText,
  REMOVAL_OPTIONS,
} from '../user-access.js'

export const linksList: Command = {
  name: 'user links list',
  effect: 'reads',
  summary: 'List the accounts of a user at other providers',
  ...NAMED_USER,
  examples: [['ostiary user links list ann', 'What ann has linked']],
  ...ofUser(async (workspace, { sub, username }) => {
    const links = await workspace.links.list(sub)
    const rows = links.map(({ upstream, label, linked_at, last_used_at, subject }) => [
      upstream,
      printable(label),
      iso(linked_at),
      iso(last_used_at),
      printable(subject),
    ])
    return {
      text: table(['UPSTREAM', 'NAME', 'LINKED', 'LAST USED', 'SUBJECT'], rows),
      json: { sub, username, links: links.map(({ sub: _, ...link }) => link) },
    }
  }),
}

/** The links that the command line names. @throws CommandError also when the user could not sign in any more. */
async function selected(workspace: Workspace, input: CommandInput, user: User): Promise<Link[]> {
  const { links, factors, realm, entries } = workspace
  const linked = {
    user,
    links: await links.list(user.sub),
    factors: await factors.list(user.sub),
    settings: signInSettings(realm, entries.identity),
  }
  const found = planLinkRemoval(linked, upstreamOf(input))
  const name = printable(user.username)
  if (found === 'no_link') throw notFound(`${name} has no such link; see user links list`)
  if (found !== 'last_way_in') return found
  throw failure(
    `${name} could not sign in any more. Set a password first (ostiary user set-password), or disable the user`,
  )
}

/** Null with --all. @throws CommandError (usage) */
function upstreamOf(input: CommandInput): string | null {
  const upstream = input.text('upstream') ?? null
  if ((upstream !== null) === input.flag('all')) throw usageError('give --upstream or --all')
  return upstream
}

async function remove(
  workspace: Workspace,
  input: CommandInput,
  { user, found }: { user: User; found: readonly Link[] },
) {
  const { sub, username, credential_version } = user
  if (!(await removeLinks(workspace.links, { credential_version, found }, nowSeconds())))
    throw changedMeanwhile(user)
  const ended = await endAccess(workspace, input, sub)
  return {
    text: [`Removed: ${found.map(({ upstream }) => upstream).join(', ')}`, ...endedText(ended)].join('\n'),
    json: {
      sub,
      username,
      removed: found.map(({ upstream, issuer, subject }) => ({ upstream, issuer, subject })),
      ...ended,
    },
    event: { subject: { sub, username }, count: { links: found.length, ...countOf(ended).count } },
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
  ...ofRealm(async (workspace, input, context) => {
    const user = await findUser(workspace, input)
    const found = await selected(workspace, input, user)
    const effects = [
      `Of ${printable(user.username)} (sub ${user.sub}) will be removed:`,
      ...found.map(({ upstream, label }) => `  ${upstream} ${printable(label)}`.trimEnd()),
      ...accessEffects(input),
    ]
    await confirm(input, context, { effects })
    return remove(workspace, input, { user, found })
  }, upstreamOf),
}
