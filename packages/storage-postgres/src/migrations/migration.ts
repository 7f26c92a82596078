/** One step of the schema; no step is undone. After a release its SQL never changes: a later change is a new step. */
export interface Migration {
  /** 1, 2, 3, … */
  id: number
  name: string
  /** Runs in one transaction, unless `index` is set. */
  sql: string
  /**
   * The name of the index that `sql` builds, with one statement: `create index concurrently <index> on …`. It runs outside
   * of a transaction, so that neither reads nor writes of the table wait. After an interruption, the step runs again.
   */
  index?: string
}

/** The type of a column with an id or a hash. It is compared by bytes: faster, and the same on every system. */
export const ID = 'text collate "C" not null'

/** The type of a column with a time: epoch seconds, unless the column says another unit. */
export const TIME = 'bigint not null'

/** The type of a column with the bucket of a row. */
export const BUCKET = 'smallint not null'
