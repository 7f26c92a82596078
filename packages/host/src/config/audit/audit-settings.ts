/** The `audit.*` keys. */

import type { AuditSettings } from '@ostiary/audit'
import * as z from 'zod'

const MAX_KEEP_DAYS = 3650

export const auditSchema = z.strictObject({
  enabled: z
    .boolean()
    .default(false)
    .describe('Whether events and changes are kept in the database, and sealed'),
  keep_days: z
    .number()
    .int()
    .min(1)
    .max(MAX_KEEP_DAYS)
    .default(365)
    .describe(`Days after which they are deleted, 1 to ${MAX_KEEP_DAYS}`),
  events: z
    .enum(['security', 'all'])
    .default('security')
    .describe('security: sign-ins, changes and refusals; all: issued tokens too'),
})

/** Undefined when it is off. */
export const auditSettings = ({
  enabled,
  ...settings
}: z.output<typeof auditSchema>): AuditSettings | undefined => (enabled ? settings : undefined)
