export { ConfigError, type ConfigFault } from '@ostiary/core'
export { inTurns } from '@ostiary/resource-server/turns'
export { type Program, run, type Terminal } from './cli/run.js'
export { configuredLog } from './config/configured-log.js'
export type { ClientEntry, RealmEntries, UserEntry } from './config/entries.js'
export type { Environment } from './config/environment.js'
export type { HostConfig } from './config/host-config.js'
export type { MailSettings } from './config/mail-settings.js'
export { type ReadOptions, readConfig } from './config/read-config.js'
export { readReloadedConfig } from './config/reloaded-config.js'
export type { ServerSettings } from './config/server-settings.js'
export type { StorageChoice } from './config/storage-choice.js'
export type { TryOut } from './config/try-out.js'
export { createLog, errorFields, type Fields, type Level, type Log, type LogOptions } from './log/log.js'
export { type ManageOptions, manageRealm, type Workspace } from './management/manage.js'
export { type GuardedFetchOptions, guardedDocuments, guardedFetch } from './network/guarded-fetch.js'
export { failureText } from './process/failure.js'
export { serve } from './process/serve.js'
export { announce } from './process/start-up.js'
export { type App, type AppOptions, createApp } from './server/app.js'
export type { RequestLimits } from './server/limits.js'
export { isAmbiguousPath } from './server/request-path.js'
export { malformed, serverError } from './server/responses.js'
export {
  type ConnectionLimits,
  type Handler,
  LIMITS,
  type Listener,
  type ListenOptions,
  type Runtime,
} from './server/runtime.js'
export type { HostStorage, OpenOptions } from './storage/host-storage.js'
export { migrateDatabase } from './storage/migrate.js'
export { mixedStorage } from './storage/mixed-storage.js'
export { openStorage } from './storage/open-storage.js'
export { StorageError } from './storage/storage-error.js'
export { type SyncReport, syncRealms } from './storage/sync.js'
