/** The `audit.*` keys. */

import type { AuditSettings } from '@ostiary/audit'
import * as z from 'zod'

const MAX_KEEP_DAYS = 3650

const sinkSchema = z.strictObject({
  url: z.string().describe('Where rows are sent, by https'),
  events: z
    .array(z.string())
    .optional()
    .describe('Types of rows, such as login.refused; client. is all that begin so; all when absent'),
  format: z
    .enum(['json', 'set'])
    .default('json')
    .describe(
      'json: Standard Webhooks; set: Security Event Tokens (RFC 8417, RFC 8935), signed by the realm',
    ),
  secret_env: z
    .string()
    .min(1)
    .optional()
    .describe('Of json: the variable with the secret, whsec_ and 24 to 64 random bytes in base64'),
  allow_private: z
    .boolean()
    .default(false)
    .describe('Whether the receiver may be in a private network, or on this machine'),
})

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
  sinks: z.array(sinkSchema).default([]).describe('Receivers to which rows are sent, at most 8'),
})

/** Undefined when it is off. */
export const auditSettings = ({
  enabled,
  sinks: _,
  ...settings
}: z.output<typeof auditSchema>): AuditSettings | undefined => (enabled ? settings : undefined)
