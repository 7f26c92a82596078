/** Reads a list of the API for a part of a page. */

import { problemOf } from '../session/api.js'
import type { OwnVisit } from '../visit.js'

/** The items; none where the administrator may not read them. */
export async function itemsOf<Item>(c: OwnVisit, path: string, query = {}): Promise<Item[]> {
  const answer = await c.api({ method: 'GET', path, query })
  const problem = problemOf(answer)
  return problem === null ? (answer.body as { items: Item[] }).items : []
}
