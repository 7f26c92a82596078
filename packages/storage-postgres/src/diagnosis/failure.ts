/** What an error of the database means, and what to do about it. */

import { SchemaError } from '../migrations/schema-error.js'
import { databaseAdvice, knownFailure } from './advice.js'
import { type DatabaseFinding, fault } from './finding.js'

/**
 * What an error of `diagnose`, or of any later query, means.
 * @param shown_as What the finding calls the database, without its password. Null for an embedded one: then only the version of
 * its schema is understood.
 * @returns Null when the error is not understood.
 */
export function diagnoseFailure(error: unknown, shown_as: string | null): DatabaseFinding | null {
  if (error instanceof SchemaError)
    return fault(
      error.message,
      error.state === 'older'
        ? 'Run ostiary migrate.'
        : 'Run the newer version of the server; see docs/upgrade.md.',
    )
  return shown_as === null ? null : serverFailure(error, shown_as)
}

function serverFailure(error: unknown, shown_as: string): DatabaseFinding | null {
  const advice = databaseAdvice(error)
  if (advice === null) return null
  const [state = `: ${error instanceof Error ? error.message : error}`] = knownFailure(error) ?? []
  return fault(shown_as + state, advice)
}
