/** The accounts at other providers with which a user signs in. */

import { type Link, signInSettings, type User } from '@ostiary/identity'
import { type Command, CommandError, type CommandInput, notFound, usageError } from '../../command.js'
import { confirm, requireConfirmable, YES_OPTION } from '../../confirm.js'
import { iso, printable, table } from '../../output.js'
import { findUser, NAMED_USER, ofRealm, SUB_OPTION, type Workspace } from '../../workspace.js'
import {
  accessEffects,
  changedMeanwhile,
  countOf,
  endAccess,
  endedText,
  KEEP_ACCESS_OPTION,
} from '../user-access.js'
import { waysIn } from '../user-factors.js'

export const linksList: Command = {
  name: 'user links list',
  effect: 'reads',
  summary: 'List the accounts at other providers with which a user signs in',
  ...NAMED_USER,
  examples: [['ostiary user links list ann', 'What ann has linked']],
  ...ofRealm(async (workspace, input) => {
    const { sub, username } = await findUser(workspace, input)
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

/** The links that the command line names. @throws CommandError */
async function selected({ links }: Workspace, input: CommandInput, user: User): Promise<Link[]> {
  const upstream = upstreamOf(input)
  const found = (await links.list(user.sub)).filter((link) => upstream === null || link.upstream === upstream)
  if (found.length > 0) return found
  const of = upstream === null ? '' : ` of ${printable(upstream)}`
  throw notFound(`${printable(user.username)} has no link${of}; see user links list`)
}

/** Null with --all. @throws CommandError (usage) */
function upstreamOf(input: CommandInput): string | null {
  const upstream = input.text('upstream') ?? null
  if ((upstream !== null) === input.flag('all')) throw usageError('give --upstream or --all')
  return upstream
}

/** @throws CommandError when the user could not sign in any more. */
async function requireOtherWay(
  { links, factors, realm, entries }: Workspace,
  user: User,
  removed: readonly Link[],
): Promise<void> {
  const has_password = user.password_hash !== null && signInSettings(realm, entries.identity).password
  const has_passkey = waysIn(await factors.list(user.sub)).passkeys > 0
  const has_link = (await links.list(user.sub)).length > removed.length
  if (has_password || has_passkey || has_link) return
  throw new CommandError(
    `${printable(user.username)} could not sign in any more. Set a password first (ostiary user set-password), or disable the user (ostiary user disable)`,
  )
}

async function remove(
  workspace: Workspace,
  input: CommandInput,
  { user, found }: { user: User; found: readonly Link[] },
) {
  const { sub, username } = user
  const now = Math.floor(Date.now() / 1000)
  let { credential_version } = user
  for (const link of found) {
    if (!(await workspace.links.remove(link, { credential_version, now }))) throw changedMeanwhile(user)
    credential_version += 1
  }
  const ended = await endAccess(workspace, input, sub)
  const removed = found.map(({ upstream, issuer, subject }) => ({ upstream, issuer, subject }))
  return {
    text: [`Removed: ${found.map(({ upstream }) => upstream).join(', ')}`, ...endedText(ended)].join('\n'),
    json: { sub, username, removed, ...ended },
    event: { subject: { sub, username }, count: { links: removed.length, ...countOf(ended).count } },
  }
}

export const linksRemove: Command = {
  name: 'user links remove',
  effect: 'changes',
  summary: 'Remove accounts at other providers from a user',
  about: [
    'All sessions and grants end, offline access too. The last way to sign in stays. Where the provider may sign users up, the same person can come back as a new user.',
  ],
  args: ['username'],
  options: {
    upstream: { value: 'id', help: 'Those at one provider, by its id in identity.upstreams' },
    all: { help: 'All of them' },
    ...KEEP_ACCESS_OPTION,
    sub: SUB_OPTION,
    ...YES_OPTION,
  },
  examples: [['ostiary user links remove ann --upstream google', 'ann signs in at Google no more']],
  ...ofRealm(
    async (workspace, input, context) => {
      const user = await findUser(workspace, input)
      const found = await selected(workspace, input, user)
      await requireOtherWay(workspace, user, found)
      const effects = [
        `Of ${printable(user.username)} (sub ${user.sub}) will be removed:`,
        ...found.map(({ upstream, label }) => `  ${upstream} ${printable(label)}`.trimEnd()),
        ...accessEffects(input),
      ]
      await confirm(input, context, { effects })
      return remove(workspace, input, { user, found })
    },
    (input, context) => {
      upstreamOf(input)
      requireConfirmable(input, context)
    },
  ),
}
