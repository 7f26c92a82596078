/** Pages of lists. */

import * as z from 'zod'
import type { RealmCall } from './operation.js'

const MAX_LIMIT = 200
const DEFAULT_LIMIT = 50

export const EPOCH = z.number().int().describe('Epoch seconds')

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

/** A page of a list. */
export const pageOf = (item: z.ZodType) =>
  z.object({ items: z.array(item), next: z.string().nullable().describe('The cursor of the next page') })

/** What is read of a list for a page. */
interface Read<T> {
  /** One more than the page has, where there are so many. */
  found: T[]
  /** The id of the last record that was looked at; null at the end of the list. */
  reached: string | null
}

interface ListedPage<T> {
  list: string
  filter?: Readonly<Record<string, unknown>>
  query: { limit: number; cursor?: string | undefined }
  read(after: string, count: number): Promise<Read<T>>
  idOf(item: T): string
}

/** The entries after the cursor, and the cursor of the next page. @throws an error for a cursor of another list */
export async function pageOfList<T>(
  { realm, cursor: key }: RealmCall,
  { list, filter = {}, query, read, idOf }: ListedPage<T>,
): Promise<{ items: T[]; next: string | null }> {
  const place = { realm, list, filter }
  const { limit, cursor } = query
  const after = cursor === undefined ? '' : key.read(place, cursor)
  const { found, reached } = await read(after, limit + 1)
  const items = found.slice(0, limit)
  const last = items.at(-1)
  const position = found.length > limit && last !== undefined ? idOf(last) : reached
  return { items, next: position === null ? null : key.write(place, position) }
}
