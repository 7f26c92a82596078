/** The little that the stores need of a database: the same for a server and for the embedded one. */

/** A record goes in as JSON text: `$2::text::json`. */
export type Param = string | number | boolean | null

/** Runs one statement. */
export interface Queries {
  /** Without parameters the text may hold several statements. `int8` comes back as a number, JSON as what it says. */
  query<T>(text: string, params?: readonly Param[]): Promise<T[]>
}

/** A connection, or several: whatever runs SQL. Parameters are texts, numbers, booleans and null. */
export interface Executor extends Queries {
  /** Commits when `run` resolves, and rolls back when it rejects. */
  transaction<T>(run: (tx: Queries) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export async function first<T>(rows: Promise<T[]>): Promise<T | null> {
  return (await rows)[0] ?? null
}

/** For a statement that returns a row when it has won. */
export async function won(rows: Promise<unknown[]>): Promise<boolean> {
  return (await rows).length > 0
}

export async function countOf(rows: Promise<{ count: number }[]>): Promise<number> {
  return (await rows)[0]?.count ?? 0
}
