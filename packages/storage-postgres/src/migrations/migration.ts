/** One step of the schema; no step is undone. After a release its SQL never changes: a later change is a new step. */
export interface Migration {
  /** 1, 2, 3, … */
  id: number
  name: string
  sql: string
}
