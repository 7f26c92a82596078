/** The settings of the audit. */

import type { ConfigFault } from '@ostiary/core'

/** What is kept, and for how long. */
export interface AuditSettings {
  /** Days after which a row is deleted: 1 to 3,650. */
  keep_days: number
  /** `security`: what concerns sign-ins, changes and refusals. `all`: each issued token too, and each request of a program. */
  events: 'security' | 'all'
}

/** 365 days, and what concerns security. */
export const DEFAULT_SETTINGS: AuditSettings = { keep_days: 365, events: 'security' }

/** At most ten years. */
const MAX_KEEP_DAYS = 3650

/** What is wrong with the settings; the paths are those of `AuditSettings`. */
export function auditFaults({ keep_days, events }: AuditSettings): ConfigFault[] {
  const faults: ConfigFault[] = []
  if (!Number.isInteger(keep_days) || keep_days < 1 || keep_days > MAX_KEEP_DAYS)
    faults.push({ path: 'keep_days', message: `give a number of days from 1 to ${MAX_KEEP_DAYS}` })
  if (events !== 'security' && events !== 'all')
    faults.push({ path: 'events', message: 'give security or all' })
  return faults
}
