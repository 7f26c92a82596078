/** Lists of realms: those of the configuration, and those that were made at run time, by id. */

import { configuredRealm, findRealm } from './changes.js'
import type { RunTimeRealms } from './run-time.js'
import { type ListedRealm, listed, listedConfigured } from './shown.js'

interface ListPage {
  limit: number
  /** The last id of the page before. */
  after?: string
}

/** The realms after an id. @param held The ids of the realms that the caller may see; null for all. */
export async function listRealms(
  realms: RunTimeRealms,
  { limit, after = '' }: ListPage,
  held: readonly string[] | null = null,
): Promise<ListedRealm[]> {
  if (held !== null) return listHeld(realms, { limit, after }, held)
  const configured = (await realms.ids()).filter((id) => id > after && realms.configured(id) !== null)
  const stored = await realms.store.list({ limit, after })
  // The configuration wins.
  const made = stored.filter(({ id }) => !configured.includes(id)).map(listed)
  return [...configured.map(listedConfigured), ...made].sort(byId).slice(0, limit)
}

async function listHeld(
  realms: RunTimeRealms,
  { limit, after }: Required<ListPage>,
  held: readonly string[],
): Promise<ListedRealm[]> {
  const found: ListedRealm[] = []
  for (const id of [...new Set(held)].sort()) {
    if (found.length >= limit) break
    if (id <= after) continue
    if ((await configuredRealm(realms, id)) !== null) found.push(listedConfigured(id))
    else {
      const record = await findRealm(realms, id)
      if (record !== null) found.push(listed(record))
    }
  }
  return found
}

/** By bytes, as the database sorts them. */
const byId = (one: ListedRealm, other: ListedRealm): number => (one.id < other.id ? -1 : 1)
