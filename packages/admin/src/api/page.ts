/** One page of a list. */

import { given } from './given.js'
import type { Call } from './operation.js'

interface ListedPage<T> {
  list: string
  query: { limit: number; cursor?: string | undefined; after?: string | undefined }
  filter?: Readonly<Record<string, unknown>>
  read(page: { after?: string; limit: number }): Promise<T[]>
  idOf(item: T): string
  /** A filter that no index has: a page may be short, or empty, and the list ends with a page that has no next one. */
  keeps?(item: T): boolean
}

/** Entries that a page of a filter without an index looks at. */
export const MAX_LOOKED_AT = 1000

/** The entries after the cursor, and the cursor of the next page. @throws ProblemError for a cursor of another list. */
export async function pageOfList<T>(
  { realm, cursor: key }: Call,
  { list, query, filter = {}, read, keeps, idOf }: ListedPage<T>,
): Promise<{ items: T[]; next: string | null }> {
  const place = { realm, list, filter }
  const { limit, cursor } = query
  const count = keeps ? MAX_LOOKED_AT : limit + 1
  const after = cursor === undefined ? query.after : key.read(place, cursor)
  const looked_at = await read({ ...given({ after }), limit: count })
  const found = keeps ? looked_at.filter(keeps) : looked_at
  const items = found.slice(0, limit)
  const is_end = found.length <= limit && looked_at.length < count
  const last = found.length > limit ? items.at(-1) : looked_at.at(-1)
  return { items, next: is_end || last === undefined ? null : key.write(place, idOf(last)) }
}

/** The records that there are. A database finds 64 by one statement: they are asked for in one turn. */
export const existing = async <T>(
  ids: readonly string[],
  find: (id: string) => Promise<T | null>,
): Promise<T[]> => (await Promise.all(ids.map((id) => find(id)))).filter((each) => each !== null)
