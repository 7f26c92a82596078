/** What an error of the database means, and what to do about it. */

import { SchemaError } from '../migrations/schema-error.js'
import { databaseAdvice } from './advice.js'
import { type DatabaseFinding, fault } from './finding.js'

/** The system, postgres.js or PostgreSQL says that no server answers. */
const NO_ANSWER = /^(?:E[A-Z]+|CONNECT_TIMEOUT|CONNECTION_\w+|57P03)$/

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
  if (advice !== null) return fault(`${shown_as}: ${error instanceof Error ? error.message : error}`, advice)
  const code = codeOf(error)
  if (code === '28P01' || code === '28000')
    return fault(`${shown_as} refuses the user or the password`, 'Correct both in DATABASE_URL.')
  if (code === '3D000')
    return fault(`${shown_as}: there is no such database`, 'Create it, or correct DATABASE_URL.')
  if (code === '42501')
    return fault(
      `${shown_as}: the user may not read its tables`,
      'Grant the privilege, or name the owner of the tables in DATABASE_URL.',
    )
  if (NO_ANSWER.test(code))
    return fault(
      `${shown_as} does not answer (${code})`,
      'Start it, or correct DATABASE_URL; check the firewall.',
    )
  return null
}

/** The code of an error, looked up in its causes too; empty when there is none. */
function codeOf(error: unknown): string {
  const { code, cause, errors } = (error ?? {}) as { code?: unknown; cause?: unknown; errors?: unknown[] }
  if (typeof code === 'string') return code
  if (errors?.[0] !== undefined) return codeOf(errors[0])
  return cause === undefined ? '' : codeOf(cause)
}
