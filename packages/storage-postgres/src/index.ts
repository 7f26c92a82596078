export type { Executor, Param, Queries } from './connection/executor.js'
export {
  isServer,
  type PooledExecutor,
  type PostgresOptions,
  postgresExecutor,
} from './connection/postgres-executor.js'
export type { RefusalReason, RefusedConnections } from './connection/refusals.js'
export { refuseReadOnly, writeCheck } from './connection/write-check.js'
export { type DatabaseDiagnosis, type DiagnoseOptions, diagnose } from './diagnosis/diagnose.js'
export { diagnoseFailure } from './diagnosis/failure.js'
export type { DatabaseFinding } from './diagnosis/finding.js'
export * from './errors.js'
export { MIGRATIONS } from './migrations/list.js'
export type { Migration } from './migrations/migration.js'
export { type Migrations, migrations } from './migrations/migrations.js'
export {
  copyDatabase,
  countRecords,
  type RowCounts,
  requireEmpty,
  TargetNotEmptyError,
} from './moving/copy-database.js'
export { readRealm } from './moving/read-realm.js'
export { compareRecords, type RealmRecord, type RecordKind } from './moving/realm-records.js'
export {
  type ImportConflict,
  type ImportReport,
  type WriteOptions,
  writeRealm,
} from './moving/write-realm.js'
export {
  type DatabaseRange,
  isRanged,
  type RangedExecutor,
  type RangedOptions,
  rangedExecutor,
} from './ranges/ranged-executor.js'
export {
  type BucketRange,
  deleteMails,
  type EndedAccess,
  endAccess,
  removePasswords,
} from './restores/end-access.js'
export { type LineageWatch, lineageWatch, recordLineage } from './restores/lineage.js'
export { type PostgresStores, postgresStorage, postgresStores, type StorageOptions } from './storage.js'
export type { AddressIndex } from './stores/addresses.js'
export { type DatabaseFigures, databaseFigures, type NewestKey, newestKeys } from './stores/figures.js'
export { type Lease, type LeaseAnswer, postgresLease } from './stores/leases.js'
export { postgresUsers } from './stores/users.js'
