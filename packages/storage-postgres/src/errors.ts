/** What its users tell failures apart by. To import these loads no client of a database. */

export { DatabaseTimeoutError, isUnavailable } from './availability.js'
export { FolderInUseError } from './folder-lock.js'
export { SchemaError } from './schema-error.js'
