/** The sessions, grants and consents of a user, and their end after a change of how the user signs in. */

import type { EndedAccess, RealmOperations } from '@ostiary/admin-client/remote'
import type { CommandInput, CommandOption } from '../command.js'
import { YES_OPTION } from '../confirm.js'
import { countLine } from '../output.js'
import { SUB_OPTION } from '../workspace.js'

export const KEEP_ACCESS_OPTION: Readonly<Record<string, CommandOption>> = {
  'keep-access': { help: 'Do not end the sessions and grants of the user' },
}

/** What a command has that removes ways to sign in, beside what it removes. */
export const REMOVAL_OPTIONS = { ...KEEP_ACCESS_OPTION, sub: SUB_OPTION, ...YES_OPTION }

/** What `endAccess` will do, as a line before the question. */
export const accessEffects = (input: CommandInput): string[] =>
  input.flag('keep-access') ? [] : ['All sessions and grants end.']

/** What the command line says of the sessions and grants. */
export const accessOptions = (input: CommandInput) => ({ keep_access: input.flag('keep-access') })

/** What was ended, as JSON. */
export const endedJson = (ended: EndedAccess): object =>
  ended === null ? {} : { ended_sessions: ended.sessions, ended_grants: ended.grants }

export const countOf = (ended: EndedAccess): { count?: Record<string, number> } =>
  ended === null ? {} : { count: { ...ended } }

export const endedText = (ended: EndedAccess): string[] =>
  ended === null ? [] : [countLine('Ended', { ...ended })]

/** How many sessions, grants and consents a user has; withdrawn consents count. */
export async function accessOf(
  { management }: RealmOperations,
  sub: string,
): Promise<{ sessions: number; grants: number; consents: number }> {
  const { sessions, grants, consents } = management
  const lists = await Promise.all([sessions.list(sub), grants.list(sub), consents.list(sub)])
  return { sessions: lists[0].length, grants: lists[1].length, consents: lists[2].length }
}
