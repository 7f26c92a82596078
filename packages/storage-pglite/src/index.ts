export { DatabaseMissingError, FolderGoneError } from './folder-guard.js'
export { FolderInUseError } from './folder-lock.js'
export { type PgliteOptions, pgliteExecutor } from './pglite-executor.js'
export { SharedFolderError } from './socket/protocol.js'
