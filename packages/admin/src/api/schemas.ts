/** Schemas that several operations share. */

import * as z from 'zod'

const MAX_LIMIT = 200
const DEFAULT_LIMIT = 50

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
}

/** A parameter of a change. */
export const OVERWRITE = {
  overwrite: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional()
    .describe('true: If-Match is not needed'),
}

/** A page of a list. */
export const pageOf = (item: z.ZodType) =>
  z.object({ items: z.array(item), next: z.string().nullable().describe('The cursor of the next page') })

export const EPOCH = z.number().int().describe('Epoch seconds')
