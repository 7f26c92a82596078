export {
  type Audit,
  type AuditedStores,
  type AuditOptions,
  createAudit,
} from './audit.js'
export { AuditError, type Change, type RequestOrigin, type Subject } from './changes.js'
export { type AuditDatabase, databaseAuditStore } from './database-store.js'
export type { AuditedRequest } from './events.js'
export { type AnyEvent, KEPT, type KeptEvent } from './kept.js'
export { memoryAuditStore } from './memory-store.js'
export { type OpenedStorage, type OpenOptions, openAudit, openAuditStore } from './open.js'
export type { AuditOutcome, AuditRow, PrivatePart } from './row.js'
export type { SealingKeys, SealStatement } from './seals.js'
export { type AuditSettings, auditFaults, DEFAULT_SETTINGS } from './settings.js'
export type { AuditFilter, AuditSeal, AuditStore, SealedPlace } from './store.js'
