import { codeOf, NoPrimaryError, RestoredError } from '../connection/availability.js'

type Known = readonly [state: string, advice: string]

/** By the code of an error, or by its class. */
const KNOWN: Readonly<Record<string, Known>> = {
  28: [' refuses the user or the password', 'Correct both in DATABASE_URL.'],
  '3D': [': there is no such database', 'Create it (createdb), or correct DATABASE_URL.'],
  '42501': [
    ': the user may not read its tables',
    'Grant the privilege, or name the owner of the tables in DATABASE_URL.',
  ],
}

/** The system, postgres.js or PostgreSQL says that no server answers. */
const NO_ANSWER = /^(?:E[A-Z]+|CONNECT_TIMEOUT|CONNECTION_\w+|57P03)$/

/** What an error of a server means, to follow its name, and what to do; undefined when the code does not tell. */
export function knownFailure(error: unknown): Known | undefined {
  const code = innerCode(error)
  if (NO_ANSWER.test(code))
    return [` does not answer (${code})`, 'Start it, or correct DATABASE_URL; check the firewall.']
  return KNOWN[code] ?? KNOWN[code.slice(0, 2)]
}

/** The code of an error, looked up in its causes too; empty when there is none. */
function innerCode(error: unknown): string {
  const { cause, errors } = (error ?? {}) as { cause?: unknown; errors?: unknown[] }
  const inner = errors?.[0] ?? cause
  return codeOf(error) || (inner ? innerCode(inner) : '')
}

/**
 * What to do about an error of a PostgreSQL or of a pooler in front of it: a sentence that names the settings of a server of
 * Ostiary. Null when the error says enough.
 */
export function databaseAdvice(cause: unknown): string | null {
  if (cause instanceof NoPrimaryError)
    return 'Name the primary in DATABASE_URL, or every server: postgres://user:password@host1:5432,host2:5432/database.'
  if (cause instanceof RestoredError)
    return 'Stop the servers, and run ostiary database restored, with --nothing-lost if it was only moved; see "After a restore" in docs/run-it.md.'
  const [, parameter] = /startup parameter: (\w+)/.exec(String(cause)) ?? []
  if (parameter === undefined) return knownFailure(cause)?.[1] ?? null
  const inPooler = `Add ${parameter} to ignore_startup_parameters in the configuration of PgBouncer`
  return parameter === 'statement_timeout'
    ? `${inPooler}, or set OSTIARY_DATABASE__STATEMENT_TIMEOUT to 0; see "PgBouncer" in docs/run-it.md.`
    : `${inPooler}, or remove it from DATABASE_URL.`
}
