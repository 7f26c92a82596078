/** One step of the schema, forward only. Once released, its text never changes: a change is a step of its own. */
export interface Migration {
  /** 1, 2, 3, … */
  id: number
  name: string
  sql: string
}
