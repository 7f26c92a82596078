/** The database's schema is not the one that this version works with. The message says what to do. */
export class SchemaError extends Error {
  readonly state: 'older' | 'newer' | 'changed'

  constructor(state: SchemaError['state'], message: string) {
    super(message)
    this.name = 'SchemaError'
    this.state = state
  }
}
