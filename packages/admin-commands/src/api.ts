/** What the admin API of a server does as the commands do. */

export { type AuditCall, type AuditOperation, type AuditSources, auditOperations } from './operations.js'
