/** Schemas that several operations share. */

import * as z from 'zod'
import { ROLES } from '../roles/rights.js'

const MAX_LIMIT = 200
const DEFAULT_LIMIT = 50

export const TEXTS = z.array(z.string())
export const NULLABLE = z.string().nullable()

/** A name of a query. */
export const TEXT = z.string().min(1).max(255).optional()

const MAX_IDS = 100

/** A filter of a list. */
export const IDS = z
  .string()
  .transform((text) => [...new Set(text.split(' '))])
  .refine(({ length }) => length <= MAX_IDS, `give at most ${MAX_IDS}`)
  .optional()
  .describe(`Only these, separated by spaces; at most ${MAX_IDS}`)

/** The parameters of a list. */
export const PAGE = {
  limit: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, `give a number from 1 to ${MAX_LIMIT}`)
    .transform(Number)
    .refine((limit) => limit <= MAX_LIMIT, `give a number from 1 to ${MAX_LIMIT}`)
    .default(DEFAULT_LIMIT)
    .describe(`The number of entries, 1 to ${MAX_LIMIT}`),
  cursor: z.string().optional().describe('`next` of the page before'),
  after: z.string().optional().describe('The id of the entry before the first one; without cursor'),
}

const FLAG = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .optional()

/** A parameter of a change. */
export const OVERWRITE = { overwrite: FLAG.describe('true: If-Match is not needed') }

const DRY_RUN = {
  dry_run: FLAG.describe('true: nothing is changed, and the answer says what would be'),
}

/** The parameter of a record that can be protected. */
export const PROTECTION = z.strictObject({ protection: FLAG.describe('true: in the answer') })

/** A role, and where it counts. */
export const ROLE = z.object({
  role: z.enum(ROLES),
  realms: TEXTS.min(1).describe('The ids of realms, or `*` alone for all'),
})

/** A record whose answer may say what keeps the caller from changing it. */
export const withProtection = (record: z.ZodObject) =>
  record.extend({
    protection: z
      .object({
        needs_role: ROLE.nullable().describe('Without it, the caller changes nothing'),
        configured: NULLABLE.describe('Its key, where it is changed'),
      })
      .optional(),
  })

/** The parameters of a write, and `dry_run`. */
export const dryRunQuery = (query: z.ZodObject = z.strictObject({})): z.ZodObject => query.extend(DRY_RUN)

/** The media type of an answer to a dry run. */
export const DRY_RUN_TYPE = 'application/vnd.ostiary.dry-run+json'

const ended = z.int().describe('How many end')
const uncounted = ended.nullable().describe('How many end; null where that is not counted before')

const of_realm = z
  .int()
  .nullable()
  .optional()
  .describe(
    'Only of a realm that is deleted: how many it has, 10000 stands for more; null where that is not counted',
  )

/** The answer to a dry run. @param has_realms Whether realms can be deleted. */
export const dryRunAnswer = (has_realms: boolean) =>
  z.object({
    changes: z.array(
      z.object({
        pointer: z
          .string()
          .describe('A JSON Pointer into the record; empty for a record that is created or deleted'),
        from: z.unknown().optional().describe('Absent when the member is not there'),
        to: z.unknown().optional().describe('Absent when the member will not be there'),
        secret: z.literal(true).optional().describe('The member is never shown'),
      }),
    ),
    effects: z.object({
      sessions: has_realms ? uncounted : ended,
      grants: uncounted,
      consents: uncounted,
      keys: z.int().describe('How many are made or withdrawn'),
      ...(has_realms && { clients: of_realm, users: of_realm }),
    }),
  })

/** A list without pages. */
export const listOf = (item: z.ZodType) => z.object({ items: z.array(item) })

/** A page of a list. */
export const pageOf = (item: z.ZodType) =>
  z.object({ items: z.array(item), next: NULLABLE.describe('The cursor of the next page') })

/** A time in a query. */
export const SECONDS = z
  .string()
  .regex(/^\d{1,10}$/, 'give epoch seconds')
  .transform(Number)
  .optional()

export const EPOCH = z.number().int().describe('Epoch seconds')
