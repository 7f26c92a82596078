/** One step of the schema; there are no steps back. After a release its text never changes: a change is a new step. */
export interface Migration {
  /** 1, 2, 3, … */
  id: number
  name: string
  sql: string
}
