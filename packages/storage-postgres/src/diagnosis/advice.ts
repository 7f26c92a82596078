import { NoPrimaryError, RestoredError } from '../connection/availability.js'

/**
 * What to do about an error of a PostgreSQL or of a pooler in front of it: a sentence that names the settings of a server of
 * Ostiary. Null when the error says enough.
 */
export function databaseAdvice(cause: unknown): string | null {
  if (cause instanceof NoPrimaryError)
    return 'Name the primary in DATABASE_URL, or every server: postgres://user:password@host1:5432,host2:5432/database.'
  if (cause instanceof RestoredError)
    return 'Stop the servers, and run ostiary database restored, with --nothing-lost if it was only moved; see "After a restore" in docs/run-it.md.'
  const [, parameter] =
    /unsupported startup parameter: (\w+)/.exec(cause instanceof Error ? cause.message : '') ?? []
  if (parameter === undefined) return null
  const inPooler = `Add ${parameter} to ignore_startup_parameters in the configuration of PgBouncer`
  return parameter === 'statement_timeout'
    ? `${inPooler}, or set OSTIARY_DATABASE__STATEMENT_TIMEOUT to 0; see "PgBouncer" in docs/run-it.md.`
    : `${inPooler}, or remove it from DATABASE_URL.`
}
