/** What its users tell failures apart by. To import these loads no client of a database. */

export { DatabaseTimeoutError, isUnavailable } from './connection/availability.js'
export { FolderInUseError } from './embedded/folder-lock.js'
export { SchemaError } from './migrations/schema-error.js'
