/** What a command with --plan prints: the change that a server would make. */

import type { CommandResult } from './command.js'
import { countLine, printable, printableTable } from './output.js'

/** The error in place of the change, of `@ostiary/admin-client`, which is loaded with --server alone. */
interface PlannedError extends Error {
  /** As the server has sent it. */
  plan: unknown
}

/** The output of a run that has ended with a plan. Null for another error. */
export const planOf = (error: unknown): CommandResult | null => (isPlanned(error) ? shown(error.plan) : null)

const isPlanned = (error: unknown): error is PlannedError =>
  error instanceof Error && error.name === 'Planned' && 'plan' in error

interface Change {
  pointer: string
  from?: unknown
  to?: unknown
  secret?: boolean
}

function shown(plan: unknown): CommandResult {
  const { changes, effects } = plan as { changes: Change[]; effects: Record<string, number | null> }
  const counts = Object.entries(effects).map(([name, count]) => [name, count ?? 'not counted'])
  const rows = changes.map(({ pointer, from, to, secret = false }) => [
    pointer === '' ? 'the record' : pointer,
    secret ? 'not shown' : value(from),
    secret ? 'not shown' : value(to),
  ])
  const lines = [
    'Nothing was changed',
    rows.length === 0 ? 'No member would change' : printableTable([['MEMBER', 'IS', 'WOULD BE'], ...rows]),
    printable(countLine('Ended, or of keys made', Object.fromEntries(counts))),
  ]
  return { text: lines.join('\n'), json: plan }
}

const value = (json: unknown): string => (json === undefined ? '-' : JSON.stringify(json))
