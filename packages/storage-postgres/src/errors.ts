/** The errors of this package, and how to tell them apart. This entry point loads no database client. */

export {
  DatabaseTimeoutError,
  isDiskFull,
  isReadOnly,
  isUnavailable,
  NoPrimaryError,
  RestoredError,
} from './connection/availability.js'
export { databaseAdvice } from './diagnosis/advice.js'
export { SchemaError } from './migrations/schema-error.js'
