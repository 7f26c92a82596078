/** Which errors mean that the database is unreachable or overloaded, and not that the statement is wrong. */

/** No answer within the executor's limit. The statement may still have run. */
export class DatabaseTimeoutError extends Error {
  /** @param seconds The limit. */
  constructor(seconds: number) {
    super(`The database has not answered within ${seconds} s`)
    this.name = 'DatabaseTimeoutError'
  }
}

/** A connection failed, broke or was refused: codes of the system, of postgres.js, and of PostgreSQL (class 08). */
const CONNECTION_ERROR = /^(E[A-Z]+|CONNECT_TIMEOUT|CONNECTION_(CLOSED|DESTROYED|ENDED)|08\w{3})$/
/**
 * PostgreSQL's codes for insufficient resources (53), shutdown and start (57P), statement time-out (57014),
 * serialization failure and deadlock (40), and for a server that accepts no writes (25006): a standby, or the old
 * primary after a failover.
 */
const SERVER_ERROR = /^(53\w{3}|57P\w{2}|57014|40\w{3}|25006)$/

/** True when the same statement may succeed later. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseTimeoutError) return true
  const { code, errors } = (error ?? {}) as { code?: unknown; errors?: unknown[] }
  // Node tries every address of a host, and collects their errors.
  if (error instanceof AggregateError && errors?.some(isUnavailable)) return true
  return typeof code === 'string' && (CONNECTION_ERROR.test(code) || SERVER_ERROR.test(code))
}
