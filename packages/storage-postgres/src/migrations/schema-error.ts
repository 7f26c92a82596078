/** The database's schema is not that of this version. The message says what to do. */
export class SchemaError extends Error {
  /** `changed`: a step was applied with another SQL text than this version has. */
  readonly state: 'older' | 'newer' | 'changed'

  constructor(state: SchemaError['state'], message: string) {
    super(message)
    this.name = 'SchemaError'
    this.state = state
  }
}
