/** The database interface that the stores use: the same for a server and for the embedded database. */

/** A value for `$1`, `$2`, … A record is passed as JSON text: `$2::text::json`. */
export type Param = string | number | boolean | null

/** Runs one statement. */
export interface Queries {
  /** Without parameters the text may hold several statements. `int8` is returned as a number, JSON parsed. */
  query<T>(text: string, params?: readonly Param[]): Promise<T[]>
}

/** A connection or a pool of connections. */
export interface Executor extends Queries {
  /** Commits when `run` resolves, and rolls back when it rejects. */
  transaction<T>(run: (tx: Queries) => Promise<T>): Promise<T>
  /**
   * Runs one statement without parameters outside of any transaction, on a connection of its own and without a time limit.
   * Absent for the embedded one, which no other process can use.
   */
  queryAlone?<T>(text: string): Promise<T[]>
  /** @param within_ms How long running queries of a server may take; 5,000 when absent. Then they fail. */
  close(within_ms?: number): Promise<void>
}

/** The first statement of a transaction that may take long, and wait for its caller. */
export const WITHOUT_TIME_LIMITS = `
  set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0`

/** The first statement of a transaction whose reads all see one state of the database. */
export const ONE_SNAPSHOT = 'set transaction isolation level repeatable read, read only'

/** The first row, or null. */
export async function first<T>(rows: Promise<T[]>): Promise<T | null> {
  return (await rows)[0] ?? null
}

/** The result of a compare-and-set: true when the statement returns a row, which it does when it has changed one. */
export async function won(rows: Promise<unknown[]>): Promise<boolean> {
  return (await rows).length > 0
}

const UNIQUE_VIOLATION = '23505'

/** The result of a compare-and-set; also false when another row has its name or its id. */
export async function unlessTaken(rows: Promise<unknown[]>): Promise<boolean> {
  try {
    return await won(rows)
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code === UNIQUE_VIOLATION) return false
    throw error
  }
}

/** The `count` of a statement that returns one row with it. */
export async function countOf(rows: Promise<{ count: number }[]>): Promise<number> {
  return (await rows)[0]?.count ?? 0
}
