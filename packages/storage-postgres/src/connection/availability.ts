/** Which failures say that the database is away or overburdened, and not that something is wrong with the request. */

export class DatabaseTimeoutError extends Error {
  constructor(seconds: number) {
    super(`The database has not answered within ${seconds} s`)
    this.name = 'DatabaseTimeoutError'
  }
}

/** Connections that fail, break or are refused: of the system, of postgres.js, of PostgreSQL (class 08). */
const CONNECTION = /^(E[A-Z]+|CONNECT_TIMEOUT|CONNECTION_(CLOSED|DESTROYED|ENDED)|08\w{3})$/
/**
 * Resources (53), shutdown and start (57P), statement time-out and serialisation trouble (57014, 40), and a server that
 * takes no writes (25006): a standby, or one that a failover has passed over.
 */
const SERVER = /^(53\w{3}|57P\w{2}|57014|40\w{3}|25006)$/

/** True: the same request may well succeed a little later. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseTimeoutError) return true
  const { code, errors } = (error ?? {}) as { code?: unknown; errors?: unknown[] }
  // Node tries every address of a host, and tells of each.
  if (error instanceof AggregateError && errors?.some(isUnavailable)) return true
  return typeof code === 'string' && (CONNECTION.test(code) || SERVER.test(code))
}
