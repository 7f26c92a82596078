/** Which errors mean that the database is unreachable or overloaded, and not that the statement is wrong. */

/** No answer within the executor's limit. The statement may still have run. */
export class DatabaseTimeoutError extends Error {
  /** @param seconds The limit. */
  constructor(seconds: number) {
    super(`The database has not answered within ${seconds} s`)
    this.name = 'DatabaseTimeoutError'
  }
}

/** None of the servers is a primary, which accepts writes. Before a promotion this lasts until a standby is promoted. */
export class NoPrimaryError extends Error {
  /** @param states The state of each server, as `db1:5432 is a standby`. */
  constructor(states: readonly string[]) {
    super(`there is no primary, which accepts writes: ${states.join(', ')}`)
    this.name = 'NoPrimaryError'
  }
}

/** The database of a range of buckets is not asked. The others are not affected. */
export class RangeUnavailableError extends Error {
  /** @param what What the database does, as `does not answer`. */
  constructor(range: string, what: string) {
    super(`The database of the buckets ${range} ${what}`)
    this.name = 'RangeUnavailableError'
  }
}

/** The sender, or all senders together, have too many statements in progress in a range of buckets. Its database may be well. */
export class RangeFullError extends RangeUnavailableError {
  constructor(range: string) {
    super(range, 'has too many statements in progress')
    this.name = 'RangeFullError'
  }
}

/** The records were copied to this database, or it was set back to an earlier state: nothing is answered from it. */
export class RestoredError extends Error {
  /** @param how As `its records were written in another database`. */
  constructor(how: string) {
    super(`the database was restored, moved or copied: ${how}`)
    this.name = 'RestoredError'
  }
}

/** A connection failed, broke or was refused: codes of the system, of postgres.js, and of PostgreSQL (class 08). */
const CONNECTION_ERROR = /^(E[A-Z]+|CONNECT_TIMEOUT|CONNECTION_(CLOSED|DESTROYED|ENDED)|08\w{3})$/
/** PostgreSQL shuts down or starts (57P), or accepts no writes (25006): a standby, or the old primary after a failover. */
const SERVER_CHANGE = /^(57P\w{2}|25006)$/
/**
 * PostgreSQL's codes for insufficient resources (53), statement time-out (57014), serialization failure and deadlock
 * (40), and for a prepared statement that is on another connection of a pooler (26000, 42P05).
 */
const SERVER_ERROR = /^(53\w{3}|57014|40\w{3}|26000|42P05)$/
/** The server has no space left for a table (53100). */
const DISK_FULL = '53100'
const READ_ONLY = '25006'
const LOST_PREPARED_STATEMENT = /^(26000|42P05)$/

/** The code of an error of the system, of postgres.js or of PostgreSQL; empty when it has none. */
export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : ''
}

/** True when the same statement may succeed later. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof RangeUnavailableError ||
  error instanceof RestoredError ||
  isServerLost(error) ||
  matches(error, (code) => SERVER_ERROR.test(code))

/** True when the server may be gone, or be no longer the primary. */
export function isServerLost(error: unknown): boolean {
  if (error instanceof DatabaseTimeoutError || error instanceof NoPrimaryError) return true
  return matches(error, (code) => CONNECTION_ERROR.test(code) || SERVER_CHANGE.test(code))
}

/** True when a server has not answered in time: a statement, or a new connection. */
export const isTimeout = (error: unknown): boolean =>
  error instanceof DatabaseTimeoutError || matches(error, (code) => code === 'CONNECT_TIMEOUT')

/** True when the server accepts no writes. */
export const isReadOnly = (error: unknown): boolean =>
  error instanceof NoPrimaryError || codeOf(error) === READ_ONLY

/** True when the server has no space left. */
export const isDiskFull = (error: unknown): boolean => codeOf(error) === DISK_FULL

/** True when a value is not one that PostgreSQL can store or compare (class 22). */
export const isDataException = (error: unknown): boolean => /^22\w{3}$/.test(codeOf(error))

/** True when a pooler has lost a prepared statement. The statement has not run. */
export const isPreparedStatementLost = (error: unknown): boolean =>
  LOST_PREPARED_STATEMENT.test(codeOf(error))

/** Node tries every address of a host, and collects their errors. */
function matches(error: unknown, rule: (code: string) => boolean): boolean {
  if (error instanceof AggregateError && error.errors.some((one) => matches(one, rule))) return true
  return rule(codeOf(error))
}
