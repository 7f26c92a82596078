export { DatabaseMissingError, FolderGoneError } from './folder-guard.js'
export { FolderInUseError } from './folder-lock.js'
export { pgliteExecutor } from './pglite-executor.js'
