/** What the admin API of a server does as the commands do. */

import type { explain as explainAudit, Story } from './audit/story.js'

export { type AuditCall, type AuditOperation, type AuditSources, auditOperations } from './operations.js'
export type { Story }

/** The stories of a reference, a request id or a flow, the newest first. */
export const explain: typeof explainAudit = async (...given) =>
  (await import('./audit/story.js')).explain(...given)
