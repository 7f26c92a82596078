export { ConfigError } from '@ostiary/core'
export { type App, type AppOptions, createApp } from './app.js'
export { type Program, run, type Terminal } from './cli/run.js'
export { type HostConfig, type ReadOptions, readConfig } from './config.js'
export type { ClientEntry, RealmEntries, UserEntry } from './entries.js'
export type { Environment } from './environment.js'
export { failureText } from './failure.js'
export { type GuardedFetchOptions, guardedFetch } from './guarded-fetch.js'
export type { HealthParts } from './health.js'
export type { RequestLimits } from './limits.js'
export { createLog, errorFields, type Fields, type Level, type Log, type LogOptions } from './log.js'
export { type ManageOptions, manageRealm, type Workspace } from './manage.js'
export { migrateDatabase } from './migrate.js'
export { isAmbiguousPath } from './request-path.js'
export { malformed, serverError } from './responses.js'
export {
  type ConnectionLimits,
  type Handler,
  LIMITS,
  type Listener,
  type ListenOptions,
  type Runtime,
} from './runtime.js'
export { serve } from './serve.js'
export type { ServerSettings } from './server-settings.js'
export { announce, configuredLog } from './start-up.js'
export { type HostStorage, mixedStorage, openStorage } from './storage.js'
export type { StorageChoice } from './storage-choice.js'
export { StorageError } from './storage-error.js'
export { type SyncReport, syncRealm } from './sync.js'
export type { TryOut } from './try-out.js'
