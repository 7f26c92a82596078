/** The sessions, grants and consents of a user, and their end after a change of how the user signs in. */

import { type CommandError, type CommandInput, type CommandOption, failure } from '../command.js'
import { YES_OPTION } from '../confirm.js'
import { countLine, printable } from '../output.js'
import { SUB_OPTION, type Workspace } from '../workspace.js'

export const KEEP_ACCESS_OPTION: Readonly<Record<string, CommandOption>> = {
  'keep-access': { help: 'Do not end the sessions and grants of the user' },
}

/** What a command has that removes ways to sign in, beside what it removes. */
export const REMOVAL_OPTIONS = { ...KEEP_ACCESS_OPTION, sub: SUB_OPTION, ...YES_OPTION }

/** What `endAccess` will do, as a line before the question. */
export const accessEffects = (input: CommandInput): string[] =>
  input.flag('keep-access') ? [] : ['All sessions and grants end.']

/** Another change of the user came first. */
export const changedMeanwhile = ({ username }: { username: string }): CommandError =>
  failure(`${printable(username)} was changed at the same time: try again`)

/** How many sessions and grants were ended. */
export interface EndCounts {
  ended_sessions: number
  ended_grants: number
}

/** Ends the sessions and grants of a user; null with --keep-access. */
export async function endAccess(
  { management }: Workspace,
  input: CommandInput,
  sub: string,
): Promise<EndCounts | null> {
  if (input.flag('keep-access')) return null
  const { sessions, grants } = await management.users.endAccess(sub)
  return { ended_sessions: sessions, ended_grants: grants }
}

export const countOf = (ended: EndCounts | null): { count?: Record<string, number> } =>
  ended === null ? {} : { count: { sessions: ended.ended_sessions, grants: ended.ended_grants } }

export const endedText = (ended: EndCounts | null): string[] =>
  Object.values(countOf(ended)).map((count) => countLine('Ended', count))

/** How many sessions, grants and consents a user has; withdrawn consents count. */
export async function accessOf(
  { management }: Workspace,
  sub: string,
): Promise<{ sessions: number; grants: number; consents: number }> {
  const { sessions, grants, consents } = management
  const lists = await Promise.all([sessions.list(sub), grants.list(sub), consents.list(sub)])
  return { sessions: lists[0].length, grants: lists[1].length, consents: lists[2].length }
}
