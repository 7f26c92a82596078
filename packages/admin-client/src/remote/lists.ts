/** Lists of any length, over pages of the admin API. */

import type { RealmApi } from './api.js'
import { ApiRefusal } from './errors.js'

/** Entries that the API gives at once. */
const MAX_PAGE = 200

interface Page<Item> {
  items: Item[]
  next: string | null
}

/** At most `limit` entries, from the one after `after`. */
export async function listed<Item>(
  { send }: RealmApi,
  path: readonly string[],
  {
    after,
    limit = MAX_PAGE,
    filter = {},
  }: { after?: string; limit?: number; filter?: Record<string, string> } = {},
): Promise<Item[]> {
  const items: Item[] = []
  let from: Record<string, string> = after === undefined ? {} : { after }
  while (items.length < limit) {
    const count = Math.min(limit - items.length, MAX_PAGE)
    const query = { ...filter, ...from, limit: String(count) }
    const page = await send<Page<Item>>('GET', path, { query })
    if (!Array.isArray(page?.items)) throw new ApiRefusal({ status: 200, problem: null }, path)
    items.push(...page.items)
    if (page.next === null || page.items.length === 0) break
    from = { cursor: page.next }
  }
  return items
}
