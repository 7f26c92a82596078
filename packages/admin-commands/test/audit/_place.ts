/** The commands over a place of the audit. */

import { catalogReasons, clientFields, clientInput, hintOfEvent } from '@ostiary/core'
import { explain } from '@ostiary/explain'
import { setDisabled, updateUser, usernameKey } from '@ostiary/identity'
import { type auditPlace, REALM } from '../../../audit/test/_place.ts'
import { printableTable } from '../../../host/src/cli/output.ts'
import { realmOf } from '../../../host/src/server/realm-of.ts'
import type { AuditInput, AuditResult } from '../../src/audit/command-types.ts'
import { knownSince } from '../../src/audit/history/rows.ts'
import type { HistoryPlace } from '../../src/audit/place.ts'
import { RUNS } from '../../src/audit/runs.ts'

export {
  auditPlace,
  dataOf,
  NOW,
  type PlaceOptions,
  REALM,
  userRecord,
} from '../../../audit/test/_place.ts'

/** The errors of a command line, told apart by their messages. */
export const ERRORS = {
  usageError: (message: string) => new Error(`usage: ${message}`),
  notFound: (message: string) => new Error(`not found: ${message}`),
  failure: (message: string) => new Error(`failed: ${message}`),
}
export const IDENTITY = { updateUser, setDisabled, usernameKey }
export const CORE = { catalogReasons, clientFields, clientInput, hintOfEvent }
export const NO_ENTRIES = { clients: [], users: [] }

/** The commands over a place, with its rows, its management and its users. */
export async function commandsOf(place: ReturnType<typeof auditPlace>, more: Partial<HistoryPlace> = {}) {
  const printed: string[] = []
  const questions: string[] = []
  const { store, bare, audit } = place
  const management = await place.provider.manage(REALM)
  const realm = await realmOf(place.bare, REALM)
  const opened: HistoryPlace = {
    realm: REALM,
    store,
    keep_days: 36_500,
    provider: bare,
    errors: ERRORS,
    table: printableTable,
    management,
    users: place.users,
    entries: NO_ENTRIES,
    audit,
    identity: IDENTITY,
    core: CORE,
    knownSince: () => knownSince(store, REALM),
    stories: (name) =>
      explain(store, { realm, core: CORE, clients: management.clients, users: place.users }, name),
    confirm: async ({ effects }) => void questions.push(...effects),
    ...more,
  }
  return {
    printed,
    questions,
    opened,
    async run(
      name: keyof typeof RUNS,
      args: string[] = [],
      { cwd = '', ...options }: Record<string, string> = {},
    ): Promise<AuditResult> {
      const input: AuditInput = {
        args,
        text: (option) => options[option],
        flag: (option) => option in options,
      }
      return RUNS[name](opened, input, { cwd, out: (text) => void printed.push(text) })
    },
  }
}
