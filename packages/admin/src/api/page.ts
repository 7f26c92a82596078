/** One page of a list. */

import { given } from './given.js'
import type { Call } from './operation.js'

interface ListedPage<T> {
  list: string
  query: { limit: number; cursor?: string | undefined; after?: string | undefined }
  filter?: Readonly<Record<string, unknown>>
  read(page: { after?: string; limit: number }): Promise<T[]>
  idOf(item: T): string
}

/** The entries after the cursor, and the cursor of the next page. @throws ProblemError for a cursor of another list. */
export async function pageOfList<T>(
  { realm, cursor: key }: Call,
  { list, query, filter = {}, read, idOf }: ListedPage<T>,
): Promise<{ items: T[]; next: string | null }> {
  const place = { realm, list, filter }
  const { limit, cursor } = query
  const after = cursor === undefined ? query.after : key.read(place, cursor)
  const found = await read({ ...given({ after }), limit: limit + 1 })
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return { items, next: found.length > limit && last !== undefined ? key.write(place, idOf(last)) : null }
}
