/** Where the commands about realms work. */

import type { RealmPlaces } from '@ostiary/realms/commands'
import { manageRealms } from '../management/manage-realms.js'
import type { CommandContext, CommandInput } from './command.js'
import { inServer, linesTo } from './workspace.js'

export const REALM_PLACES: RealmPlaces<CommandInput, CommandContext> = {
  here: ({ env, cwd, err }, run) => manageRealms(env, { cwd, write: linesTo({ err }) }, run),
  inServer,
}
